import { chown, rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { assertDatabase } from '../../src/ledger/assert-database.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { createQueues } from '../../src/queue/create-queues.ts';
import { makeCertificates } from '../support/certificates.ts';
import { createTestDatabase } from '../support/database.ts';
import { isWhole } from '../support/whole-proof.ts';
import { unprivileged } from './leash.ts';
import { orderThrough } from './order-through.ts';
import { addressOf, findPostgres, password, serverFolder, startPostgres } from './postgres.ts';
import { hasProgram, startCluster, startRedisServer } from './redis.ts';

/** The error sentence of an attempt, which must not show the password. */
const sentenceOf = async (attempt: () => Promise<unknown>): Promise<string> => {
  const error = await Promise.resolve()
    .then(attempt)
    .then(
      () => new Error('nothing failed'),
      (thrown: Error) => thrown,
    );
  expect(error.name).toBe('UserError');
  expect(error.message).not.toContain(password);
  expect(error.message).not.toContain(encodeURIComponent(password));
  return error.message;
};

const openDatabase = async (url: string): Promise<string> => {
  const pool = createPool(url, { max: 3, logger: silentLogger });
  try {
    const access = await assertDatabase(pool, url);
    await migrateLedger(pool);
    return access;
  } finally {
    await pool.end();
  }
};

/** Opens the queue, and resolves when a job ran on it. */
const runJob = async (url: string): Promise<void> => {
  const queues = await createQueues({
    backend: { kind: 'redis', url },
    logger: silentLogger,
    prefix: 'cartwright-x',
  });
  try {
    await new Promise<void>((resolve, reject) => {
      queues
        .startWorkers({ handlers: { 'poll-status': async () => resolve() } })
        .then(() => queues.enqueue([{ name: 'poll-status', data: { account: 'a' } }]))
        .catch(reject);
    });
    await queues.checkHolds({ lift: true });
    await queues.upsertSchedule({
      id: 'a',
      job: { name: 'poll-status', data: { account: 'a' } },
      timing: { everyMs: 3_600_000 },
    });
  } finally {
    await queues.stop(1_000);
  }
};

/** A file becomes orders and a report, with the jobs on this Redis. */
const runThrough = async (redisUrl: string): Promise<void> => {
  const database = await createTestDatabase();
  try {
    await orderThrough({ databaseUrl: database.url, redisUrl });
  } finally {
    await database.drop();
  }
};

test('Postgres with TLS: sslmode=verify-full, and one sentence for each mistake', async () => {
  const folder = await serverFolder();
  const { ca, key, certificate } = await makeCertificates(folder);
  const as = unprivileged();
  if (as) await chown(key, as.uid, as.gid);
  const server = await startPostgres((await findPostgres(18))!, {
    settings: ['ssl = on', `ssl_cert_file = '${certificate}'`, `ssl_key_file = '${key}'`],
    access: ['host all admin 127.0.0.1/32 scram-sha-256', 'hostssl all all 127.0.0.1/32 scram-sha-256'],
  });
  const at = (query: string, more: { host?: string; database?: string } = {}) =>
    addressOf(server.port, { host: 'localhost', query, ...more });
  const full = `?sslmode=verify-full&sslrootcert=${ca}`;
  try {
    expect(await openDatabase(at(full))).toBe('direct');
    expect(await openDatabase(at(full, { host: '127.0.0.1' }))).toBe('direct');
    expect(await openDatabase(at('?sslmode=require'))).toBe('direct');
    const cases: [string, RegExp][] = [
      [at(''), /accepts only connections with TLS. Add sslmode=verify-full/],
      [at('?sslmode=verify-full'), /certificate is not signed.*Add sslrootcert=/],
      [at('?sslmode=verify-full&sslrootcert=/nowhere.pem'), /nowhere\.pem cannot be read.*Fix sslrootcert=/],
      [at('?sslmode=full'), /sslmode=full in DATABASE_URL is unknown/],
      [at(full, { database: 'nothing' }), /has no database named nothing. Create it, or fix the name/],
      [
        at(full).replace(encodeURIComponent(password), 'wrong'),
        /refused the password of the user cartwright. Fix user and password/,
      ],
      [at(full).replace('localhost', 'h1,h2'), /names several hosts/],
    ];
    for (const [url, sentence] of cases) expect(await sentenceOf(() => openDatabase(url))).toMatch(sentence);
    await orderThrough({ databaseUrl: at(full) });
    await server.admin('alter database orders set default_transaction_read_only = on');
    expect(await sentenceOf(() => openDatabase(at(full)))).toMatch(
      /is read-only.*Set DATABASE_URL to the primary/,
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}, 250_000);

for (const major of isWhole ? [15, 16, 17, 18] : [15, 18]) {
  const bin = await findPostgres(major);
  test.runIf(bin)(
    `Postgres ${major} orders every PO once, whatever time limits its user has`,
    async () => {
      const server = await startPostgres(bin!);
      try {
        const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
        for (const name of major >= 17 ? [...limits, 'transaction_timeout'] : limits) {
          await server.admin(`alter role cartwright set ${name} = '500ms'`);
        }
        expect(await openDatabase(server.url)).toBe('direct');
        const pool = createPool(server.url, { max: 1, logger: silentLogger });
        await pool.query('begin; select pg_sleep(0.7)');
        await pool.query('select pg_sleep(0.7); commit');
        await pool.end();
        await orderThrough({ databaseUrl: server.url });
      } finally {
        await server.stop();
      }
    },
    250_000,
  );
}

const old = await findPostgres(14);
test.runIf(old)(
  'Postgres 14 is refused in one sentence',
  async () => {
    const server = await startPostgres(old!);
    try {
      const sentence = await sentenceOf(() => openDatabase(server.url));
      expect(sentence).toMatch(/is Postgres 14\.\d+; Cartwright needs 15/);
    } finally {
      await server.stop();
    }
  },
  250_000,
);

describe.runIf(hasProgram('redis-server'))('Redis', () => {
  test('with TLS and a user who has only the documented rights', async () => {
    const folder = await serverFolder();
    const { ca, key, certificate } = await makeCertificates(folder);
    const server = await startRedisServer([
      'port 0',
      'tls-port PORT',
      `tls-cert-file ${certificate}`,
      `tls-key-file ${key}`,
      `tls-ca-cert-file ${ca}`,
      'tls-auth-clients no',
      'user default off',
      'user shop on >s/cr@t:1 ~cartwright-* ~{cartwright-* -@all +@read +@write +@scripting +@connection +@transaction -@dangerous +info',
    ]);
    const at = (login: string, query = '') => `rediss://${login}@localhost:${server.port}${query}`;
    try {
      await runThrough(at('shop:s%2Fcr%40t%3A1', `?ca=${ca}`));
      const cases: [string, RegExp][] = [
        [at('shop:s%2Fcr%40t%3A1'), /certificate is not signed.*Add ca=/],
        [at('shop:wrong', `?ca=${ca}`), /refuses user or password.*REDIS_URL/],
        [at('shop:s/cr@t:1'), /percent-encoded/],
        [at('shop:x', '?cafile=x'), /unknown parameter cafile/],
        ['redis+sentinel://127.0.0.1', /lacks the name by which Sentinel/],
      ];
      for (const [url, sentence] of cases) expect(await sentenceOf(() => runJob(url))).toMatch(sentence);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 250_000);

  test('a cluster of three nodes, also by the plain address of one', async () => {
    const cluster = await startCluster();
    const hosts = cluster.ports.map((port) => `127.0.0.1:${port}`);
    try {
      await runThrough(`redis+cluster://${hosts.join(',')}`);
      await runJob(`redis://${hosts[0]}`);
    } finally {
      await cluster.stop();
    }
  }, 250_000);

  test.runIf(hasProgram('valkey-server'))(
    'Valkey',
    async () => {
      const server = await startRedisServer([], { program: ['valkey-server'] });
      try {
        await runThrough(`redis://127.0.0.1:${server.port}/3`);
      } finally {
        await server.stop();
      }
    },
    250_000,
  );
});

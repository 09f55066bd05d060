import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/postmaster.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/run-system.ts';
import { runCli } from './run-cli.ts';

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
let taken: Server;
let nobody: number;

const good = 'po_number,item_sku,quantity\nBAD-1,SKU-1,2\n';
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-cli-'));
  await chmod(folder, 0o711);
  database = await createTestDatabase();
  service = await startService(database.url, { dealers: [{ name: 'dealer', token: 'the-right-token' }] });
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  nobody = await findFreePort();
  await writeFile(file('good.csv'), good);
  await writeFile(file('empty.csv'), '');
  await writeFile(file('unknown.csv'), 'colour,size,shape\nred,2,round\n');
  await writeFile(file('no-po.csv'), 'item_sku,quantity\nSKU-1,2\n');
  await writeFile(file('cut.xlsx'), 'PK\u0003\u0004 and no more');
});
afterAll(async () => {
  taken.close();
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Expected {
  exitCode: number;
  says: (string | RegExp)[];
  env?: Record<string, string>;
}

/** One sentence (or one and a list), no stack trace, the exit code, and nothing on standard output. */
const refuses = async (args: string[], { exitCode, says, env = {} }: Expected): Promise<void> => {
  const ended = await runCli(args, { cwd: folder, env: { DATABASE_URL: database.url, ...env } });
  const told = `${ended.out}${ended.err}`;
  for (const words of says) {
    if (typeof words === 'string') expect(told).toContain(words);
    else expect(told).toMatch(words);
  }
  expect(told, 'no stack trace').not.toMatch(/^\s+at .*[:(]/m);
  expect(told).not.toContain('the-right-token');
  expect(ended.exitCode).toBe(exitCode);
};

const importsInLedger = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query(`select to_regclass('cartwright.imports') is not null as made`);
    if (!rows[0].made) return 0;
    return (await client.query('select count(*)::int as n from cartwright.imports')).rows[0].n;
  } finally {
    await client.end();
  }
};

const port = (server: Server): number => (server.address() as { port: number }).port;

test('a file that is missing', () =>
  refuses(['import', 'nowhere.csv'], { exitCode: 2, says: ['There is no file', 'nowhere.csv'] }));

test('a folder in place of a file', () => refuses(['import', '.'], { exitCode: 2, says: ['is not a file'] }));

// A plain file by its kind, and an error by its first byte, for whoever reads it: root too.
test.runIf(process.platform === 'linux')('a file that cannot be read', () =>
  refuses(['import', '/proc/self/mem'], { exitCode: 2, says: ['/proc/self/mem cannot be read'] }),
);

test('an empty file', () =>
  refuses(['import', '--dry-run', 'empty.csv'], { exitCode: 1, says: ['refused', /empty/] }));

test('a file with unknown columns: what it has, and what is needed', () =>
  refuses(['import', '--dry-run', 'unknown.csv'], {
    exitCode: 1,
    says: ['refused', '"colour"', 'po_number', 'quantity'],
  }));

test('a file without a PO column', () =>
  refuses(['import', '--dry-run', 'no-po.csv'], { exitCode: 1, says: ['refused', 'po_number'] }));

test('a workbook that is cut off', () =>
  refuses(['import', '--dry-run', 'cut.xlsx'], { exitCode: 1, says: ['refused', 'not whole'] }));

test('a refused file that was waited for: the sentence and a code of failure', () =>
  refuses(['import', '--wait', 'no-po.csv'], {
    exitCode: 1,
    says: ['refused', 'po_number'],
    env: { CARTWRIGHT_BASE_URL: service.url, CARTWRIGHT_TOKEN: 'the-right-token' },
  }));

test('a wrong key in the configuration, by its name', async () => {
  await writeFile(file('wrong.yaml'), 'accounts:\n  north:\n    baseURL: http://127.0.0.1\n');
  await refuses(['status', '--config', 'wrong.yaml'], {
    exitCode: 2,
    says: ['wrong.yaml', 'accounts.north.baseURL: there is no such setting'],
  });
});

test('a configuration file that is missing', () =>
  refuses(['status', '--config', 'absent.yaml'], {
    exitCode: 2,
    says: ['no configuration file', 'absent.yaml'],
  }));

test('an account that is not there, with those that are', () =>
  refuses(['import', 'good.csv', '--account', 'west'], {
    exitCode: 2,
    says: ['no account west', 'there is: default'],
  }));

test('the service’s port taken by another program', () =>
  refuses(['service', '--port', String(port(taken))], {
    exitCode: 3,
    says: [`port ${port(taken)}`, 'listens there already'],
  }));

test('a service option that is no number', () =>
  refuses(['service', '--read-lag-ms', 'soon'], { exitCode: 2, says: ['--read-lag-ms'] }));

test('the database down', () =>
  refuses(['status'], {
    exitCode: 3,
    says: [`The database at 127.0.0.1:${nobody}`, 'ECONNREFUSED', 'DATABASE_URL'],
    env: { DATABASE_URL: `postgres://someone:hidden@127.0.0.1:${nobody}/ledger` },
  }));

test('the database of the service down', () =>
  refuses(['service', '--port', '0'], {
    exitCode: 3,
    says: [`The database at 127.0.0.1:${nobody}`],
    env: { DATABASE_URL: `postgres://someone:hidden@127.0.0.1:${nobody}/ledger` },
  }));

test('Redis down', () =>
  refuses(['import', 'good.csv'], {
    exitCode: 3,
    says: ['Redis', String(nobody)],
    env: { REDIS_URL: `redis://127.0.0.1:${nobody}` },
  }));

test('no service configured, where orders are waited for', () =>
  refuses(['import', '--wait', 'good.csv'], {
    exitCode: 2,
    says: ['has no service', 'CARTWRIGHT_BASE_URL'],
  }));

test('the service down: nothing is taken', async () => {
  const before = await importsInLedger();
  await refuses(['import', '--wait', 'good.csv'], {
    exitCode: 3,
    says: [`http://127.0.0.1:${nobody}`, 'cannot be used', 'ECONNREFUSED'],
    env: { CARTWRIGHT_BASE_URL: `http://127.0.0.1:${nobody}` },
  });
  expect(await importsInLedger()).toBe(before);
});

test('a wrong token: nothing is taken, and the token is not shown', async () => {
  const before = await importsInLedger();
  await refuses(['import', '--wait', 'good.csv'], {
    exitCode: 3,
    says: ['refuses the credential', '401'],
    env: { CARTWRIGHT_BASE_URL: service.url, CARTWRIGHT_TOKEN: 'the-wrong-token' },
  });
  expect(await importsInLedger()).toBe(before);
});

test('a command that there is not, and an argument too few', async () => {
  await refuses(['improt', 'good.csv'], { exitCode: 2, says: ['unknown command', 'import'] });
  await refuses(['import'], { exitCode: 2, says: ['missing required argument'] });
});

test('for programs: the error as JSON on standard output, with its code', async () => {
  const ended = await runCli(['import', 'nowhere.csv', '--json'], {
    cwd: folder,
    env: { DATABASE_URL: database.url },
  });
  expect(JSON.parse(ended.out)).toMatchObject({ error: { code: 'file_missing' } });
});

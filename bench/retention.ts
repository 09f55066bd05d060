// A ledger of 10,000,000 lines: its statements compared with the same statements at 100,000 lines, and whether placing pauses
// while `cartwright prune` removes 1,000,000 lines. `retention:1000000` fills the ledger with 1,000,000 lines.
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { migrateLedger } from '../src/ledger/migrate.ts';
import { createPool } from '../src/ledger/pool.ts';
import { silentLogger } from '../src/logger.ts';
import { oneDealerEach } from './support/dealers.ts';
import type { Figure } from './support/figures.ts';
import { fillLedger } from './support/fill-ledger.ts';
import { builtCartwright, forkMeasured } from './support/measured-process.ts';
import { type Scene, startScene } from './support/scene.ts';
import { type Times, timeStatements } from './support/time-statements.ts';

const dealers = oneDealerEach(22);
/** The files of the second account are past their retention period. */
const [placing, old, ...others] = dealers.dealers.map(({ name }) => name) as [string, string, ...string[]];
const linesOfPo = 5;
const posOfImport = 500;
const linesOfImport = linesOfPo * posOfImport;
const rounds = 60;
/** Disk space of a line while the ledger is filled, with its share of everything else. */
const bytesOfLine = 1500;
/** Number of POs in each file that is placed while lines are removed. */
const posOfFile = 1000;
const openWanted = 500;
const baselineMs = 20_000;

const assertSpace = async (folder: string, lines: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  const needed = lines * bytesOfLine;
  if (bavail * bsize < needed)
    throw new Error(`${folder} needs ${Math.round(needed / 1e9)} GB of free space for this benchmark.`);
};

/** Runs the maintenance that filling has left over, so that it does not affect the measurement. */
const settle = async (pool: pg.Pool): Promise<void> => {
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
};

const compare = (few: Times, many: Times, name: string): Figure[] =>
  Object.entries(many).flatMap(([what, ms]): Figure[] =>
    // Counting an account's POs by state takes longer the more POs it has.
    what.startsWith('status: ') || what.startsWith('metrics: ')
      ? [{ name: `${name}, ${what}: p95 (ms)`, value: ms, target: '<= 1000' }]
      : [
          { name: `${name}, ${what}: p95`, value: ms, unit: 'ms' },
          { name: `${name}, ${what}: p95 / with 100,000 lines`, value: ms / few[what]!, target: '<= 2' },
        ],
  );

/** The times at which the service accepted orders between two moments of its clock, in ms. */
const acceptedBetween = async (pool: pg.Pool, from: Date, to: Date): Promise<number[]> => {
  const { rows } = await pool.query<{ ms: number }>(
    `select (extract(epoch from at) * 1000)::float8 as ms from dealer_service.audit
     where endpoint = 'submitOrder' and outcome = 'acted' and at between $1 and $2 order by at`,
    [from, to],
  );
  return rows.map(({ ms }) => ms);
};
const longestGap = (from: Date, to: Date, accepted: readonly number[]): number => {
  const moments = [from.getTime(), ...accepted, to.getTime()];
  return Math.max(...moments.slice(1).map((at, nth) => at - moments[nth]!)) / 1000;
};

/** Keeps enough POs to place, until it is stopped. */
const keepPlacing = (scene: Scene) => {
  let ended = false;
  let files = 0;
  const open = async (): Promise<number> => {
    const { rows } = await scene.pool.query(
      `select (select count(*)::int from cartwright.imports where account = $1 and state = 'taken') * $2::int
         + (select count(*)::int from cartwright.purchase_orders where account = $1
             and state in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying')) as open`,
      [placing, posOfFile],
    );
    return rows[0].open;
  };
  const running = (async () => {
    while (!ended) {
      if ((await open()) < openWanted) {
        files += 1;
        await scene.drop(placing, `PLACE${files}`, posOfFile, linesOfPo);
        // Wait until the file is picked up.
        await sleep(2_000);
      } else await sleep(200);
    }
  })();
  return {
    end: () => {
      ended = true;
      return running;
    },
  };
};

const prune = async (scene: Scene, wanted: number): Promise<Figure[]> => {
  // Otherwise `up` would prune at the same time as the command.
  await scene.pool.query(
    `insert into cartwright.maintenance (task, claimed_until) values ($1, now() + interval '1 day')`,
    [`prune ${old}`],
  );
  const up = await scene.start();
  const work = keepPlacing(scene);
  const isPlacing = async () =>
    (await acceptedBetween(scene.pool, new Date(Date.now() - 2_000), new Date())).length > 0;
  while (!(await isPlacing())) await sleep(200);
  await sleep(5_000);

  const from = new Date();
  await sleep(baselineMs);
  const begun = new Date();
  const args = ['prune', '--yes', '--account', old, '--config', join(scene.folder, 'cartwright.yaml')];
  const pruning = forkMeasured(builtCartwright, args, {
    DATABASE_URL: scene.databaseUrl,
    REDIS_URL: '',
    ...dealers.env,
  });
  const code = await pruning.ended();
  const ended = new Date();
  await work.end();
  await up.end('SIGTERM');
  const { rows } = await scene.pool.query(
    'select count(*)::float8 as n from cartwright.lines where import_id in (select id from cartwright.imports where account = $1)',
    [old],
  );
  const before = await acceptedBetween(scene.pool, from, begun);
  const during = await acceptedBetween(scene.pool, begun, ended);
  const name = `removing ${wanted.toLocaleString('en-US')} lines`;
  return [
    { name: `${name}: exit code`, value: code ?? -1, target: '= 0' },
    { name: `${name}: lines left`, value: rows[0].n, target: '= 0' },
    { name, value: (ended.getTime() - begun.getTime()) / 1000, unit: 's' },
    {
      name: `${name}: longest time between two orders (s)`,
      value: longestGap(begun, ended, during),
      target: '<= 1',
    },
    { name: 'the same without it', value: longestGap(from, begun, before), unit: 's' },
    {
      name: `${name}: orders per second`,
      value: during.length / ((ended.getTime() - begun.getTime()) / 1000),
    },
    { name: 'the same without it', value: before.length / (baselineMs / 1000) },
  ];
};

/** How long `cartwright prune` takes to find that an account in a large ledger has nothing to remove. */
const findNothing = async (scene: Scene, account: string): Promise<Figure> => {
  const args = [
    'prune',
    '--dry-run',
    '--account',
    account,
    '--config',
    join(scene.folder, 'cartwright.yaml'),
  ];
  const startedAt = performance.now();
  await forkMeasured(builtCartwright, args, {
    DATABASE_URL: scene.databaseUrl,
    REDIS_URL: '',
    ...dealers.env,
  }).ended();
  return { name: `prune --dry-run of ${account}`, value: (performance.now() - startedAt) / 1000, unit: 's' };
};

export const run = async ({ only }: { only?: string } = {}): Promise<Figure[]> => {
  const lines = Number(only ?? 10_000_000);
  const pruned = lines / 10;
  const small = Math.min(100_000, lines / 10);
  const accounts = [placing, old, ...others];
  const scene = await startScene({
    queue: 'postgres',
    services: { one: { poolSize: 20, dealers: dealers.dealers } },
    accounts: ({ one }) => dealers.accounts(one!),
    env: dealers.env,
  });
  if (!scene) throw new Error('The queue on Postgres needs no other server.');
  const pool = createPool(scene.databaseUrl, { max: 4, logger: silentLogger });
  const place = { pool, account: placing, accounts, folder: scene.folder };
  const fill = async (account: string, ofLines: number, ageDays: number): Promise<void> => {
    const imports = Math.max(1, Math.round(ofLines / linesOfImport));
    await fillLedger(pool, { account, imports, posOfImport, linesOfPo, ageDays });
  };
  try {
    await assertSpace(scene.folder, lines);
    await migrateLedger(pool);
    await fill(placing, small, 100);
    await settle(pool);
    const few = await timeStatements(place, rounds);
    // A fifth of the POs belongs to the measured account, so that it is large itself.
    await fill(placing, lines / 5 - small, 100);
    await fill(old, pruned, 1200);
    for (const account of others) await fill(account, (lines * 0.7) / others.length, 100);
    await settle(pool);
    const many = await timeStatements(place, rounds);
    const { rows } = await pool.query(
      `select (select count(*)::float8 from lines) as lines,
         (select sum(pg_total_relation_size(relid))::float8 from pg_stat_user_tables where schemaname = 'cartwright') as bytes`,
    );
    const { lines: counted, bytes } = rows[0];
    return [
      { name: 'lines', value: counted },
      { name: 'size of the ledger', value: bytes / 1024 ** 3, unit: 'GB' },
      ...compare(few, many, `${lines.toLocaleString('en-US')} lines`),
      ...(await prune(scene, pruned)),
      await findNothing(scene, placing),
    ];
  } finally {
    await pool.end();
    await scene.stop();
  }
};

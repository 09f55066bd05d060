import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Figure } from './support/figures.ts';
import { type Scene, startScene } from './support/scene.ts';
import type { QueueKind } from './support/system.ts';

const lines = 5;
const inFlight = 32;
const limitMs = 200_000;
/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** The numbers of /proc/PID/stat after the program's name; undefined if there is no such process. */
const readStat = async (pid: string | number): Promise<number[] | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text
    ?.slice(text.lastIndexOf(')') + 4)
    .split(' ')
    .map(Number);
};

/** CPU time of a Postgres server with all its processes, in ms; undefined on other systems than Linux. */
const postgresCpuMs = async (pool: pg.Pool): Promise<number | undefined> => {
  const { rows } = await pool.query('show data_directory');
  const pid = (await readFile(join(rows[0].data_directory, 'postmaster.pid'), 'utf8')).split('\n')[0]!;
  const own = await readStat(pid);
  if (!own) return undefined;
  // utime, stime, and those of the children that have ended.
  let ticks = own.slice(10, 14).reduce((sum, value) => sum + value, 0);
  for (const each of await readdir('/proc')) {
    if (!/^\d+$/.test(each)) continue;
    const stat = await readStat(each);
    if (stat?.[0] === Number(pid)) ticks += stat[10]! + stat[11]!;
  }
  return ticks * tickMs;
};

interface Meter {
  workerMs: number;
  postgresMs: number | undefined;
  commits: number;
  walBytes: number;
  redisMs: number;
  redisCommands: number;
}

const readMeter = async (scene: Scene, workerMs: number, redis: Redis | undefined): Promise<Meter> => {
  const { rows } = await scene.pool.query(
    `select sum(xact_commit)::float8 as commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal
     from pg_stat_database`,
  );
  const info = (await redis?.info()) ?? '';
  const field = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0);
  return {
    workerMs,
    postgresMs: await postgresCpuMs(scene.pool),
    commits: rows[0].commits,
    walBytes: rows[0].wal,
    redisMs: (field('used_cpu_user') + field('used_cpu_sys')) * 1000,
    redisCommands: field('total_commands_processed'),
  };
};

/** The average cost of one PO, with the ledger in a separate Postgres. */
const costOf = async (queue: QueueKind, pos: number): Promise<Figure[]> => {
  const scene = await startScene({
    queue,
    services: { service: { latencyMs: 20, poolSize: 20 } },
    accounts: ({ service }) => ({ default: { baseUrl: service, inFlight } }),
    ownPostgres: true,
  });
  const name = `a PO of ${lines} lines, queue on ${queue}`;
  if (!scene) return [{ name, value: 'skipped: this machine has no redis-server' }];
  const redis = scene.redisUrl === undefined ? undefined : new Redis(scene.redisUrl);
  try {
    const up = await scene.start();
    await scene.drop('default', 'WARM', 50, lines);
    await scene.untilPlaced('WARM', limitMs);
    await sleep(2_000);
    const sizesBefore = await readSizes(scene.pool);
    const before = await readMeter(scene, up.cpuMs(), redis);
    await scene.services.service!.seen();
    await scene.drop('default', 'COST', pos, lines);
    const { wallMs, ordered } = await scene.untilPlaced('COST', limitMs);
    if (wallMs === undefined)
      return [{ name, value: `not done after ${limitMs / 1000} s (${ordered} of ${pos} ordered)` }];
    // Statistics are written within a second after a transaction.
    await sleep(1_500);
    const { calls } = await scene.services.service!.seen();
    const after = await readMeter(scene, up.cpuMs(), redis);
    const sizes = await readSizes(scene.pool);
    const each = (what: keyof Meter) => ((after[what] ?? 0) - (before[what] ?? 0)) / pos;
    return [
      { name: `${name}: calls`, value: calls / pos },
      { name: `${name}: POs per second`, value: pos / (wallMs / 1000) },
      { name: `${name}: worker CPU`, value: each('workerMs'), unit: 'ms' },
      ...(after.postgresMs === undefined
        ? []
        : [{ name: `${name}: Postgres CPU`, value: each('postgresMs'), unit: 'ms' }]),
      { name: `${name}: commits in Postgres`, value: each('commits') },
      { name: `${name}: write-ahead log (kB)`, value: each('walBytes') / 1024 },
      ...(redis
        ? [
            { name: `${name}: Redis CPU`, value: each('redisMs'), unit: 'ms' },
            { name: `${name}: Redis commands`, value: each('redisCommands') },
          ]
        : []),
      { name: `${name}: rows in the ledger`, value: (sizes.rows - sizesBefore.rows) / pos },
      { name: `${name}: bytes in the ledger`, value: Math.round((sizes.bytes - sizesBefore.bytes) / pos) },
    ];
  } finally {
    redis?.disconnect();
    await scene.stop();
  }
};

/** Rows and bytes of all tables of the ledger, with their indexes. */
const readSizes = async (pool: pg.Pool): Promise<{ rows: number; bytes: number }> => {
  const { rows: tables } = await pool.query<{ name: string; bytes: number }>(
    `select quote_ident(relname) as name, pg_total_relation_size(oid)::float8 as bytes
     from pg_class where relnamespace = 'cartwright'::regnamespace and relkind = 'r'`,
  );
  let rows = 0;
  for (const { name } of tables) {
    const counted = await pool.query(`select count(*)::int as n from cartwright.${name}`);
    rows += counted.rows[0].n;
  }
  return { rows, bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0) };
};

const commitSeconds = 5;

/** The rate of durable commits of one small row in this machine's Postgres, over this many connections. */
const commitsPerSecond = async (connections: number): Promise<Figure> => {
  const scene = (await startScene({ queue: 'postgres', services: {}, accounts: () => ({}) }))!;
  const pool = new pg.Pool({ connectionString: scene.databaseUrl, max: connections });
  try {
    await pool.query('create table commits (id bigint generated always as identity primary key, po text)');
    const end = performance.now() + commitSeconds * 1000;
    let count = 0;
    const one = async (): Promise<void> => {
      while (performance.now() < end) {
        await pool.query({ name: 'commit', text: 'insert into commits (po) values ($1)', values: ['PO-1'] });
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, one));
    return { name: `commits per second with ${connections} connections`, value: count / commitSeconds };
  } finally {
    await pool.end();
    await scene.stop();
  }
};

/**
 * The cost of one PO for worker, Postgres and Redis, and its size in the ledger: the figures of docs/scaling.md.
 *
 * @param options.only one of redis, postgres, commits
 */
export const run = async (options: { pos?: number; only?: string } = {}): Promise<Figure[]> => {
  const { pos = 2_000, only } = options;
  const figures: Figure[] = [];
  for (const queue of ['redis', 'postgres'] as const)
    if (only === undefined || only === queue) figures.push(...(await costOf(queue, pos)));
  if (only === undefined || only === 'commits')
    figures.push(await commitsPerSecond(1), await commitsPerSecond(16));
  return figures;
};

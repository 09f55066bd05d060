import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { createLogger } from '../../src/logger.ts';
import { openRuntime, type Runtime } from '../../src/worker/open-runtime.ts';
import { startRedis } from '../../test/support/redis.ts';
import { startBenchPostgres } from './postgres.ts';

export type QueueKind = 'postgres' | 'redis';

/** A complete system for a benchmark, with its own databases, service and folder. */
export interface BenchSystem {
  folder: string;
  databaseUrl: string;
  redisUrl: string | undefined;
  config: Config;
  openRuntime(): Promise<Runtime>;
  stop(): Promise<void>;
}

const sibling = (name: string): string =>
  fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url));

/** Forks a file of this folder; compiled if this process is. */
export const forkSibling = (name: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  fork(sibling(name), args, { execArgv: process.execArgv, env: { ...process.env, ...env } });

/**
 * Starts the built-in Postgres, the service in its own process and, if the queue needs it, a redis-server.
 * Undefined if the queue is Redis and the machine has no redis-server.
 */
export const startSystem = async (options: {
  queue: QueueKind;
  service?: object;
  account?: object;
  worker?: Partial<Config['worker']>;
}): Promise<BenchSystem | undefined> => {
  const redis = options.queue === 'redis' ? await startRedis() : undefined;
  if (options.queue === 'redis' && !redis) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-bench-'));
  // As root, the database runs as another user, who must be able to enter the folder.
  await mkdir(join(folder, 'data'), { mode: 0o755 });
  await import('node:fs/promises').then(({ chmod }) => chmod(folder, 0o711));
  const logger = createLogger({ level: 'error', readable: true });
  const postgres = await startBenchPostgres(join(folder, 'data'));
  const service = forkSibling('service-process', [postgres.url, JSON.stringify(options.service ?? {})]);
  const [serviceUrl] = (await once(service, 'message')) as [string];

  const file = join(folder, 'cartwright.yaml');
  const settings = {
    dataFolder: join(folder, 'data'),
    log: { level: 'error' },
    accounts: { default: { baseUrl: serviceUrl, inFlight: 32, ...options.account } },
  };
  await writeFile(file, JSON.stringify(settings));
  const env = { DATABASE_URL: postgres.url, ...(redis ? { REDIS_URL: redis.url } : {}) };
  const read = loadConfig({ file }, env);
  const config = { ...read, worker: { ...read.worker, placesAtOnce: 48, ...options.worker } };
  return {
    folder,
    databaseUrl: postgres.url,
    redisUrl: redis?.url,
    config,
    openRuntime: () => openRuntime({ config, logger }),
    stop: async () => {
      const ended = once(service, 'exit');
      service.disconnect();
      await ended;
      await postgres.stop();
      await redis?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Writes a purchase file of `pos` POs with `lines` lines each. */
export const writePurchaseFile = async (path: string, pos: number, lines: number): Promise<void> => {
  const rows = ['po_number,item_sku,quantity'];
  for (let po = 1; po <= pos; po += 1) {
    for (let line = 1; line <= lines; line += 1)
      rows.push(`BENCH-${po},SKU-${(po * 7 + line * 13) % 997}-${line},${line}`);
  }
  await writeFile(path, `${rows.join('\n')}\n`);
};

/** Waits until no PO has a next step; returns the number of POs in each state. */
export const untilSettled = async (runtime: Runtime): Promise<Record<string, number>> => {
  const { pool } = runtime.ledger;
  for (;;) {
    const { rows } = await pool.query('select state, count(*)::int as n from purchase_orders group by state');
    const states: Record<string, number> = Object.fromEntries(rows.map((row) => [row.state, row.n]));
    const active = ['ready', 'cart_created', 'items_added', 'submitting', 'verifying'];
    if (rows.length > 0 && active.every((state) => !states[state])) return states;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};

import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { silentLogger } from '../../src/logger.ts';
import { type ListeningService, listenService } from '../../src/service/listen-service.ts';
import { startExchanges } from '../../src/worker/exchange-files.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../../src/worker/open-runtime.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { watchFolders } from '../../src/worker/watch-folders.ts';
import type { Quantities } from './judge.ts';
import { serviceConfigFor } from './service-config.ts';
import { spawnWorker, type WorkerProcess } from './spawn-worker.ts';
import type { WorkerOrder } from './worker-process.ts';

/** A service on loopback in this process; its orders do not progress. */
export const startService = (database: string | pg.Pool, config: object = {}): Promise<ListeningService> =>
  listenService({
    config: serviceConfigFor({ port: 0, clockSpeed: 0, ...config }),
    logger: silentLogger,
    ...(typeof database === 'string' ? { databaseUrl: database } : { pool: database }),
  });

export interface SystemOptions {
  /** The ledger's Postgres. */
  ledgerUrl: string;
  /** The workers use the built-in Postgres in the data folder. */
  builtIn?: boolean;
  /** Undefined: the queue is in the ledger's Postgres. */
  redisUrl?: string | undefined;
  /** As in the configuration file, except that a token is passed in the environment. */
  accounts: Record<string, { baseUrl: string; token?: string | undefined } & Record<string, unknown>>;
  /** Times and limits of its workers; `leaseMs` is 3 s and `sweepEveryMs` 1 s if not set. */
  worker?: Partial<Config['worker']>;
  /** For its workers in other processes; default: the product's. */
  deniedPauseMs?: number;
  console?: Record<string, unknown>;
  /** An existing data folder, which the caller removes. */
  folder?: string;
}

export interface System {
  folder: string;
  config: Runtime['config'];
  /** The ledger, for the test's queries. */
  ledger: pg.Pool;
  /** A worker and a watcher in this process. */
  work(checkpoint?: RuntimeOptions['checkpoint']): Promise<{ runtime: Runtime; stop(): Promise<void> }>;
  /** `program`: a worker of another version. */
  spawn(
    order?: Partial<Omit<WorkerOrder, 'file' | 'times' | 'deniedPauseMs'>>,
    program?: string,
  ): Promise<WorkerProcess>;
  /** Puts a complete file into an account's inbox atomically. */
  drop(account: string, name: string, content: string): Promise<void>;
  /** Resolves when the ledger has read this many files and none of its POs has a next step. */
  settled(imports: number, limitMs?: number): Promise<void>;
  /** The content of the ledger, for the message of a test that times out. */
  describe(): Promise<string>;
  /** Stops everything that this process has started, and removes the folder that it created. Idempotent. */
  stop(): Promise<void>;
}

/** Polls a condition. @throws with the text of `describe` when it is not met in time */
export const until = async (
  condition: () => Promise<boolean>,
  { limitMs = 240_000, everyMs = 150, describe = async () => '' } = {},
): Promise<void> => {
  const giveUpAt = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt)
      throw new Error(`the condition was not met within ${limitMs} ms: ${await describe()}`);
    await sleep(everyMs);
  }
};

/** A purchase file of these POs, one row for each line. */
export const fileOf = (pos: ReadonlyMap<string, Quantities>): string => {
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [...pos].flatMap(([poNumber, quantities]) =>
    Object.entries(quantities).map(([sku, quantity]) => `${quote(poNumber)},${sku},${quantity}`),
  );
  return `po_number,item_sku,quantity\n${rows.join('\n')}\n`;
};

/** POs named with a prefix, one to three lines each; determined by the seed. */
export const somePos = (prefix: string, count: number, seed = 1): Map<string, Quantities> =>
  new Map(
    Array.from({ length: count }, (_, at) => {
      const lines = 1 + ((at + seed) % 3);
      const quantities = Array.from({ length: lines }, (_, line): [string, number] => [
        `SKU-${(at * 7 + line * 31 + seed) % 97}-${line}`,
        1 + ((at * 3 + line * 5 + seed) % 9),
      ]);
      return [`${prefix}${at + 1}`, Object.fromEntries(quantities)];
    }),
  );

const stateOf = async (ledger: pg.Pool): Promise<string> => {
  const { rows } = await ledger.query(
    `select (select json_object_agg(state, n) from (select state, count(*) n from imports group by 1) i) as imports,
       (select json_object_agg(state, n) from (select state || coalesce(' ' || reason_code, '') as state, count(*) n
          from purchase_orders group by 1) p) as pos,
       (select json_agg(json_build_object('account', account, 'po', po_number, 'state', state, 'lease', lease_until,
            'next', next_at, 'run', run, 'dispatch', dispatch, 'quote', quote_only))
          -- Of each account the first ones: one account may wait as it should.
          from (select *, row_number() over (partition by account order by id) as nth from purchase_orders
            where state in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying')) a where nth <= 3) as waiting,
       (select json_agg(json_build_object('account', account, 'until', paused_until, 'code', pause_code)) from account_states
          where pause_code is not null) as pauses,
       clock_timestamp() as now`,
  );
  return JSON.stringify(rows[0]);
};

/**
 * A complete Cartwright for a test: configuration, folders, the given ledger, and real workers in this or other processes.
 */
export const createSystem = async (options: SystemOptions): Promise<System> => {
  const { ledgerUrl, redisUrl, builtIn = false } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'cartwright-system-')));
  await chmod(folder, 0o711);
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH };
  if (!builtIn) env.DATABASE_URL = ledgerUrl;
  if (redisUrl !== undefined) env.REDIS_URL = redisUrl;
  const accounts = Object.entries(options.accounts).map(([name, { token, ...settings }], at) => {
    if (token === undefined) return [name, { fileSettle: '100ms', ...settings }];
    env[`TOKEN_${at}`] = token;
    return [name, { fileSettle: '100ms', auth: { kind: 'bearer', secretEnv: `TOKEN_${at}` }, ...settings }];
  });
  const times = { leaseMs: 3_000, sweepEveryMs: 1_000, drainMs: 10_000, ...options.worker };
  const file = join(folder, 'cartwright.yaml');
  await writeFile(
    file,
    JSON.stringify({
      dataFolder: folder,
      log: { level: process.env.TEST_LOG_LEVEL ?? 'silent' },
      accounts: Object.fromEntries(accounts),
      ...(options.console ? { console: options.console } : {}),
      worker: { lease: `${times.leaseMs}ms` },
    }),
  );
  const read = loadConfig({ file }, env);
  const config = { ...read, worker: { ...read.worker, ...times } };
  const ledger = new pg.Pool({ connectionString: ledgerUrl, max: 3, options: '-c search_path=cartwright' });
  ledger.on('error', () => {});
  const closers: (() => Promise<unknown>)[] = [];
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    for (const close of closers.reverse()) await close();
    await ledger.end();
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  };
  return {
    folder,
    config,
    ledger,
    work: async (checkpoint) => {
      const runtime = await openRuntime({
        config,
        logger: silentLogger,
        ...(checkpoint ? { checkpoint } : {}),
      });
      closers.push(() => runtime.stop());
      const worker = await startWorker(runtime);
      const watching = await watchFolders(runtime.accounts.all, {
        enqueue: runtime.queues.enqueue,
        logger: silentLogger,
      });
      const exchanges = startExchanges(runtime.accounts.all, {
        ...{ pool: runtime.ledger.pool, workerId: runtime.workerId, logger: silentLogger, checkpoint },
        leaseMs: config.worker.leaseMs,
        enqueue: runtime.queues.enqueue,
      });
      const end = async () => {
        await exchanges.stop();
        await watching.stop();
        await worker.stop();
        await runtime.stop();
      };
      closers.push(end);
      return { runtime, stop: end };
    },
    spawn: async (order = {}, program) => {
      const worker = await spawnWorker(
        { file, times, deniedPauseMs: options.deniedPauseMs, roles: ['work', 'watch'], ...order },
        env,
        program,
      );
      closers.push(worker.kill);
      return worker;
    },
    drop: async (account, name, content) => {
      const inbox = join(config.accounts.find((one) => one.name === account)!.folder, 'inbox');
      await mkdir(inbox, { recursive: true });
      await writeFile(join(folder, `.${name}`), content);
      await rename(join(folder, `.${name}`), join(inbox, name));
    },
    settled: (imports, limitMs = 240_000) =>
      until(
        async () => {
          const asked = ledger.query<{ read: number; open: number }>(
            `select (select count(*)::int from imports where state <> 'taken') as read,
               (select count(*)::int from imports where state = 'taken')
                 + (select count(*)::int from purchase_orders where state in
                     ('ready', 'cart_created', 'items_added', 'submitting', 'verifying')) as open`,
          );
          // An unreachable ledger counts as not settled.
          const { rows } = await asked.catch(() => ({ rows: [{ read: 0, open: 0 }] }));
          return rows[0]!.read >= imports && rows[0]!.open === 0;
        },
        { limitMs, describe: () => stateOf(ledger) },
      ),
    describe: () => stateOf(ledger),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { JobDeps } from '../dispatch/next-work.ts';
import { UserError } from '../errors.ts';
import { placeOf } from '../ledger/database-address.ts';
import { wantKinds } from '../ledger/notifications.ts';
import { createPool } from '../ledger/pool.ts';
import { readLedgerId, readQueueName } from '../ledger/queue-name.ts';
import type { Logger } from '../logger.ts';
import { wantedKinds } from '../notify/gather.ts';
import type { Checkpoint } from '../placing/placing-run.ts';
import { createReasonLog } from '../placing/reason-log.ts';
import { queueSchema } from '../queue/backend.ts';
import { createQueues, type Queues } from '../queue/create-queues.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import type { Tracing } from '../tracing/trace.ts';
import { createJobDeps } from './job-deps.ts';
import { type OpenAccounts, openAccounts } from './open-accounts.ts';
import { type OpenLedger, openLedger } from './open-ledger.ts';
import type { FileCheckpoint } from './read-import.ts';
import { createAbandonedLeases } from './take-over.ts';
import { createOpenCheck, createWindows, type Windows } from './windows.ts';

export interface Runtime {
  config: Config;
  logger: Logger;
  ledger: OpenLedger;
  accounts: OpenAccounts;
  windows: Windows;
  queues: Queues;
  jobs: JobDeps;
  /** Request timeout plus settle of the slowest account: how long a takeover waits beyond the lease (rule 10). */
  graceMs: number;
  /** Whether this process places POs and polls. */
  places: boolean;
  /** Names this process as a worker; prefix of its lease owners. */
  workerId: string;
  /** Waits up to `drainMs` for running jobs, then closes everything. Idempotent. */
  stop(drainMs?: number): Promise<void>;
}

export interface RuntimeOptions {
  config: Config;
  logger: Logger;
  /** Whether this process places POs and polls; default true. */
  places?: boolean;
  /** Whether it creates an account's first folder; default: every account's. */
  mayCreateFolder?: (account: string) => boolean;
  /** Called with the number of rows read so far. */
  onImportProgress?: ((importId: string, rows: number) => void) | undefined;
  /** Called with a sentence for people while the start waits for another host; default: the log. */
  tell?: ((sentence: string) => void) | undefined;
  /** For tests: moments at which a process is stopped. */
  checkpoint?: (name: Checkpoint | FileCheckpoint, about: string) => Promise<void>;
}

// Placing keeps one connection for each job that writes; the rest is for intake, reports and the sweep.
const ledgerConnections = 24;
const queueConnections = 24;

type Close = () => Promise<void> | void;

/** The queue on Redis or, without REDIS_URL, in a schema of the ledger's own Postgres. */
const openQueues = async (
  { config, logger }: RuntimeOptions,
  ledger: OpenLedger,
  { traceOf }: Tracing,
  closeAtEnd: (close: Close) => void,
): Promise<Queues> => {
  if (config.redisUrl !== undefined) {
    return createQueues({
      backend: { kind: 'redis', url: config.redisUrl },
      logger,
      traceOf,
      // Several installations can share one Redis.
      prefix: await readQueueName(ledger.pool),
    });
  }
  if (ledger.access === 'transaction pooler') {
    throw new UserError(
      'queue_unsupported',
      `The job queue cannot use the database at ${placeOf(ledger.url)} through PgBouncer in transaction mode, because LISTEN does not work there. Set REDIS_URL, or a DATABASE_URL that leads directly to Postgres.`,
    );
  }
  // Not durable: if the database crashes, the sweep re-enqueues the lost jobs from the ledger.
  const pool = createPool(ledger.url, {
    max: queueConnections,
    logger,
    searchPath: queueSchema,
    durable: false,
  });
  closeAtEnd(() => pool.end());
  return createQueues({ backend: { kind: 'postgres', pool }, logger, traceOf });
};

/**
 * Opens everything that jobs need: the ledger, the queue, the accounts and their clients. No job runs yet.
 *
 * @throws UserError with a sentence about what cannot be reached or is configured wrongly; nothing stays open then
 */
export const openRuntime = async (options: RuntimeOptions): Promise<Runtime> => {
  const { logger, tell, onImportProgress, checkpoint, places = true, mayCreateFolder } = options;
  let currentAccounts = () => options.config.accounts;
  const config: Config = {
    ...options.config,
    // A reload changes settings of accounts, and replaces `backup` and `retention`.
    get accounts() {
      return currentAccounts();
    },
  };
  const closers: Close[] = [];
  let stopped: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    for (const close of closers.reverse()) await close();
  };

  try {
    const ledger = await openLedger({ config, logger, connections: ledgerConnections, tell });
    closers.push(() => ledger.stop());
    const { pool } = ledger;
    // Events of other kinds are not recorded, so this comes before the first one.
    await wantKinds(pool, wantedKinds(config.notifications.routes));
    const tracing = await startTracing(config.tracing, logger, () => readLedgerId(pool));
    closers.push(() => tracing.stop());
    const workerId = randomUUID();
    const windows = createWindows(
      config,
      createOpenCheck(() => config.accounts),
    );
    const accounts = openAccounts(config, pool, logger, workerId, {
      places,
      trace: tracing.trace,
      ...(mayCreateFolder ? { mayCreateFolder } : {}),
    });
    currentAccounts = () => accounts.all.map(({ account }) => account);
    closers.push(() => accounts.stop());
    await accounts.checkFolders();
    const queues = await openQueues(options, ledger, tracing, (close) => void closers.push(close));
    const reasonLog = createReasonLog(logger);
    closers.push(() => reasonLog.stop());

    const graceMs = Math.max(
      0,
      ...config.accounts.map(({ placing }) => placing.requestTimeoutMs + placing.settleMs),
    );
    const jobs = createJobDeps({
      config,
      logger,
      pool,
      accounts,
      windows,
      queues,
      reasonLog,
      graceMs,
      workerId,
      trace: tracing.trace,
      abandoned: (owner) => abandoned.add(owner),
      isStopping: () => stopped !== undefined,
      onImportProgress,
      checkpoint,
    });
    const abandoned = createAbandonedLeases({ config, jobs, graceMs, ledger });
    closers.push(() => abandoned.stop());
    return {
      config,
      logger,
      ledger,
      accounts,
      windows,
      queues,
      jobs,
      graceMs,
      places,
      workerId,
      stop: (drainMs) => {
        stopped ??= queues.stop(drainMs).then(closeAll);
        return stopped;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
};

import type { Config } from '../config-schema.ts';
import { createPool } from '../ledger/pool.ts';
import { createPlacingLedger } from '../ledger/purchase-orders.ts';
import { readQueueName } from '../ledger/queue-name.ts';
import { createResultRegister } from '../ledger/report-rows.ts';
import { createStatusLedger } from '../ledger/status-report-rows.ts';
import { createTrackingLedger } from '../ledger/tracking.ts';
import {
  accountOfImport,
  createFinishedCheck,
  deferRun,
  findFreeRun,
  listFinishedImports,
  listWorkOfImport,
} from '../ledger/work.ts';
import { isServed } from '../ledger/workers.ts';
import type { Logger } from '../logger.ts';
import type { Checkpoint } from '../placing/advance.ts';
import { systemClock } from '../placing/lease.ts';
import { createReasonLog } from '../placing/reason-log.ts';
import { queueSchema } from '../queue/backend.ts';
import { createQueues, type Queues } from '../queue/create-queues.ts';
import type { JobDeps } from '../queue/next-work.ts';
import { writeResultFile } from '../reports/result-file.ts';
import { dayIn, writeStatusReport } from '../reports/status-report.ts';
import { type OpenAccounts, openAccounts } from './open-accounts.ts';
import { type OpenLedger, openLedger } from './open-ledger.ts';
import { type FileCheckpoint, readImport } from './read-import.ts';
import { takeFiles } from './watch-folders.ts';

export interface Runtime {
  config: Config;
  logger: Logger;
  ledger: OpenLedger;
  accounts: OpenAccounts;
  queues: Queues;
  /** What the jobs are handed. */
  jobs: JobDeps;
  /** Request timeout plus settle of the slowest account: what a takeover waits beyond the lease (rule 10). */
  graceMs: number;
  /** Drains running jobs for so long, then closes everything. Idempotent. */
  stop(drainMs?: number): Promise<void>;
}

export interface RuntimeOptions {
  config: Config;
  logger: Logger;
  /** Hears how far the reading of a file is. */
  onImportProgress?: ((importId: string, rows: number) => void) | undefined;
  /** Called with a sentence for people while the start waits for another host; default: the log. */
  tell?: ((sentence: string) => void) | undefined;
  /** For tests: moments at which a process is stopped. */
  checkpoint?: (name: Checkpoint | FileCheckpoint, about: string) => Promise<void>;
}

// Placing keeps one connection for each job that writes; the rest is for intake, reports and the sweep.
const ledgerConnections = 24;
const queueConnections = 24;

/**
 * Opens everything that work needs: the ledger, the queue on Redis or on the ledger's own Postgres, the
 * accounts and their clients. Nothing is worked on yet.
 *
 * @throws UserError in a sentence for what cannot be reached or is configured wrongly; nothing is left open then
 */
export const openRuntime = async (options: RuntimeOptions): Promise<Runtime> => {
  const { config, logger, checkpoint } = options;
  const closers: (() => Promise<void> | void)[] = [];
  let stopped: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    for (const close of closers.reverse()) await close();
  };

  try {
    const ledger = await openLedger({ config, logger, connections: ledgerConnections, tell: options.tell });
    closers.push(() => ledger.stop());
    const { pool } = ledger;
    const accounts = openAccounts(config, pool, logger);
    closers.push(() => accounts.stop());

    const queuePool =
      config.redisUrl === undefined
        ? createPool(ledger.url, {
            max: queueConnections,
            logger,
            searchPath: queueSchema,
            // What a crash of the database takes from the queue, the sweep brings back out of the ledger.
            durable: false,
          })
        : undefined;
    if (queuePool) closers.push(() => queuePool.end());
    const queues = await createQueues({
      backend: queuePool ? { kind: 'postgres', pool: queuePool } : { kind: 'redis', url: config.redisUrl! },
      logger,
      // A Postgres has nobody else's queue in it: the queue stands in the ledger's own database.
      ...(queuePool ? {} : { prefix: await readQueueName(pool) }),
    });

    const reasonLog = createReasonLog(logger);
    closers.push(() => reasonLog.stop());
    const slowest = Math.max(
      0,
      ...config.accounts.map(({ placing }) => placing.requestTimeoutMs + placing.settleMs),
    );
    const trackingLedger = createTrackingLedger(pool);
    const resultRegister = createResultRegister(pool);
    const statusLedger = createStatusLedger(pool);
    const jobs: JobDeps = {
      serves: (what, account) => accounts.serving()[what].includes(account),
      isServed: (what, account) => isServed(pool, what, account),
      accountOfImport: (importId) => accountOfImport(pool, importId),
      placing: {
        ledger: createPlacingLedger(pool),
        accounts: () => accounts.serving().places,
        apiOf: (name) => accounts.get(name).api(),
        rulesOf: (name) => accounts.get(name).account.placing,
        leaseMs: config.worker.lease,
        graceMs: slowest,
        logger,
        reasonLog,
        clock: systemClock,
        stopping: () => stopped !== undefined,
        ...(checkpoint ? { checkpoint } : {}),
      },
      work: {
        deferRun: (id) => deferRun(pool, id, slowest),
        findFreeRun: (id) => findFreeRun(pool, id, slowest),
        listWorkOfImport: (importId, page) => listWorkOfImport(pool, importId, page),
        finishedImportsOf: createFinishedCheck(pool),
        listFinishedImports: (limit) => listFinishedImports(pool, limit, accounts.serving().reads),
      },
      trackingOf: (name) => {
        const found = accounts.all.find(({ account }) => account.name === name);
        if (!found || found.serviceTrouble) return undefined;
        const { finalStatuses, closeUnchangedAfter, placing } = found.account;
        return {
          ledger: trackingLedger,
          api: found.api(),
          rules: { finalStatuses, unchangedMs: closeUnchangedAfter },
          placing,
          logger,
          now: () => new Date(),
        };
      },
      importFile: (importId) =>
        readImport({ pool, accounts, logger, checkpoint, onProgress: options.onImportProgress }, importId),
      takeFiles: (name) =>
        takeFiles(accounts.get(name), { enqueue: (found) => queues.enqueue(found), logger }),
      writeResult: async (importId) => {
        await writeResultFile({
          importId,
          register: resultRegister,
          accountOf: (name) => accounts.get(name).account,
          checkpoint: checkpoint && ((fileName) => checkpoint('writing_result', fileName)),
        });
      },
      writeStatusReport: async (name) => {
        const { folder, reportFormats, schedule, access } = accounts.get(name).account;
        const date = dayIn(schedule.timeZone, new Date());
        await writeStatusReport({
          account: name,
          folder,
          ledger: statusLedger,
          formats: reportFormats,
          mode: access.file,
          date,
        });
      },
      enqueue: (newJobs) => queues.enqueue(newJobs),
    };
    return {
      config,
      logger,
      ledger,
      accounts,
      queues,
      jobs,
      graceMs: slowest,
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

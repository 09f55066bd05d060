import { addItems } from '../../jobs/add-items.ts';
import { createCart } from '../../jobs/create-cart.ts';
import { importFile } from '../../jobs/import-file.ts';
import { pollStatus } from '../../jobs/poll-status.ts';
import { submitOrder } from '../../jobs/submit-order.ts';
import { writeReport } from '../../jobs/write-report.ts';
import { enqueueAccount } from '../dispatch/next-work.ts';
import { startSweep } from '../dispatch/sweep.ts';
import { listKnownFolders } from '../ledger/folder-positions.ts';
import { listTakenImports } from '../ledger/imports.ts';
import { countWork, endLapsedLeases, listWork, reviveOverdue } from '../ledger/po/due-work.ts';
import { noteIdleBacklogs } from '../ledger/po/stalled.ts';
import { findBacklogs } from '../ledger/po/windows.ts';
import { readWaiting } from '../ledger/waiting-imports.ts';
import { withLock } from '../ledger/with-lock.ts';
import { findEndedAccounts } from '../ledger/workers.ts';
import { createScheduleKeeper } from '../queue/keep-schedules.ts';
import type { Handlers } from '../queue/start-workers.ts';
import { accountSchedules } from './account-schedules.ts';
import { createQueueHoldCheck } from './check-queue-holds.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startStatistics } from './keep-statistics.ts';
import { startMaintenance } from './maintenance.ts';
import type { Runtime } from './open-runtime.ts';
import { readOwnProcess } from './own-process.ts';
import { recoverFiles } from './recover-files.ts';
import { startBulkRuns } from './run-bulk.ts';
import { createCatchUp } from './scheduled-tasks.ts';
import { startSendingChanges } from './send-changes.ts';
import { startNotifier } from './start-notifier.ts';
import { createTakeOver } from './take-over.ts';
import { writeDueResults } from './write-due-results.ts';

/** How often this worker looks for dead workers of this machine. */
const watchEveryMs = 5000;

export interface RunningWorker {
  /** Whether its own loop works, even if the ledger or a service cannot be reached. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** Accounts whose statuses one process fetches at the same time. */
const pollsAtOnce = 32;

/** Files that one process reads at the same time, each in a transaction on a connection of its own. */
const filesAtOnce = 6;

/**
 * Runs the jobs that this process can serve: placing and polling need only the ledger, files need their account's folder. Sweeps
 * the ledger for work that has no job, keeps the schedules, and sends heartbeats, by which live workers share their slots among
 * the accounts.
 *
 * @returns `stop` ends heartbeats and sweep; the runtime's own `stop` drains the running jobs
 */
export const startWorker = async (runtime: Runtime): Promise<RunningWorker> => {
  const { config, logger, queues, accounts, windows, jobs, graceMs } = runtime;
  const { pool } = runtime.ledger;
  const { placesAtOnce } = config.worker;

  const ownProcess = await readOwnProcess();
  const heartbeat = await startHeartbeat(pool, {
    accounts,
    windows,
    id: runtime.workerId,
    process: ownProcess,
    slots: runtime.places ? placesAtOnce : 0,
  });

  // The settings may have changed, so files with an unknown meaning are read again.
  await readWaiting(pool, accounts.serving().reads);

  const schedules = createScheduleKeeper({
    queues,
    endedAccounts: (names) => findEndedAccounts(pool, names),
    logger,
  });
  const restoreSchedules = () =>
    schedules.restore(accounts.all.flatMap(({ account }) => accountSchedules(account)));
  // Before jobs run, beside which setting hundreds of schedules takes several times as long. The sweep repeats it and logs failures.
  await restoreSchedules().catch(() => {});

  const startJobs = (handlers: Handlers): Promise<void> =>
    queues.startWorkers({
      handlers,
      concurrency: {
        'import-file': filesAtOnce,
        'create-cart': placesAtOnce,
        'add-items': placesAtOnce,
        'submit-order': placesAtOnce,
        'poll-status': pollsAtOnce,
        'write-report': 1,
      },
      lockMs: config.worker.leaseMs,
      stalledEveryMs: config.worker.leaseMs,
    });
  if (runtime.places) {
    await startJobs({
      'create-cart': (data) => createCart(data, jobs),
      'add-items': (data) => addItems(data, jobs),
      'submit-order': (data) => submitOrder(data, jobs),
      'poll-status': (data) => pollStatus(data, jobs),
    });
  }
  let filesStarted = false;
  /** A process without any account's folder would only hand these jobs on. */
  const startFileJobs = async (): Promise<void> => {
    if (filesStarted || accounts.serving().reads.length === 0) return;
    filesStarted = true;
    await startJobs({
      'import-file': (data) => importFile(data, jobs),
      'write-report': (data) => writeReport(data, jobs),
    });
  };
  await startFileJobs();

  const catchUp = createCatchUp({ pool, accounts, enqueue: (missed) => queues.enqueue(missed) });
  const takeOver = createTakeOver(runtime, ownProcess);
  // Also between sweeps: a dead worker's POs and its share of calls must not wait for the next one.
  const watching = setInterval(() => void takeOver().catch(() => {}), watchEveryMs);
  const sweeping = startSweep({
    ledger: {
      countWork: () => countWork(pool, accounts.serving().places),
      listWork: (page) => listWork(pool, page, accounts.serving().places),
      endLapsedLeases: (options) => endLapsedLeases(pool, options, accounts.serving().places),
      reviveOverdue: (page) => reviveOverdue(pool, page, accounts.serving().places),
      findBacklogs: () => findBacklogs(pool, accounts.serving().places),
      noteIdleBacklogs: (names) =>
        noteIdleBacklogs(
          pool,
          names.filter((name) => windows.of(name) > 0),
        ),
      listTakenImports: (limit) => listTakenImports(pool, limit, accounts.serving().reads),
      withSweepLock: (work) => withLock(pool, 'sweep', work),
    },
    jobs,
    liveJobs: () => queues.liveCount(['create-cart', 'add-items', 'submit-order']),
    takeOver,
    checkQueues: createQueueHoldCheck(runtime),
    restoreSchedules: async () => {
      await restoreSchedules();
      await catchUp();
    },
    recoverFiles: async () => {
      // Folders that were fixed since the last sweep are used again.
      await accounts.checkFolders();
      await startFileJobs();
      const known = await listKnownFolders(pool);
      await recoverFiles(accounts.all, (found) => queues.enqueue(found), known);
    },
    everyMs: config.worker.sweepEveryMs,
    graceMs,
    logger,
  });
  const bulkRuns = startBulkRuns({
    pool,
    logger,
    fillAccounts: async (names) => {
      for (const name of names) await enqueueAccount(jobs, name);
    },
    writeDueResults: () => writeDueResults(runtime),
  });

  const notifier = startNotifier({ pool, config, logger, reads: () => accounts.serving().reads });

  const changes = startSendingChanges({
    pool,
    logger,
    webhooks: config.accounts.flatMap(({ webhooks }) => webhooks),
  });
  const maintenance = startMaintenance(runtime);
  const statistics = startStatistics(runtime);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(watching);
    await changes.stop();
    await notifier.stop();
    await maintenance.stop();
    await statistics.stop();
    await bulkRuns.stop();
    await sweeping.stop();
    await heartbeat.stop();
  };
  return {
    isAlive: heartbeat.isBeating,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

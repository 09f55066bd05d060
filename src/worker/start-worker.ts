import { addItems } from '../../jobs/add-items.ts';
import { createCart } from '../../jobs/create-cart.ts';
import { importFile } from '../../jobs/import-file.ts';
import { pollStatus } from '../../jobs/poll-status.ts';
import { submitOrder } from '../../jobs/submit-order.ts';
import { writeReport } from '../../jobs/write-report.ts';
import { startSweep } from '../dispatch/sweep.ts';
import { countWork, listWork, reviveOverdue } from '../ledger/due-work.ts';
import { listTakenImports } from '../ledger/imports.ts';
import { withLock } from '../ledger/with-lock.ts';
import { findEndedAccounts } from '../ledger/workers.ts';
import { createScheduleKeeper } from '../queue/keep-schedules.ts';
import { accountSchedules } from './account-schedules.ts';
import { createQueueHoldCheck } from './check-queue-holds.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Runtime } from './open-runtime.ts';
import { recoverFiles } from './recover-files.ts';

/**
 * Runs jobs, sweeps the ledger for work that has no job, keeps the schedules, and sends heartbeats, by which live
 * workers share the accounts' limits.
 *
 * @returns `stop` ends heartbeats and sweep; the runtime's own `stop` drains the running jobs
 */
export const startWorker = async (runtime: Runtime): Promise<{ stop(): Promise<void> }> => {
  const { config, logger, queues, accounts, jobs, graceMs } = runtime;
  const { pool } = runtime.ledger;
  const { concurrency } = config.worker;

  await accounts.checkFolders();
  const heartbeat = await startHeartbeat(pool, accounts);

  await queues.startWorkers({
    handlers: {
      'import-file': (data) => importFile(data, jobs),
      'create-cart': (data) => createCart(data, jobs),
      'add-items': (data) => addItems(data, jobs),
      'submit-order': (data) => submitOrder(data, jobs),
      'poll-status': (data) => pollStatus(data, jobs),
      'write-report': (data) => writeReport(data, jobs),
    },
    concurrency: {
      'import-file': concurrency.importFile,
      'create-cart': concurrency.createCart,
      'add-items': concurrency.addItems,
      'submit-order': concurrency.submitOrder,
      'poll-status': concurrency.pollStatus,
      'write-report': concurrency.writeReport,
    },
    lockMs: config.worker.leaseMs,
    stalledEveryMs: config.worker.leaseMs,
  });

  const schedules = createScheduleKeeper({
    queues,
    endedAccounts: (names) => findEndedAccounts(pool, names),
    logger,
  });
  const sweeping = startSweep({
    ledger: {
      countWork: () => countWork(pool, accounts.serving().places),
      listWork: (page) => listWork(pool, page, accounts.serving().places),
      reviveOverdue: (page) => reviveOverdue(pool, page, accounts.serving().places),
      listTakenImports: (limit) => listTakenImports(pool, limit, accounts.serving().reads),
      withSweepLock: (work) => withLock(pool, 'sweep', work),
    },
    jobs,
    liveJobs: () => queues.liveCount(['create-cart', 'add-items', 'submit-order']),
    checkQueues: createQueueHoldCheck(runtime),
    restoreSchedules: () =>
      schedules.restore(accounts.all.flatMap(({ account }) => accountSchedules(account))),
    recoverFiles: async () => {
      // Folders that were fixed since the last sweep are used again.
      await accounts.checkFolders();
      await recoverFiles(accounts.all, (found) => queues.enqueue(found));
    },
    everyMs: config.worker.sweepEveryMs,
    graceMs,
    logger,
  });

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await sweeping.stop();
    await heartbeat.stop();
  };
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

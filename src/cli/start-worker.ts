import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { addItems } from '../../jobs/add-items.ts';
import { createCart } from '../../jobs/create-cart.ts';
import { importFile } from '../../jobs/import-file.ts';
import { pollStatus } from '../../jobs/poll-status.ts';
import { submitOrder } from '../../jobs/submit-order.ts';
import { writeReport } from '../../jobs/write-report.ts';
import { listTakenImports } from '../ledger/imports.ts';
import { recordQueueHolds } from '../ledger/queue-holds.ts';
import { withLock } from '../ledger/with-lock.ts';
import { countWork, listWork, reviveOverdue } from '../ledger/work.ts';
import { beat, findEndedAccounts, leave } from '../ledger/workers.ts';
import { createScheduleKeeper } from '../queue/keep-schedules.ts';
import { startSweep } from '../queue/sweep.ts';
import type { Runtime } from './open-runtime.ts';
import { recoverFiles } from './recover-files.ts';
import { schedulesOf } from './schedules-of.ts';

const beatEveryMs = 5000;

/**
 * Works: takes jobs from the queue, sweeps the ledger for what the queue lost, keeps the schedules, and
 * shares the accounts' limits with the other workers that live.
 *
 * @returns `stop` takes nothing new; running jobs are drained by the runtime's own `stop`
 */
export const startWorker = async (runtime: Runtime): Promise<{ stop(): Promise<void> }> => {
  const { config, logger, queues, accounts, jobs, graceMs } = runtime;
  const { pool } = runtime.ledger;
  const { concurrency } = config.worker;
  const self = { id: randomUUID(), host: hostname(), pid: process.pid };

  const showLife = async (): Promise<void> => {
    const live = await beat(pool, { ...self, ...accounts.serving() }).catch(() => undefined);
    if (live !== undefined) for (const account of accounts.all) account.shareAmong(live);
  };
  await accounts.checkFolders();
  await showLife();
  const beating = setInterval(() => void showLife(), beatEveryMs);

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
    lockMs: config.worker.lease,
    stalledEveryMs: config.worker.lease,
  });

  const schedules = createScheduleKeeper({
    queues,
    endedAccounts: (names) => findEndedAccounts(pool, names),
    logger,
  });
  let heldQueues = new Set<string>();
  const checkQueues = async (): Promise<void> => {
    const lift = config.queueView.readOnly;
    const holds = await queues.checkHolds({ lift });
    for (const { queue, what } of holds) {
      if (heldQueues.has(`${queue} ${what}`)) continue;
      const done = lift ? 'it runs again' : 'it is left like that (queueView.readOnly is false)';
      logger.warn({ queue, reason: what }, `the queue was paused or limited by somebody else; ${done}`);
    }
    heldQueues = new Set(lift ? [] : holds.map(({ queue, what }) => `${queue} ${what}`));
    await recordQueueHolds(
      pool,
      holds.map((hold) => ({ ...hold, lifted: lift })),
    );
  };

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
    checkQueues,
    restoreSchedules: () => schedules.restore(accounts.all.flatMap(({ account }) => schedulesOf(account))),
    recoverFiles: async () => {
      // Folders that were fixed meanwhile are served again.
      await accounts.checkFolders();
      await recoverFiles(accounts.all, (found) => queues.enqueue(found));
    },
    everyMs: config.worker.sweepEvery,
    graceMs,
    logger,
  });

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(beating);
    await sweeping.stop();
    await leave(pool, self.id).catch(() => {});
  };
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

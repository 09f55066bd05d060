import type pg from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { NewJob } from '../../src/dispatch/job-schemas.ts';
import type { JobDeps } from '../../src/dispatch/next-work.ts';
import type { SweepDeps } from '../../src/dispatch/sweep.ts';
import { accountOfImport, listTakenImports } from '../../src/ledger/imports.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import {
  countWork,
  deferRun,
  endLapsedLeases,
  findFreeRun,
  listWork,
  reviveOverdue,
} from '../../src/ledger/po/due-work.ts';
import { createFinishedCheck, listFinishedImports } from '../../src/ledger/po/result-due.ts';
import { noteIdleBacklogs } from '../../src/ledger/po/stalled.ts';
import { fillWindow, findBacklogs } from '../../src/ledger/po/windows.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { withLock } from '../../src/ledger/with-lock.ts';
import { silentLogger } from '../../src/logger.ts';
import { createQueues, type Queues } from '../../src/queue/create-queues.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport } from '../support/ledger-rows.ts';
import { openPostgresStore } from './stores.ts';

interface LedgerAndQueue {
  pool: pg.Pool;
  queues: Queues;
  /** The part of the jobs' dependencies that finds the next work. */
  jobs: JobDeps;
  /** All enqueued jobs. */
  enqueued: NewJob[];
  sweepDeps: SweepDeps;
  /** The POs of all jobs that the queue holds. */
  queuedPos(): Promise<string[]>;
  /** Empties both. */
  reset(): Promise<void>;
  end(): Promise<void>;
}

const graceMs = 60_000;
/** Number of POs of an account that may have runnable jobs. */
export const windowSize = 8;
const served = ['default', 'paused'];

/** A ledger and a queue, both on Postgres, without a worker. */
const openLedgerAndQueue = async (): Promise<LedgerAndQueue> => {
  const [database, store] = [await createTestDatabase(), await openPostgresStore()];
  const pool = createPool(database.url, { max: 6, logger: silentLogger });
  await migrateLedger(pool);
  const queues = await createQueues({ backend: store.backend, logger: silentLogger });
  const enqueued: NewJob[] = [];
  const enqueue = async (found: readonly NewJob[]) => {
    enqueued.push(...found);
    await queues.enqueue(found);
  };
  const work: JobDeps['work'] = {
    deferRun: (id) => deferRun(pool, id, { graceMs, windowOf: () => windowSize }),
    findFreeRun: (id) => findFreeRun(pool, id, graceMs),
    fillWindow: (account) => fillWindow(pool, account, windowSize),
    finishedImportsOf: createFinishedCheck(pool),
    listFinishedImports: (limit, account) =>
      listFinishedImports(pool, limit, account === undefined ? served : [account]),
  };
  return {
    pool,
    queues,
    jobs: { work, enqueue, accountOfImport: (id) => accountOfImport(pool, id) } as JobDeps,
    enqueued,
    sweepDeps: {
      ledger: {
        countWork: () => countWork(pool, served),
        listWork: (page) => listWork(pool, page, served),
        endLapsedLeases: (options) => endLapsedLeases(pool, options, served),
        reviveOverdue: (page) => reviveOverdue(pool, page, served),
        findBacklogs: () => findBacklogs(pool, served),
        noteIdleBacklogs: (accounts) => noteIdleBacklogs(pool, accounts),
        listTakenImports: (limit) => listTakenImports(pool, limit, served),
        withSweepLock: (sweeping) => withLock(pool, 'sweep', sweeping),
      },
      jobs: { work, enqueue },
      liveJobs: () => queues.liveCount(['create-cart', 'add-items', 'submit-order']),
      takeOver: async () => {},
      checkQueues: async () => {},
      restoreSchedules: async () => {},
      recoverFiles: async () => {},
      everyMs: 1,
      graceMs,
      logger: silentLogger,
    },
    queuedPos: async () => {
      const jobs = await Promise.all(queues.bullQueues.map((queue) => queue.getJobs()));
      return jobs
        .flat()
        .flatMap((job) => (job.data as { purchaseOrderId?: string }).purchaseOrderId ?? [])
        .toSorted((a, b) => Number(a) - Number(b));
    },
    reset: async () => {
      enqueued.length = 0;
      await pool.query('truncate imports, purchase_orders, account_states cascade');
      for (const queue of queues.bullQueues) await queue.obliterate({ force: true });
    },
    end: async () => {
      await queues.stop(0);
      await store.close();
      await pool.end();
      await database.drop();
    },
  };
};

/** For all tests of a file: a ledger and a queue, which contain only one such import when a test starts. */
export const useLedgerAndQueue = (importRow: Record<string, unknown> = {}) => {
  let open: LedgerAndQueue;
  let importId: string;
  beforeAll(async () => {
    open = await openLedgerAndQueue();
  });
  beforeEach(async () => {
    await open.reset();
    importId = await insertImport(open.pool, importRow);
  });
  afterAll(() => open.end());
  return {
    get importId() {
      return importId;
    },
    get pool() {
      return open.pool;
    },
    get queues() {
      return open.queues;
    },
    get jobs() {
      return open.jobs;
    },
    get enqueued() {
      return open.enqueued;
    },
    get sweepDeps() {
      return open.sweepDeps;
    },
    queuedPos: () => open.queuedPos(),
  };
};

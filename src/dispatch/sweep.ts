import type { UnreadImport } from '../intake/inbox/import-register.ts';
import type { Logger } from '../logger.ts';
import type { DueWork } from '../placing/types.ts';
import { repeat } from '../repeat.ts';
import {
  enqueueAccount,
  enqueueFinished,
  enqueuePages,
  importJob,
  type JobDeps,
  type WorkPage,
} from './next-work.ts';

/** The part of the ledger for the sweep. */
export interface SweepLedger {
  countWork(): Promise<number>;
  listWork(page: WorkPage): Promise<DueWork[]>;
  /** Ends leases whose time and grace period have passed; their POs get a new run. */
  endLapsedLeases(options: { graceMs: number; limit: number }): Promise<DueWork[]>;
  /** `late`: the first new run since the PO last changed. */
  reviveOverdue(page: WorkPage): Promise<(DueWork & { late: boolean })[]>;
  /** The accounts with POs in the backlog. */
  findBacklogs(): Promise<string[]>;
  /** Marks the first PO of each account as stuck if it should have had a job for a minute. */
  noteIdleBacklogs(accounts: readonly string[]): Promise<void>;
  listTakenImports(limit: number): Promise<UnreadImport[]>;
  /** Runs the work in one process at a time; undefined when another process is running it. */
  withSweepLock<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export interface SweepDeps {
  ledger: SweepLedger;
  jobs: Pick<JobDeps, 'work' | 'enqueue'>;
  /** Number of jobs of POs in the queue, in any state. */
  liveJobs: () => Promise<number>;
  /** Finds queues that somebody paused or limited, so that work does not stop unnoticed. */
  checkQueues: () => Promise<void>;
  /** Takes the POs of dead workers of this machine over. */
  takeOver: () => Promise<void>;
  /** Restores the accounts' schedules that the queue may have lost. */
  restoreSchedules: () => Promise<void>;
  /** Picks up files that a dead process left in working/, and files in done/ that a restored ledger does not know. */
  recoverFiles: () => Promise<void>;
  everyMs: number;
  graceMs: number;
  logger: Logger;
}

const importsAtOnce = 500;
/** Maximum number of POs named in the log of one sweep. */
const namedLate = 20;

const warn = ({ logger }: Pick<SweepDeps, 'logger'>, err: unknown, what: string): void =>
  logger.warn({ err }, `${what}; it will be retried`);

/**
 * Rule 12: the ledger knows the due work, and the queue may have lost it. Re-enqueues work without a job: POs whose worker
 * is certainly gone always, all others only if the queue holds fewer jobs than there is work. A job that still exists is
 * not queued twice, because its key is the same. Work that has been due for long gets a job with a new key.
 * Then each account whose window has room gets jobs for POs of its backlog.
 * Idempotent; any number of processes may call it, one at a time works.
 * @internal also used by tests
 */
export const sweep = async (deps: SweepDeps): Promise<void> => {
  const { ledger, jobs, graceMs } = deps;
  // Only one process can remove a dead worker, so this needs no lock, and a new process need not wait for another one's sweep.
  await deps
    .takeOver()
    .catch((thrown: unknown) => warn(deps, thrown, 'Could not take over from dead workers'));
  await ledger.withSweepLock(async () => {
    const taken = await ledger.listTakenImports(importsAtOnce);
    await jobs.enqueue(taken.map((one) => importJob(one.id, one)));
    // Ended leases are no longer found, so each page is the first one.
    const lapsed = await enqueuePages(jobs, ({ limit }) => ledger.endLapsedLeases({ graceMs, limit }));
    const work = await ledger.countWork();
    const missing =
      work > 0 && work > (await deps.liveJobs())
        ? await enqueuePages(jobs, (page) => ledger.listWork(page))
        : 0;
    const late: DueWork[] = [];
    const overdue = await enqueuePages(jobs, async (page) => {
      const works = await ledger.reviveOverdue(page);
      late.push(...works.filter((work) => work.late).slice(0, namedLate));
      return works;
    });
    const idle: string[] = [];
    for (const account of await ledger.findBacklogs()) {
      if ((await enqueueAccount(jobs, account)) === 0) idle.push(account);
    }
    await ledger.noteIdleBacklogs(idle);
    await enqueueFinished(jobs);
    // Last and separately: due work must not wait for a schedule that cannot be restored.
    await deps
      .restoreSchedules()
      .catch((thrown: unknown) => warn(deps, thrown, 'Could not restore the schedules'));
    await deps.checkQueues().catch((thrown: unknown) => warn(deps, thrown, 'Could not check the queues'));
    const count = lapsed + missing + overdue;
    for (const { account, poNumber, id } of late.slice(0, namedLate)) {
      deps.logger.warn(
        { account, poNumber, purchaseOrderId: id, code: 'po_late' },
        'This PO is overdue: re-queued with a new job',
      );
    }
    if (count > 0) {
      deps.logger.info({ count }, 'Re-queued purchase orders that had no job');
    }
  });
  // Renames claim the files, so this needs no lock and holds none while it copies.
  await deps.recoverFiles();
};

/** Sweeps at once and then every `everyMs`, never two at a time. A sweep that fails is logged and retried. */
export const startSweep = (deps: SweepDeps): { stop(): Promise<void> } =>
  repeat(() => sweep(deps), {
    everyMs: deps.everyMs,
    failed: (thrown) => warn(deps, thrown, 'The sweep failed'),
  });

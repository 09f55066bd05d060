import { UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Work } from '../placing/types.ts';
import { enqueueFinished, enqueuePages, importJob, type JobDeps, type WorkPage } from './next-work.ts';

/** What the sweep asks the ledger. */
export interface SweepLedger {
  countWork(): Promise<number>;
  listWork(page: WorkPage & { graceMs: number; lapsed: boolean }): Promise<Work[]>;
  reviveOverdue(page: WorkPage): Promise<Work[]>;
  listTakenImports(limit: number): Promise<{ id: string; waitedMs: number }[]>;
  /** Runs the work in one process at a time; undefined when another is at it. */
  withSweepLock<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export interface SweepDeps {
  ledger: SweepLedger;
  jobs: Pick<JobDeps, 'work' | 'enqueue'>;
  /** Jobs of POs that the queue holds, in whatever state. */
  liveJobs: () => Promise<number>;
  /** Finds queues that somebody paused or limited, so that work does not stop unseen. */
  checkQueues: () => Promise<void>;
  /** Puts the accounts' schedules back that the queue may have lost. */
  restoreSchedules: () => Promise<void>;
  /** Takes up files left in working/ by a process that is gone, and those in done/ that a restored ledger does not know. */
  recoverFiles: () => Promise<void>;
  everyMs: number;
  graceMs: number;
  logger: Logger;
}

const importsAtOnce = 500;

/** A server that is away needs no stack trace. */
const warn = ({ logger }: Pick<SweepDeps, 'logger'>, thrown: unknown, what: string): void => {
  const fields =
    thrown instanceof UserError ? { reason: thrown.message, code: thrown.code } : { err: thrown };
  logger.warn(fields, `${what}; it is tried again`);
};

/**
 * Rule 12: the ledger knows what work there is, the queue may have lost it. Brings back what no job does:
 * POs whose worker is gone for certain always, all others only when the queue holds fewer jobs than there
 * is work. A job that is still there is not queued twice: its key is the same. What is due for long and still
 * nobody takes gets a job of a new key.
 * Idempotent; any number of processes may call it, one of them works.
 */
export const sweep = async (deps: SweepDeps): Promise<void> => {
  const { ledger, jobs, graceMs } = deps;
  const enqueueAll = (lapsed: boolean): Promise<number> =>
    enqueuePages(jobs, (page) => ledger.listWork({ ...page, graceMs, lapsed }));
  await ledger.withSweepLock(async () => {
    const taken = await ledger.listTakenImports(importsAtOnce);
    await jobs.enqueue(taken.map(({ id, waitedMs }) => importJob(id, waitedMs)));
    const lapsed = await enqueueAll(true);
    const work = await ledger.countWork();
    const missing = work > 0 && work > (await deps.liveJobs()) ? await enqueueAll(false) : 0;
    const overdue = await enqueuePages(jobs, (page) => ledger.reviveOverdue(page));
    await enqueueFinished(jobs);
    // Last, and each by itself: work that is due must not wait for a schedule that cannot be put back.
    await deps
      .restoreSchedules()
      .catch((thrown: unknown) => warn(deps, thrown, 'the schedules were not put back'));
    await deps.checkQueues().catch((thrown: unknown) => warn(deps, thrown, 'the queues were not checked'));
    const count = lapsed + missing + overdue;
    if (count > 0) {
      deps.logger.info({ count }, 'the sweep put purchase orders back into the queue');
    }
  });
  // Each file is claimed by a rename, so this needs no lock and holds none while it copies.
  await deps.recoverFiles();
};

/** Sweeps at once and then every `everyMs`, never two at a time. A sweep that fails is said and tried again. */
export const startSweep = (deps: SweepDeps): { stop(): Promise<void> } => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const turn = (): void => {
    running = sweep(deps)
      .catch((thrown: unknown) => warn(deps, thrown, 'the sweep failed'))
      .then(() => {
        if (!stopped) timer = setTimeout(turn, deps.everyMs);
      });
  };
  turn();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
};

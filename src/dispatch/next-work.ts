import type { UnreadImport } from '../intake/inbox/import-register.ts';
import type { Advanced } from '../placing/advance.ts';
import type { PlacingDeps } from '../placing/placing-run.ts';
import { type ActiveState, type DueWork, isActiveState } from '../placing/types.ts';
import type { ReportFilter } from '../reports/types.ts';
import type { Trace } from '../tracing/trace.ts';
import type { TrackingDeps } from '../tracking/types.ts';
import type { NewJob, ScheduledTask } from './job-schemas.ts';

/** A page of a list of due work: up to `limit` entries that follow `after`. */
export interface WorkPage {
  after: Pick<DueWork, 'importId' | 'id'>;
  limit: number;
}

/** The part of the ledger about due work, for jobs. */
export interface WorkLedger {
  /**
   * Starts a new run of a PO whose job could not take it, unless a worker holds it or nothing is left to do. Returns the work
   * that gets a job now: the PO, and others of its account that take its place.
   */
  deferRun(id: string): Promise<DueWork[]>;
  /** The current run of a PO that has a next step and that no worker holds. */
  findFreeRun(id: string): Promise<DueWork | undefined>;
  /** POs of an account that get a job now, because its window has room. */
  fillWindow(account: string): Promise<DueWork[]>;
  /** The imports for which this PO was the last one with a next step. Only one of several concurrent callers receives an import. */
  finishedImportsOf(purchaseOrderId: string): Promise<string[]>;
  /** @param account only its imports; default: those of all accounts whose files this process writes */
  listFinishedImports(limit: number, account?: string): Promise<string[]>;
}

/** What a worker can do for an account: place its POs, or read and write its files. */
export type Capability = 'places' | 'reads';

/** Runs a task; returns a sentence if it could not be done. */
export type ScheduledWork = () => Promise<string | undefined>;

/** Runs a task of an account and records the run; skips it if the account's schedule says so, unless a person asked for it. */
export type RunTask = (
  task: ScheduledTask,
  account: string,
  options: { asked: boolean },
  work: ScheduledWork,
) => Promise<void>;

/** The dependencies of every job. */
export interface JobDeps {
  /** Whether this process has the capability for the account. */
  serves: (what: Capability, account: string) => boolean;
  /** Whether any live worker has it. */
  isServed: (what: Capability, account: string) => Promise<boolean>;
  /** Undefined when the ledger has no such import. */
  accountOfImport: (importId: string) => Promise<string | undefined>;
  placing: PlacingDeps;
  work: WorkLedger;
  /** Undefined for an account that has no service configured. */
  trackingOf: (account: string) => TrackingDeps | undefined;
  /** Imports one file that was picked up; resolves when its POs are in the ledger, or the file is refused. */
  importFile: (importId: string) => Promise<void>;
  /** Picks up the complete files in an account's inbox. */
  takeFiles: (account: string) => Promise<void>;
  writeResult: (importId: string) => Promise<void>;
  /** Returns the paths of the report's files, relative to the account's folder. */
  writeStatusReport: (account: string, filter?: ReportFilter) => Promise<{ paths: string[] }>;
  runTask: RunTask;
  trace: Trace;
  enqueue: (jobs: readonly NewJob[]) => Promise<void>;
}

/** The job that continues a PO, by its state. */
export const jobOf = {
  ready: 'create-cart',
  cart_created: 'add-items',
  items_added: 'submit-order',
  submitting: 'submit-order',
  verifying: 'submit-order',
} as const satisfies Record<ActiveState, NewJob['name']>;

/** The job for a PO's next run. Its key contains the run number, so that a run is never queued twice. */
export const jobFor = ({
  id,
  importId,
  state,
  run,
  waitMs,
  account,
  poNumber,
  fileName,
}: DueWork): NewJob => ({
  name: jobOf[state],
  data: { purchaseOrderId: id, account, poNumber, fileName },
  key: `${id}/${run}`,
  importId,
  ...(waitMs > 0 ? { delayMs: Math.ceil(waitMs) } : {}),
});

const minuteMs = 60_000;

/**
 * The job that imports a file that was picked up. A file that waits for long gets a job with another key, after ten minutes
 * and then every hour: a queue with evicted keys may have kept the ID of the first job without the job. Importing a file
 * twice has no further effect.
 */
export const importJob = (
  importId: string,
  { waitedMs = 0, timesWaited = 0 }: Partial<UnreadImport> = {},
): NewJob => {
  const attempt = waitedMs < 10 * minuteMs ? 0 : 1 + Math.floor(waitedMs / (60 * minuteMs));
  const run = timesWaited === 0 ? importId : `${importId}.${timesWaited}`;
  return { name: 'import-file', data: { importId }, key: `${run}/${attempt}` };
};

/** The job that writes an import's result file. Simultaneous requests share one job. */
const resultJob = (importId: string): NewJob => ({
  name: 'write-report',
  data: { importId },
  single: `result ${importId}`,
});

/** The job that polls an account again after a wait. */
export const pollJob = (account: string, waitMs: number): NewJob => ({
  name: 'poll-status',
  data: { account, now: true, due: true },
  single: `poll ${account}`,
  delayMs: waitMs,
});

/** Delay of a job handed to another process because this one does not serve the account. */
const handOnMs = 1000;

/**
 * Hands a job of an account that this process does not serve on to a process that does. If no worker serves the account,
 * the job is dropped: the sweep and the schedules of the next worker that serves it enqueue it again.
 *
 * @returns whether the job belongs to another process
 */
export const handOn = async (
  deps: Pick<JobDeps, 'serves' | 'isServed' | 'accountOfImport' | 'enqueue'>,
  job: Extract<NewJob, { name: 'import-file' | 'poll-status' | 'write-report' }>,
): Promise<boolean> => {
  const what = job.name === 'poll-status' ? 'places' : 'reads';
  const account = 'account' in job.data ? job.data.account : await deps.accountOfImport(job.data.importId);
  if (account === undefined || deps.serves(what, account)) return false;
  if (await deps.isServed(what, account)) await deps.enqueue([{ ...job, delayMs: handOnMs }]);
  return true;
};

/**
 * Enqueues the next work after a run. The reason why a job could not take its PO may be outdated, so one statement asks the
 * ledger whether a worker holds the PO: that worker then enqueues the next work (or the sweep, if the worker dies first).
 * Otherwise this job does, also in place of a worker that failed to after the last transition.
 */
export const enqueueNext = async (deps: JobDeps, id: string, advanced: Advanced): Promise<void> => {
  switch (advanced.kind) {
    case 'transitioned': {
      await deps.enqueue(advanced.next.map(jobFor));
      if (isActiveState(advanced.state)) return undefined;
      return deps.enqueue((await deps.work.finishedImportsOf(id)).map(resultJob));
    }
    case 'later': {
      return deps.enqueue((await deps.work.deferRun(id)).map(jobFor));
    }
    case 'not_served': {
      // Always a new run: the queue may keep this job, and would ignore another one with its key.
      const works = await deps.work.deferRun(id);
      if (!(await deps.isServed('places', advanced.account))) return undefined;
      return deps.enqueue(works.map((work) => jobFor({ ...work, waitMs: Math.max(work.waitMs, handOnMs) })));
    }
    case 'elsewhere':
    case 'lost': {
      // Uses the key of its run, so the queue ignores it if the other worker has already enqueued it.
      const work = await deps.work.findFreeRun(id);
      return work ? deps.enqueue([jobFor(work)]) : undefined;
    }
  }
};

const pageSize = 500;

/** Enqueues as many POs of an account as its window has room for. */
export const enqueueAccount = async (
  { work, enqueue }: Pick<JobDeps, 'work' | 'enqueue'>,
  account: string,
): Promise<number> => {
  const found = await work.fillWindow(account);
  await enqueue(found.map(jobFor));
  return found.length;
};

/** After an import was read: enqueues its POs as far as the account's window allows. If it has none, its result file is written. */
export const enqueueImport = async (
  deps: Pick<JobDeps, 'work' | 'enqueue' | 'accountOfImport'>,
  importId: string,
): Promise<void> => {
  const account = await deps.accountOfImport(importId);
  if (account === undefined) return;
  await enqueueAccount(deps, account);
  await enqueueFinished(deps, account);
};

/** Enqueues the jobs of all POs of a paged list; returns how many. */
export const enqueuePages = async (
  { enqueue }: Pick<JobDeps, 'enqueue'>,
  list: (page: WorkPage) => Promise<DueWork[]>,
): Promise<number> => {
  let after: WorkPage['after'] = { importId: '0', id: '0' };
  let count = 0;
  for (;;) {
    const page = await list({ after, limit: pageSize });
    await enqueue(page.map(jobFor));
    count += page.length;
    if (page.length < pageSize) return count;
    after = page.at(-1)!;
  }
};

/**
 * Enqueues the result files of imports whose POs have no next step any more: of one account, if the work concerned no other, or of all
 * accounts.
 */
export const enqueueFinished = async (
  { work, enqueue }: Pick<JobDeps, 'work' | 'enqueue'>,
  account?: string,
): Promise<void> => {
  await enqueue((await work.listFinishedImports(pageSize, account)).map(resultJob));
};

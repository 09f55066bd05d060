import type { Advanced, PlacingDeps } from '../placing/advance.ts';
import { type ActiveState, activeStates, type Work } from '../placing/types.ts';
import type { TrackingDeps } from '../tracking/types.ts';
import type { NewJob } from './jobs.ts';

/** A page of a list of work: what comes after a piece of it, or the first one. */
export interface WorkPage {
  after: Pick<Work, 'importId' | 'id'>;
  limit: number;
}

/** What jobs ask the ledger about work. */
export interface WorkLedger {
  /** A new run of a PO whose job could not take it; undefined when a worker holds it or nothing is left to do. */
  deferRun(id: string): Promise<Work | undefined>;
  /** The current run of a PO that has a next step and that no worker holds. */
  findFreeRun(id: string): Promise<Work | undefined>;
  listWorkOfImport(importId: string, page: WorkPage): Promise<Work[]>;
  /** The imports of a PO that was their last one with a next step; each told to one of those that ask at once. */
  finishedImportsOf(purchaseOrderId: string): Promise<string[]>;
  listFinishedImports(limit: number): Promise<string[]>;
}

/** What a worker can do for an account: place its POs, or read and write its files. */
export type Service = 'places' | 'reads';

/** What every job is handed. */
export interface JobDeps {
  /** Whether this process can do that for the account. */
  serves: (what: Service, account: string) => boolean;
  /** Whether any live worker can. */
  isServed: (what: Service, account: string) => Promise<boolean>;
  /** Undefined when the ledger has no such import. */
  accountOfImport: (importId: string) => Promise<string | undefined>;
  placing: PlacingDeps;
  work: WorkLedger;
  /** Undefined for an account that has no service configured. */
  trackingOf: (account: string) => TrackingDeps | undefined;
  /** Reads and stages one taken file; answers when its POs are in the ledger, or it is refused. */
  importFile: (importId: string) => Promise<void>;
  /** Takes whatever is complete in an account's inbox. */
  takeFiles: (account: string) => Promise<void>;
  writeResult: (importId: string) => Promise<void>;
  writeStatusReport: (account: string) => Promise<void>;
  enqueue: (jobs: readonly NewJob[]) => Promise<void>;
}

const jobOf = {
  ready: 'create-cart',
  cart_created: 'add-items',
  items_added: 'submit-order',
  submitting: 'submit-order',
  verifying: 'submit-order',
} as const satisfies Record<ActiveState, NewJob['name']>;

const isActive = (state: string): state is ActiveState => (activeStates as readonly string[]).includes(state);

/** The job that does a PO's next step. Its key names the run, so that the same step is not queued twice. */
export const jobFor = ({ id, state, run, waitMs }: Omit<Work, 'importId'>): NewJob => ({
  name: jobOf[state],
  data: { purchaseOrderId: id },
  key: `${id}/${run}`,
  ...(waitMs > 0 ? { delayMs: Math.ceil(waitMs) } : {}),
});

const minuteMs = 60_000;

/**
 * The job that reads a taken file. A file that waits for long gets a job of another key, after ten minutes and then
 * every hour: the queue may still have the id of the first one and not the job (evicted keys). Reading a file twice
 * is reading it once.
 */
export const importJob = (importId: string, waitedMs = 0): NewJob => {
  const turn = waitedMs < 10 * minuteMs ? 0 : 1 + Math.floor(waitedMs / (60 * minuteMs));
  return { name: 'import-file', data: { importId }, key: `${importId}/${turn}` };
};

/** The job that writes an import's result file; one, however many ask for it at once. */
export const resultJob = (importId: string): NewJob => ({
  name: 'write-report',
  data: { importId },
  single: `result ${importId}`,
});

/** The job that polls an account once more in a while. */
export const pollJob = (account: string, waitMs: number): NewJob => ({
  name: 'poll-status',
  data: { account },
  single: `poll ${account}`,
  delayMs: waitMs,
});

/** How long a job waits that a process hands on because it does not serve the account. */
const handOnMs = 1000;

/**
 * Hands a job of an account that this process does not serve on to one that does. Without such a worker the job is
 * dropped: the sweep and the schedules of the next worker that serves the account bring it back.
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
 * Enqueues what comes after a step. Why a job could not take its PO may be out of date by now, so it is the
 * ledger that says, in one statement, whether a worker holds the PO: that worker then enqueues what comes next (the
 * sweep does, if it dies first). Otherwise this job does, also where the worker that moved the PO may have failed to.
 */
export const enqueueNext = async (deps: JobDeps, id: string, advanced: Advanced): Promise<void> => {
  switch (advanced.kind) {
    case 'moved': {
      const { state, run, waitMs } = advanced;
      if (isActive(state)) return deps.enqueue([jobFor({ id, state, run, waitMs })]);
      return deps.enqueue((await deps.work.finishedImportsOf(id)).map(resultJob));
    }
    case 'later': {
      const work = await deps.work.deferRun(id);
      return work ? deps.enqueue([jobFor(work)]) : undefined;
    }
    case 'not_served': {
      if (!(await deps.isServed('places', advanced.account))) return undefined;
      const work = await deps.work.deferRun(id);
      return work ? deps.enqueue([jobFor({ ...work, waitMs: Math.max(work.waitMs, handOnMs) })]) : undefined;
    }
    case 'elsewhere':
    case 'lost': {
      // Under its own key, which the queue ignores where the worker that moved it has enqueued it.
      const work = await deps.work.findFreeRun(id);
      return work ? deps.enqueue([jobFor(work)]) : undefined;
    }
  }
};

const pageSize = 500;

/** Enqueues every PO of an import that has a next step; when there is none, its result file. */
export const enqueueImport = async (deps: JobDeps, importId: string): Promise<void> => {
  const count = await enqueuePages(deps, (page) => deps.work.listWorkOfImport(importId, page));
  if (count === 0) await enqueueFinished(deps);
};

/** Enqueues the jobs of all POs that a list of pages has; answers how many. */
export const enqueuePages = async (
  { enqueue }: Pick<JobDeps, 'enqueue'>,
  list: (page: WorkPage) => Promise<Work[]>,
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

/** Enqueues the result files of imports of which nothing moves any more. */
export const enqueueFinished = async (deps: Pick<JobDeps, 'work' | 'enqueue'>): Promise<void> => {
  await deps.enqueue((await deps.work.listFinishedImports(pageSize)).map(resultJob));
};

import { z } from 'zod';

/** Ids are decimal text: they are bigint in the ledger. */
const id = z.string().regex(/^\d+$/);
const account = z.string().min(1);

/** A task of an account. `now`: run it regardless of the schedule, because a person asked for it, or a pause has ended. */
const task = z.strictObject({ account, now: z.literal(true).optional() });

/** A task that an account has on a schedule. */
export type ScheduledTask = 'poll' | 'report' | 'take_files';

/**
 * Labels for people who look at the queue or at traces. The ledger checks the account: a job with the wrong account is replaced by one with
 * the right account. Jobs of earlier versions have no labels.
 */
const labels = {
  account: z.string().optional(),
  poNumber: z.string().optional(),
  fileName: z.string().optional(),
};
const placing = z.strictObject({ purchaseOrderId: id, ...labels });

/** The data of each job: IDs, and labels for people. The ledger says what to do. */
export const jobSchemas = {
  /** One file that was picked up; or, on an account's schedule, all files in its inbox. */
  'import-file': z.union([z.strictObject({ importId: id }), task]),
  'create-cart': placing,
  'add-items': placing,
  'submit-order': placing,
  /** `due`, with `now`: only orders whose age is due, because a poll failed or was paused. */
  'poll-status': task.extend({ due: z.literal(true).optional() }),
  /** An import's result file, or an account's status report. */
  'write-report': z.union([z.strictObject({ importId: id }), task]),
} as const;

export type JobName = keyof typeof jobSchemas;
export type JobData<N extends JobName> = z.infer<(typeof jobSchemas)[N]>;

export const jobNames = Object.keys(jobSchemas) as JobName[];

/** A job to enqueue. */
export type NewJob = {
  [N in JobName]: {
    name: N;
    data: JobData<N>;
    /** A job is ignored while the queue has one with the same name and key. Without a key no job is ignored. */
    key?: string;
    /**
     * Deduplicates waiting jobs of one name: requests while a job with this value waits are ignored, and those that
     * arrive while it runs cause one more run.
     */
    single?: string;
    /** Whole milliseconds. */
    delayMs?: number;
    /** Its spans belong to the trace of this import, or of the import in its data; otherwise it begins its own trace. */
    importId?: string;
  };
}[JobName];

/**
 * Runs a job. The queue view shows the return value. Throws only for temporary failures, such as an unreachable database, after
 * which the job is retried.
 */
export type JobHandler<N extends JobName, Deps, Result = void> = (
  data: JobData<N>,
  deps: Deps,
) => Promise<Result>;

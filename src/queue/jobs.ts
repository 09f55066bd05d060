import { z } from 'zod';

/** Ids are decimal text: they are bigint in the ledger. */
const id = z.string().regex(/^\d+$/);
const account = z.string().min(1);

/** The data of each job: ids only. What is to be done stands in the ledger. */
export const jobSchemas = {
  /** One file that was taken; or, on an account's schedule, whatever waits in its inbox. */
  'import-file': z.union([z.strictObject({ importId: id }), z.strictObject({ account })]),
  'create-cart': z.strictObject({ purchaseOrderId: id }),
  'add-items': z.strictObject({ purchaseOrderId: id }),
  'submit-order': z.strictObject({ purchaseOrderId: id }),
  'poll-status': z.strictObject({ account }),
  /** An import's result file, or an account's status report. */
  'write-report': z.union([z.strictObject({ importId: id }), z.strictObject({ account })]),
} as const;

export type JobName = keyof typeof jobSchemas;
export type JobData<N extends JobName> = z.infer<(typeof jobSchemas)[N]>;

export const jobNames = Object.keys(jobSchemas) as JobName[];

/** A job to enqueue. */
export type NewJob = {
  [N in JobName]: {
    name: N;
    data: JobData<N>;
    /** Jobs of one name and key are one job while the first is kept. Without a key every job is its own. */
    key?: string;
    /**
     * Jobs of one name and this are one job while it waits, however many ask for it. What asks while it runs is
     * answered by one more run after it.
     */
    single?: string;
    /** Whole milliseconds. */
    delayMs?: number;
  };
}[JobName];

/** Throws only for what may pass by itself (a database that is away): the job is then tried again. */
export type JobHandler<N extends JobName, Deps> = (data: JobData<N>, deps: Deps) => Promise<void>;

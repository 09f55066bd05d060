import { createHash } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import { jobSchemas, type NewJob } from './jobs.ts';

const backoffType = 'capped';

/** High: what a handler throws for passes by itself (a database that is away), however long that takes. */
const attempts = 1_000;
const keptJobs = 200;

/** An id that BullMQ takes for any key (it refuses integers and colons). */
const jobIdOf = (key: string): string => `j${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;

/**
 * BullMQ's options of a job. A job with a key is removed when it ends, well or not: while it is kept its
 * id is taken, and the sweep could not bring the work back. The last ones without a key are kept to be
 * looked at.
 *
 * @throws ZodError when the data is not what the job takes
 */
export const toBullJob = (job: NewJob): { name: string; data: unknown; opts: JobsOptions } => {
  const keep = job.key === undefined ? { count: keptJobs } : true;
  return {
    name: job.name,
    data: jobSchemas[job.name].parse(job.data),
    opts: {
      attempts,
      backoff: { type: backoffType },
      removeOnComplete: keep,
      removeOnFail: keep,
      ...(job.key === undefined ? {} : { jobId: jobIdOf(job.key) }),
      ...(job.single === undefined
        ? {}
        : { deduplication: { id: jobIdOf(job.single), keepLastIfActive: true } }),
      // BullMQ's Postgres backend leaves a job with a fractional delay active for ever.
      ...(job.delayMs === undefined ? {} : { delay: Math.max(0, Math.ceil(job.delayMs)) }),
    },
  };
};

/** How long after its nth failure a job waits: doubled each time up to the cap, with a quarter of jitter. */
export const createBackoff =
  ({ firstMs, capMs }: { firstMs: number; capMs: number }) =>
  (attemptsMade: number): number => {
    const fullMs = Math.min(capMs, firstMs * 2 ** Math.min(attemptsMade - 1, 20));
    return Math.ceil(fullMs * (0.75 + Math.random() / 4));
  };

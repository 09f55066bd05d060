import { createHash } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import { jobSchemas, type NewJob } from '../dispatch/job-schemas.ts';
import type { TraceOfImport } from '../tracing/trace.ts';

const backoffType = 'capped';

/** High, because a handler throws only for temporary failures (an unreachable database), which may last long. */
const attempts = 1_000;
const keptJobs = 200;

/** An ID that BullMQ accepts for any key (it refuses integers and colons). */
const jobIdOf = (key: string): string => `j${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;

const traceContext = ({ importId, data }: NewJob, traceOf: TraceOfImport): { metadata?: string } => {
  const of = importId ?? ('importId' in data ? data.importId : undefined);
  return of === undefined ? {} : { metadata: traceOf(of) };
};

/**
 * BullMQ's options of a job. The last jobs of each name are kept for people. A kept job blocks its ID, so a file's job is
 * removed when it ends, because the sweep enqueues it again with the same key. A PO's key changes with each run.
 *
 * @throws ZodError when the data does not fit the job
 */
export const toBullJob = (
  job: NewJob,
  traceOf?: TraceOfImport,
): { name: string; data: unknown; opts: JobsOptions } => {
  const keep = job.name === 'import-file' && job.key !== undefined ? true : { count: keptJobs };
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
      // Never use the trace of the work that enqueues the job, which is often about another file.
      ...(traceOf ? { telemetry: { ...traceContext(job, traceOf), omitContext: true } } : {}),
      // BullMQ's Postgres backend leaves a job with a fractional delay active for ever.
      ...(job.delayMs === undefined ? {} : { delay: Math.max(0, Math.ceil(job.delayMs)) }),
    },
  };
};

/** The delay after a job's nth failure: doubled each time up to the cap, with up to 25 % jitter. */
export const createBackoff =
  ({ firstMs, capMs }: { firstMs: number; capMs: number }) =>
  (attemptsMade: number): number => {
    const fullMs = Math.min(capMs, firstMs * 2 ** Math.min(attemptsMade - 1, 20));
    return Math.ceil(fullMs * (0.75 + Math.random() / 4));
  };

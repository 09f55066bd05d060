import { setTimeout as sleep } from 'node:timers/promises';
import { type IQueueBackend, type Job, type JobProgress, type Telemetry, Worker } from 'bullmq';
import { type JobData, type JobName, jobSchemas } from '../dispatch/job-schemas.ts';
import type { ErrorSubject } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { type OpenBackend, wasRolledBack } from './backend.ts';
import { createGatheredLog } from './gathered-log.ts';
import { createBackoff } from './job-options.ts';
import type { ProblemLog } from './problem-log.ts';

type BullWorker = Worker<unknown, unknown, string, IQueueBackend, JobProgress, unknown>;

/** The return value of a handler is shown as the result of its job. */
export type Handlers = { [N in JobName]?: (data: JobData<N>) => Promise<unknown> };

export interface WorkerSettings {
  /** Only jobs with these names are processed. */
  handlers: Handlers;
  /** Concurrent jobs for each name; default 1. */
  concurrency?: Partial<Record<JobName, number>>;
  /** A job whose worker sends no heartbeat for this long is given to another one. */
  lockMs?: number;
  /** How often the queue searches for jobs without a live worker. */
  stalledEveryMs?: number;
  /** The pause after a job's first failure, and the longest one. */
  backoff?: { firstMs: number; capMs: number };
}

/**
 * High: otherwise a job whose worker was killed twice would fail permanently, although the job did not cause that.
 */
const maxStalledCount = 1_000;
const retryPauseMs = 1_000;

/** The labels in a job's data. */
const labelsOf = (data: unknown): ErrorSubject => {
  const { account, importId, poNumber, fileName } = (data ?? {}) as Record<string, string | undefined>;
  return {
    ...(account === undefined ? {} : { account }),
    ...(importId === undefined ? {} : { importId }),
    ...(poNumber === undefined ? {} : { poNumber }),
    ...(fileName === undefined ? {} : { file: fileName }),
  };
};

/** BullMQ's error when a job ends whose lock another worker holds, or that no longer exists. */
const lostJob =
  /^(?:(?:Missing key|Missing lock|Lock mismatch) for job |Job )(?<id>.+?)(?:\. | is not in the )/;

/** Repeated losses of a job's lock within this time count as one. */
const sameLossMs = 60_000;

const lostLocks =
  'Jobs lost their locks in the queue; other workers may repeat them (POs are protected by leases)';

/**
 * Takes jobs and passes their data to the handlers. An error of a handler is logged, and the job retried.
 *
 * @returns `stop` accepts no new job, waits up to `drainMs` for running ones, then leaves them to another worker. Never
 *   throws.
 */
export const startWorkers = async (
  backend: OpenBackend,
  settings: WorkerSettings,
  options: { prefix: string; logger: Logger; problems: ProblemLog; telemetry?: Telemetry | undefined },
): Promise<{ stop(drainMs: number): Promise<void> }> => {
  const { handlers, lockMs = 15_000, stalledEveryMs = 15_000 } = settings;
  const { prefix, logger, problems, telemetry } = options;
  const names = Object.keys(handlers) as JobName[];
  if (backend.maxConnections !== undefined && backend.maxConnections < names.length + 2) {
    throw new Error(
      `the queue's pool needs ${names.length + 2} connections or more for ${names.length} workers`,
    );
  }
  const backoffStrategy = createBackoff(settings.backoff ?? { firstMs: 1_000, capMs: 30_000 });

  const gathered = createGatheredLog(logger);
  /** Once true, lost locks and connections are intended. */
  let stopping = false;

  const startOne = (name: JobName): BullWorker => {
    const handle = handlers[name] as (data: unknown) => Promise<unknown>;
    const running = new Set<string | undefined>();
    /** When jobs lost their locks. BullMQ reports a loss repeatedly while the job runs, and twice more when it ends. */
    const lostAt = new Map<string, number>();
    const lostLock = (id: string): void => {
      const now = performance.now();
      if (now - (lostAt.get(id) ?? Number.NEGATIVE_INFINITY) < sameLossMs) return;
      if (lostAt.size > 10_000) lostAt.clear();
      lostAt.set(id, now);
      gathered.add(lostLocks, 1);
    };
    const process = async (job: Job): Promise<unknown> => {
      const data = jobSchemas[name].safeParse(job.data);
      if (data.success) {
        running.add(job.id);
        return handle(data.data).finally(() => running.delete(job.id));
      }
      logger.error({ queue: name, ...(job.id ? { jobId: job.id } : {}) }, 'Dropped a job of another version');
      return undefined;
    };
    const worker: BullWorker = new Worker(
      name,
      process,
      {
        connection: backend.forWorkers,
        prefix,
        autorun: false,
        concurrency: settings.concurrency?.[name] ?? 1,
        lockDuration: lockMs,
        stalledInterval: stalledEveryMs,
        maxStalledCount,
        runRetryDelay: retryPauseMs,
        settings: { backoffStrategy },
        ...(telemetry ? { telemetry } : {}),
      },
      backend.factory,
    );
    worker.on('error', (err) => {
      // BullMQ reports the same in a separate event, once for all jobs.
      if (stopping || wasRolledBack(err) || /^could not renew lock/.test(err.message)) return;
      const lost = lostJob.exec(err.message)?.groups?.id;
      if (lost !== undefined) lostLock(lost);
      else problems.warn(name, err, 'A worker reports an error of its queue');
    });
    worker.on('lockRenewalFailed', (jobIds) => {
      // A job that has ended meanwhile has correctly given up its lock.
      for (const id of jobIds) if (running.has(id)) lostLock(id);
    });
    worker.on('failed', (job, err) => {
      if (stopping || wasRolledBack(err) || lostJob.test(err.message)) return;
      problems.warn(name, err, 'A job failed and will be retried', {
        ...labelsOf(job?.data),
        jobId: job?.id,
        count: job?.attemptsMade,
      });
    });
    worker.on('stalled', () => gathered.add('Jobs lost their worker; other workers will repeat them', 1));
    return worker;
  };

  const workers = names.map(startOne);
  const stop = async (drainMs: number): Promise<void> => {
    stopping = true;
    gathered.stop();
    const closed = Promise.all(workers.map((worker) => worker.close().catch(() => {})));
    const timer = new AbortController();
    const drained = await Promise.race([
      closed.then(() => true),
      sleep(drainMs, false, { signal: timer.signal }).catch(() => false),
    ]);
    timer.abort();
    if (drained) return;
    logger.warn(
      { waitMs: drainMs },
      'Stopped while jobs were still running; another worker will repeat them',
    );
    for (const worker of workers) void worker.disconnect().catch(() => {});
  };
  try {
    await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  } catch (error) {
    await stop(0);
    throw error;
  }
  for (const worker of workers) {
    void worker
      .run()
      .catch((err) => problems.warn(worker.name, err, 'A worker reports an error of its queue'));
  }
  return { stop };
};

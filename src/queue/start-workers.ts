import { setTimeout as sleep } from 'node:timers/promises';
import { type IQueueBackend, type Job, type JobProgress, Worker } from 'bullmq';
import type { Logger } from '../logger.ts';
import type { OpenBackend } from './backend.ts';
import { createGatheredLog } from './gathered-log.ts';
import { createBackoff } from './job-options.ts';
import { type JobData, type JobName, jobSchemas } from './jobs.ts';
import type { ProblemLog } from './problem-log.ts';

type BullWorker = Worker<unknown, void, string, IQueueBackend, JobProgress, unknown>;

export type Handlers = { [N in JobName]?: (data: JobData<N>) => Promise<void> };

export interface WorkerSettings {
  /** Only the jobs named here are worked on. */
  handlers: Handlers;
  /** Jobs at once for each name; default 1. */
  concurrency?: Partial<Record<JobName, number>>;
  /** A job whose worker gives no sign of life for so long is given to another one. */
  lockMs?: number;
  /** How often jobs without a live worker are looked for. */
  stalledEveryMs?: number;
  /** The pause after a job's first failure, and the longest one. */
  backoff?: { firstMs: number; capMs: number };
}

/**
 * High: a job that was picked up after two kills would otherwise fail for good, and it is not the job
 * that is at fault.
 */
const maxStalledCount = 1_000;
const retryPauseMs = 1_000;

/** What BullMQ says when a job ends that it has given to another worker, or that is gone. */
const lostJob =
  /^(?:(?:Missing key|Missing lock|Lock mismatch) for job |Job )(?<id>.+?)(?:\. | is not in the )/;

/** A job that loses its lock again within this has not got it back in between. */
const sameLossMs = 60_000;

const lostLocks =
  'Jobs lost their locks in the queue; other workers may repeat them (POs are protected by leases)';

/**
 * Takes jobs and hands their data to the handlers. What a handler throws is said, and the job tried again.
 *
 * @returns `stop` takes no new job, waits up to `drainMs` for those that run, then leaves them to another
 *   worker. Never throws.
 */
export const startWorkers = async (
  backend: OpenBackend,
  settings: WorkerSettings,
  options: { prefix: string; logger: Logger; problems: ProblemLog },
): Promise<{ stop(drainMs: number): Promise<void> }> => {
  const { handlers, lockMs = 15_000, stalledEveryMs = 15_000 } = settings;
  const { prefix, logger, problems } = options;
  const names = Object.keys(handlers) as JobName[];
  if (backend.maxConnections !== undefined && backend.maxConnections < names.length + 2) {
    throw new Error(
      `the queue's pool needs ${names.length + 2} connections or more for ${names.length} workers`,
    );
  }
  const backoffStrategy = createBackoff(settings.backoff ?? { firstMs: 1_000, capMs: 30_000 });

  const gathered = createGatheredLog(logger);
  /** From then on jobs lose their locks and connections their servers because we wish it. */
  let stopping = false;

  const startOne = (name: JobName): BullWorker => {
    const handle = handlers[name] as (data: unknown) => Promise<void>;
    const running = new Set<string | undefined>();
    /** When jobs lost their locks: BullMQ says it again and again while they run, and twice more when they end. */
    const lostAt = new Map<string, number>();
    const lostLock = (id: string): void => {
      const now = performance.now();
      if (now - (lostAt.get(id) ?? Number.NEGATIVE_INFINITY) < sameLossMs) return;
      if (lostAt.size > 10_000) lostAt.clear();
      lostAt.set(id, now);
      gathered.add(lostLocks, 1);
    };
    const process = async (job: Job): Promise<void> => {
      const data = jobSchemas[name].safeParse(job.data);
      if (data.success) {
        running.add(job.id);
        return handle(data.data).finally(() => running.delete(job.id));
      }
      logger.error(
        { queue: name, ...(job.id ? { jobId: job.id } : {}) },
        'A job of another version was dropped',
      );
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
      },
      backend.factory,
    );
    worker.on('error', (err) => {
      // BullMQ says the same again as an event of its own, once for all jobs.
      if (stopping || /^could not renew lock/.test(err.message)) return;
      const lost = lostJob.exec(err.message)?.groups?.id;
      if (lost !== undefined) lostLock(lost);
      else problems.say(name, err, 'A worker has trouble with its queue');
    });
    worker.on('lockRenewalFailed', (jobIds) => {
      // A job that ended meanwhile has no lock any more, and that is as it should be.
      for (const id of jobIds) if (running.has(id)) lostLock(id);
    });
    worker.on('failed', (job, err) => {
      if (stopping || lostJob.test(err.message)) return;
      problems.say(name, err, 'A job failed and is tried again', {
        jobId: job?.id,
        count: job?.attemptsMade,
      });
    });
    worker.on('stalled', () => gathered.add('Jobs lost their worker; they are taken up again', 1));
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
    logger.warn({ waitMs: drainMs }, 'Jobs that still run are left; another worker takes them up');
    for (const worker of workers) void worker.disconnect().catch(() => {});
  };
  try {
    await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  } catch (error) {
    await stop(0);
    throw error;
  }
  for (const worker of workers) {
    void worker.run().catch((err) => problems.say(worker.name, err, 'A worker has trouble with its queue'));
  }
  return { stop };
};

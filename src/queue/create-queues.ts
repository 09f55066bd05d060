import { Queue } from 'bullmq';
import { type JobName, jobNames, type NewJob } from '../dispatch/job-schemas.ts';
import { messageOf, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { TraceOfImport } from '../tracing/trace.ts';
import { type BullQueue, openBackend, type QueueBackend } from './backend.ts';
import { findHold, type Hold, liftHold, redisItself } from './holds.ts';
import { toBullJob } from './job-options.ts';
import { createProblemLog } from './problem-log.ts';
import { type QueueFigures, readQueueFigures } from './queue-figures.ts';
import { type ExistingSchedule, listSchedules, type Schedule, upsertSchedule } from './schedules.ts';
import { startWorkers, type WorkerSettings } from './start-workers.ts';

export interface Queues {
  /**
   * Enqueues jobs, in order for each name. A job is ignored while a live one has its name and key.
   * Safe to repeat after a failure for jobs with a key.
   * @throws UserError `queue_down` within seconds when the queue does not accept them
   */
  enqueue(jobs: readonly NewJob[]): Promise<void>;
  /** How many jobs wait, run, or are delayed (including the next job of a schedule). Throws `queue_down`. */
  liveCount(names: readonly JobName[]): Promise<number>;
  /** May be called again for other names. Throws `queue_down`. */
  startWorkers(settings: WorkerSettings): Promise<void>;
  /** Idempotent; throws `bad_schedule`, `queue_down`. */
  upsertSchedule(schedule: Schedule, known?: ExistingSchedule | null): Promise<void>;
  /** Idempotent. Throws `queue_down`. */
  removeSchedule(name: JobName, id: string): Promise<void>;
  listSchedules(): Promise<ExistingSchedule[]>;
  /** Number of schedules. Throws `queue_down`. */
  countSchedules(): Promise<number>;
  /** Finds queues that somebody paused or limited; `lift` lets their jobs run again. Throws `queue_down`. */
  checkHolds(options: { lift: boolean }): Promise<Hold[]>;
  /** Waiting jobs of each queue, and since when they wait. Throws `queue_down`. */
  readFigures(): Promise<QueueFigures[]>;
  /** BullMQ's own queues, for the queue view. */
  bullQueues: readonly BullQueue[];
  /** Throws `queue_down` when the queue does not answer. */
  ping(): Promise<void>;
  /** Accepts no more jobs, waits up to `drainMs` (default 30 s) for running ones, closes. Idempotent, never throws. */
  stop(drainMs?: number): Promise<void>;
}

/** Timeout of calls to the queue, independent of the connection's own. */
const callTimeoutMs = 10_000;
const chunkSize = 500;
const live = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const;

const withTimeout = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${callTimeoutMs / 1000} s`)), callTimeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * The job queue: one BullMQ queue for each job name, on Redis or on Postgres. Its content may be lost at any time: the
 * ledger is the truth. A queue that becomes unreachable never ends the process, which reconnects.
 *
 * @param options.prefix separates the queues of ledgers that share a Redis; a Postgres has its schema for that
 * @throws UserError `queue_down`, `queue_unsupported` when it cannot be used at the start
 */
export const createQueues = async (options: {
  backend: QueueBackend;
  logger: Logger;
  prefix?: string;
  /** Records spans of jobs, those about an import in its trace; default: no spans. */
  traceOf?: TraceOfImport | undefined;
}): Promise<Queues> => {
  const { logger } = options;
  const backend = await openBackend(options.backend, logger);
  const prefix = backend.prefixFor(options.prefix ?? 'cartwright');
  const problems = createProblemLog(logger);

  // Loaded only if needed.
  const telemetry = options.traceOf ? new (await import('bullmq-otel')).BullMQOtel() : undefined;

  const open = (name: JobName): BullQueue => {
    const queue: BullQueue = new Queue(
      name,
      // Nothing reads BullMQ's event stream, so it is kept short.
      {
        connection: backend.forQueues,
        prefix,
        streams: { events: { maxLen: 1_000 } },
        ...(telemetry ? { telemetry } : {}),
      },
      backend.factory,
    );
    queue.on('error', (err) => problems.warn(name, err, 'A queue reports an error'));
    return queue;
  };
  const byName = Object.fromEntries(jobNames.map((name) => [name, open(name)])) as Record<JobName, BullQueue>;
  const bullQueues = Object.values(byName);

  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      try {
        return await withTimeout(work());
      } catch (error) {
        if (error instanceof UserError || !(await backend.repair(error))) throw error;
        return await withTimeout(work());
      }
    } catch (cause) {
      if (cause instanceof UserError) throw cause;
      const why = cause instanceof AggregateError ? messageOf(cause.errors[0]) : messageOf(cause);
      const store = options.backend.kind === 'redis' ? 'Redis' : 'Postgres';
      throw new UserError('queue_down', `The job queue on ${store} cannot be used: ${why}.`, { cause });
    }
  };

  const workers: Awaited<ReturnType<typeof startWorkers>>[] = [];
  let stopping: Promise<void> | undefined;
  const stop = async (drainMs: number): Promise<void> => {
    await Promise.all(workers.map((some) => some.stop(drainMs)));
    await Promise.all(bullQueues.map((queue) => withTimeout(queue.close()).catch(() => {})));
    backend.disconnect();
  };

  const queues: Queues = {
    async enqueue(jobs) {
      const bulk = jobs.map((job) => toBullJob(job, options.traceOf));
      for (const [name, queue] of Object.entries(byName)) {
        const mine = bulk.filter((job) => job.name === name);
        const [only] = mine;
        // On Postgres BullMQ creates two temporary tables for each bulk: too costly for the single job that follows a run.
        if (only && mine.length === 1) await call(() => queue.add(only.name, only.data, only.opts));
        else {
          for (let from = 0; from < mine.length; from += chunkSize) {
            await call(() => queue.addBulk(mine.slice(from, from + chunkSize)));
          }
        }
      }
    },
    liveCount: (names) =>
      call(async () => {
        const counts = await Promise.all(names.map((name) => byName[name].getJobCountByTypes(...live)));
        return counts.reduce((sum, count) => sum + count, 0);
      }),
    async startWorkers(settings) {
      workers.push(
        await call(() => startWorkers(backend, settings, { prefix, logger, problems, telemetry })),
      );
    },
    upsertSchedule: (schedule, known) =>
      call(() => upsertSchedule(byName[schedule.job.name], schedule, known)),
    removeSchedule: (name, id) =>
      call(async () => {
        await byName[name].removeJobScheduler(id);
      }),
    listSchedules: () => call(async () => (await Promise.all(bullQueues.map(listSchedules))).flat()),
    countSchedules: () =>
      call(async () => {
        const counts = await Promise.all(bullQueues.map((queue) => queue.getJobSchedulersCount()));
        return counts.reduce((sum, one) => sum + one, 0);
      }),
    checkHolds: ({ lift }) =>
      call(async () => {
        const policy = await backend.evicts();
        const found: Hold[] = policy === undefined ? [] : [{ queue: redisItself, what: policy }];
        for (const queue of bullQueues) {
          const hold = await findHold(queue);
          if (!hold) continue;
          if (lift) await liftHold(queue);
          found.push(hold);
        }
        return found;
      }),
    readFigures: () => call(() => readQueueFigures(bullQueues)),
    bullQueues,
    ping: () =>
      call(async () => {
        await bullQueues[0]!.getJobCountByTypes('active');
      }),
    stop(drainMs = 30_000) {
      stopping ??= stop(drainMs);
      return stopping;
    },
  };
  try {
    // BullMQ keeps a failed first connection: a queue that is not ready now never becomes ready.
    await call(() => Promise.all(bullQueues.map((queue) => queue.waitUntilReady())));
  } catch (error) {
    await queues.stop(0);
    throw error;
  }
  return queues;
};

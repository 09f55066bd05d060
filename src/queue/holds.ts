import type { JobName } from '../dispatch/job-schemas.ts';
import type { BullQueue } from './backend.ts';

/** Stands for the Redis server itself, in place of a queue's name. */
export const redisItself = 'redis';

/**
 * A queue that somebody paused or limited (in the queue view, with another program, or by hand), or a Redis that may
 * evict jobs.
 */
export interface Hold {
  queue: JobName | typeof redisItself;
  /** Such as `paused`, `limited to 1 job at once`; of Redis its `maxmemory-policy`. */
  what: string;
}

/** Why a queue's jobs do not run freely; undefined if nothing stops them. Cartwright itself never pauses or limits a queue. */
export const findHold = async (queue: BullQueue): Promise<Hold | undefined> => {
  const [paused, concurrency, rate, waitMs] = await Promise.all([
    queue.isPaused(),
    queue.getGlobalConcurrency(),
    queue.getGlobalRateLimit(),
    queue.getRateLimitTtl(),
  ]);
  const what = [
    ...(paused ? ['paused'] : []),
    ...(concurrency === null ? [] : [`limited to ${concurrency} job${concurrency === 1 ? '' : 's'} at once`]),
    ...(rate === null ? [] : [`limited to ${rate.max} jobs in ${rate.duration} ms`]),
    ...(waitMs > 0 && rate === null ? [`held back for ${waitMs} ms by a rate limit`] : []),
  ];
  return what.length === 0 ? undefined : { queue: queue.name as JobName, what: what.join(', ') };
};

/** Lets a queue's jobs run again. Idempotent. */
export const liftHold = async (queue: BullQueue): Promise<void> => {
  await queue.resume();
  await queue.removeGlobalConcurrency();
  await queue.removeGlobalRateLimit();
  await queue.removeRateLimitKey();
};

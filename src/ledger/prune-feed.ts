import type pg from 'pg';
import { keptDays } from './feed.ts';
import { followFeed } from './statistics/follow-feed.ts';

const removedAtOnce = 10_000;

/**
 * Removes changes past their retention period, oldest first, so that the rest has no gap, and only those that the statistics have counted.
 * Safe to interrupt.
 */
export const pruneFeed = async (pool: pg.Pool, isStopping: () => boolean): Promise<number> => {
  await followFeed(pool, isStopping);
  let count = 0;
  while (!isStopping()) {
    const { rowCount } = await pool.query({
      name: 'feed-prune',
      text: `delete from feed where id = any(array(
          select f.id from feed f where f.position <= (select position from statistics_head)
            -- Null if there is no old change; then nothing is removed.
            and f.position <= (select max(position) from feed where at < clock_timestamp() - interval '${keptDays} days')
          order by f.position limit ${removedAtOnce}))`,
    });
    count += rowCount ?? 0;
    if ((rowCount ?? 0) < removedAtOnce) break;
  }
  return count;
};

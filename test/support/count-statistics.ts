import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { refreshStatistics } from '../../src/ledger/statistics/follow-feed.ts';

/** Updates the statistics. A running worker may be counting, too, so this waits for it and then counts the rest. */
export const countStatistics = async (pool: pg.Pool): Promise<void> => {
  while (!(await refreshStatistics(pool, [], () => false))) await sleep(50);
};

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { refreshStatistics } from '../../src/ledger/statistics/follow-feed.ts';

/** Counts what the ledger has now. A running worker counts too: what came after it began is counted when it has ended. */
export const countStatistics = async (pool: pg.Pool): Promise<void> => {
  while (!(await refreshStatistics(pool, [], () => false))) await sleep(50);
};

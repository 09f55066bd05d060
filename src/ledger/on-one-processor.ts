import type pg from 'pg';
import { inTransaction } from './transaction.ts';

/** Runs a large read without parallel workers: with them, counting old rows takes all processors and placing waits. */
export const onOneProcessor = <R extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult<R>> =>
  inTransaction(pool, { rollback: true }, async (client) => {
    await client.query('set local max_parallel_workers_per_gather = 0');
    return client.query<R>(text, values);
  });

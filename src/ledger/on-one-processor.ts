import type pg from 'pg';
import { inTransaction } from './transaction.ts';

/**
 * Reads much at once, in a process of Postgres without helpers: with them, a count of old rows takes all processors, and placing
 * waits.
 */
export const onOneProcessor = <R extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult<R>> =>
  inTransaction(pool, { rollback: true }, async (client) => {
    await client.query('set local max_parallel_workers_per_gather = 0');
    return client.query<R>(text, values);
  });

import { createHash } from 'node:crypto';
import type pg from 'pg';

/** What every change at the service is about. */
export interface PoKey {
  dealer: string;
  poNumber: string;
}

const lockOf = (key: PoKey): bigint =>
  createHash('sha256')
    .update(JSON.stringify([key.dealer, key.poNumber]))
    .digest()
    .readBigInt64BE();

/** How a transaction ends: with nothing more to write, or with a last statement and what is read out of its rows. */
export type TransactionEnd<T> =
  | { write?: undefined; result: T }
  | { write: pg.QueryConfig; read: (written: pg.QueryResult) => T };

/**
 * Runs `work` in a transaction that has one PO number of one dealer to itself, over all processes: whatever
 * it reads about that PO stays true until it commits. Row locks would not do, since the rows that
 * decide (no cart yet, no order yet) may not exist. Commits what `work` did, or nothing where it throws.
 *
 * Two round trips, on a connection that pipelines: the lock goes out with the first question, the commit with
 * the last statement. Where one of them fails, Postgres refuses what was sent behind it, the commit too.
 */
export const inPoTransaction = async <T>(
  pool: pg.Pool,
  key: PoKey,
  work: (client: pg.PoolClient) => Promise<TransactionEnd<T>>,
): Promise<T> => {
  const client = await pool.connect();
  try {
    // A statement of its own: a snapshot taken together with the lock would be older than what it waited for.
    const begun = client.query('begin');
    const locked = client.query({
      name: 'service-lock-po',
      text: 'select pg_advisory_xact_lock($1)',
      values: [lockOf(key)],
    });
    const [end] = await Promise.all([work(client), begun, locked]);
    const [written] = await Promise.all([end.write && client.query(end.write), client.query('commit')]);
    const result = end.write ? end.read(written!) : end.result;
    client.release();
    return result;
  } catch (thrown) {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw thrown;
  }
};

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

/**
 * Runs `work` in a transaction that has one PO number of one dealer to itself, over all processes: whatever
 * it reads about that PO stays true until it commits. Row locks would not do, since the rows that
 * decide (no cart yet, no order yet) may not exist. Commits what `work` did, or nothing where it throws.
 */
export const inPoTransaction = async <T>(
  pool: pg.Pool,
  key: PoKey,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  try {
    // In one round trip; and in a statement of its own, since a snapshot taken together with the lock would be
    // older than what the lock waited for.
    await client.query(`begin; select pg_advisory_xact_lock(${lockOf(key)})`);
    const result = await work(client);
    await client.query('commit');
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

import type pg from 'pg';
import { connectForLongWork } from './long-work.ts';

export interface TransactionOptions {
  /** Read one snapshot of the ledger and write nothing. */
  snapshot?: boolean;
  /** Roll back at the end: everything is computed and nothing is kept. */
  rollback?: boolean;
  /** `work` waits for something other than Postgres, so it gets one of the connections reserved for that. */
  long?: boolean;
}

const connect = async (pool: pg.Pool) => {
  const client = await pool.connect();
  return { client, release: (failure: Error | undefined) => client.release(failure) };
};

/**
 * Runs `work` in one transaction on one connection. If anything fails, nothing is kept, and the connection is closed:
 * it may be in the middle of a COPY.
 */
export const inTransaction = async <T>(
  pool: pg.Pool,
  { snapshot = false, rollback = false, long = false }: TransactionOptions,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const { client, release } = long ? await connectForLongWork(pool) : await connect(pool);
  let failure: Error | undefined;
  // The connection can break between two queries, while `work` reads or writes a file.
  const noteBroken = (error: Error) => {
    failure = error;
  };
  client.on('error', noteBroken);
  try {
    await client.query(snapshot ? 'begin isolation level repeatable read read only' : 'begin');
    const result = await work(client);
    await client.query(rollback || snapshot ? 'rollback' : 'commit');
    return result;
  } catch (error) {
    failure ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', noteBroken);
    release(failure);
  }
};

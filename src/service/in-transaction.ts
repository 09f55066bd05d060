import type pg from 'pg';

/** Runs queries in one transaction: they all take effect, or, if `act` throws, none does. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await act(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (thrown) {
    const rolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    );
    // Closes the connection if its state is unknown.
    client.release(!rolledBack);
    throw thrown;
  }
};

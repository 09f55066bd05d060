import type pg from 'pg';

/** A process that holds a lock for longer counts as stopped. */
const holdMs = 60_000;

/**
 * Runs `work` under a named lock, in one process at a time; returns undefined at once if another process holds the lock.
 * The lock belongs to a transaction, which keeps its connection also behind a pooler, and ends with a killed process. If the
 * connection breaks, `work` continues without the lock; Postgres closes the connection after a minute, so that a stopped
 * process does not block others. Therefore `work` must be safe to run twice.
 */
export const withLock = async <T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
  limitMs = holdMs,
): Promise<T | undefined> => {
  const client = await pool.connect();
  // A connection that may still hold the lock is closed, not reused.
  let unlocked = false;
  try {
    await client.query('begin');
    // The transaction is idle while `work` runs: nothing else uses this connection.
    await client.query(`set local idle_in_transaction_session_timeout = ${Math.trunc(limitMs)}`);
    const { rows } = await client.query(
      `select pg_try_advisory_xact_lock(hashtextextended('cartwright ' || $1, 0)) as mine`,
      [name],
    );
    try {
      return rows[0].mine ? await work() : undefined;
    } finally {
      await client.query('rollback').then(
        () => {
          unlocked = true;
        },
        () => {},
      );
    }
  } finally {
    client.release(!unlocked);
  }
};

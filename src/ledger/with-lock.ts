import type pg from 'pg';

/** A process that holds a lock for longer counts as stopped. */
const holdMs = 60_000;

/**
 * Runs `work` under a named lock, in one process at a time; returns undefined at once if another process holds the lock.
 * The lock belongs to a connection, so that a killed process releases it. If the connection breaks, `work` continues
 * without the lock; Postgres closes the connection after a minute, so that a stopped process does not block others.
 * Therefore `work` must be safe to run twice.
 */
export const withLock = async <T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
  limitMs = holdMs,
): Promise<T | undefined> => {
  const key = `hashtextextended('cartwright ' || $1, 0)`;
  const client = await pool.connect();
  // A connection that may still hold the lock is closed, not reused.
  let unlocked = false;
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(${key}) as mine`, [name]);
    if (!rows[0].mine) {
      unlocked = true;
      return undefined;
    }
    try {
      // The session is idle while `work` runs: nothing else uses this connection.
      await client.query(`set idle_session_timeout = ${limitMs}`);
      return await work();
    } finally {
      const unlock = `select pg_advisory_unlock(${key}), set_config('idle_session_timeout', '0', false)`;
      await client.query(unlock, [name]).then(
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

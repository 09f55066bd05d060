import type pg from 'pg';

/** A holder that is not done by then is taken for one that was stopped with the lock in its hands. */
const holdMs = 60_000;

/**
 * Lets one process at a time do `work` under a name; answers undefined at once when another is at it. The
 * lock goes with its connection, so a killed process leaves none behind. Where that connection breaks the
 * work goes on without it, and Postgres breaks it after a minute, so that a process that was stopped holds up no
 * other: what is done under such a lock must be safe to do twice.
 */
export const withLock = async <T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
  limitMs = holdMs,
): Promise<T | undefined> => {
  const key = `hashtextextended('cartwright ' || $1, 0)`;
  const client = await pool.connect();
  // A connection that may still hold the lock is closed.
  let unlocked = false;
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(${key}) as mine`, [name]);
    if (!rows[0].mine) {
      unlocked = true;
      return undefined;
    }
    try {
      // Nothing else is asked on this connection while the work goes on.
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

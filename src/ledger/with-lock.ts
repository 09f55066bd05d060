import type pg from 'pg';

/**
 * Lets one process at a time do `work` under a name; answers undefined at once when another is at it. The
 * lock goes with its connection, so a killed process leaves none behind. Where that connection breaks the
 * work goes on without it: what is done under such a lock must be safe to do twice.
 */
export const withLock = async <T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
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
      return await work();
    } finally {
      await client.query(`select pg_advisory_unlock(${key})`, [name]).then(
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

import type pg from 'pg';

interface Long {
  pool: pg.Pool;
  free: number;
  waiting: (() => void)[];
}

const longOf = new WeakMap<pg.Pool, Long>();

/** The number of a process's connections reserved for long work; none if it has only one. */
export const longShare = (connections: number): number => (connections < 2 ? 0 : Math.ceil(connections / 4));

/** Attaches a separate pool for work that holds a connection while it waits for something other than Postgres. */
export const setAside = (pool: pg.Pool, long: pg.Pool, connections: number): void => {
  longOf.set(pool, { pool: long, free: connections, waiting: [] });
};

/** The pool and its pool for long work. */
export const poolsOf = (pool: pg.Pool): pg.Pool[] => {
  const long = longOf.get(pool);
  return long ? [pool, long.pool] : [pool];
};

/**
 * A connection for work that waits for something other than Postgres between its statements: a disk, a file being read, a child process. A
 * few connections are reserved for such work, so that placing always finds a free one. Work without a free connection queues, with no time
 * limit.
 */
export const connectForLongWork = async (
  pool: pg.Pool,
): Promise<{ client: pg.PoolClient; release: (failure: Error | undefined) => void }> => {
  const long = longOf.get(pool);
  if (!long) {
    const client = await pool.connect();
    return { client, release: (failure) => client.release(failure) };
  }
  if (long.free > 0) long.free -= 1;
  else await new Promise<void>((resolve) => long.waiting.push(resolve));
  const next = (): void => {
    const first = long.waiting.shift();
    if (first) first();
    else long.free += 1;
  };
  try {
    const client = await long.pool.connect();
    return {
      client,
      release: (failure) => {
        client.release(failure);
        next();
      },
    };
  } catch (error) {
    next();
    throw error;
  }
};

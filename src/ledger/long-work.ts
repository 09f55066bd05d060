import type pg from 'pg';

interface Long {
  pool: pg.Pool;
  free: number;
  waiting: (() => void)[];
}

const longOf = new WeakMap<pg.Pool, Long>();

/** The part of a process's connections that is set aside for long work; a pool of one connection has nothing to set aside. */
export const longShare = (connections: number): number => (connections < 2 ? 0 : Math.ceil(connections / 4));

/** Sets connections of their own aside, for work that waits for something other than Postgres while it has one. */
export const setAside = (pool: pg.Pool, long: pg.Pool, connections: number): void => {
  longOf.set(pool, { pool: long, free: connections, waiting: [] });
};

/** The pool itself, and that of its connections that are set aside. */
export const poolsOf = (pool: pg.Pool): pg.Pool[] => {
  const long = longOf.get(pool);
  return long ? [pool, long.pool] : [pool];
};

/**
 * A connection for work that waits for something other than Postgres between its statements: a disk, a file that is being read, a child
 * process. It is one of a few that are set aside for such work, so that whatever that waits for, the statements of placing always find a
 * connection. Work for which none is free waits in turn, however long.
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

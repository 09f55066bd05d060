import pg from 'pg';

/** The outcome of an attempt to become an owner of a server. */
export type OwnerAnswer =
  | { kind: 'owner'; lock: OwnerLock }
  /** The server is starting or stopping, or the connection broke: retry. */
  | { kind: 'not_ready'; reason: string }
  /** Nothing listens there. */
  | { kind: 'nobody' }
  /** Another server listens there. */
  | { kind: 'stranger'; reason: string };

export interface OwnerLock {
  /** Resolves when the connection, and with it the ownership, is lost; never after `leave`. */
  lost: Promise<Error>;
  /**
   * Gives up the ownership. `last` is true for exactly one owner, the last to leave: it must stop the server, and it
   * keeps new owners waiting until the server closes the connection or `end` is called.
   */
  leave(): Promise<{ last: boolean }>;
  /** Closes the connection. Idempotent. */
  end(): Promise<void>;
}

const lockKey = 0x6f776e72;

const answerOf = (error: Error & { code?: string }): OwnerAnswer => {
  const code = error.code ?? '';
  // ENETUNREACH: a container without a loopback interface.
  if (code === 'ECONNREFUSED' || code === 'ENETUNREACH') return { kind: 'nobody' };
  // 28xxx: another server, which rejects our password. 3D000: another server, without our database.
  if (code.startsWith('28') || code === '3D000') return { kind: 'stranger', reason: error.message };
  return { kind: 'not_ready', reason: error.message };
};

/**
 * Becomes an owner of the server at `url`: one connection holds a shared advisory lock for as long as the owner runs.
 * Postgres releases the lock when the process ends, also after a kill.
 *
 * @param isOurs whether a data directory is that of the expected server
 */
export const takeOwnership = async (
  url: string,
  isOurs: (dataDirectory: string) => Promise<boolean>,
): Promise<OwnerAnswer> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'cartwright owner',
    // If the last owner hangs while it stops the server, a new owner must fail rather than hang too.
    lock_timeout: 10_000,
    keepAlive: true,
  });
  let left = false;
  let ended = false;
  const lost = new Promise<Error>((resolve) => {
    const report = (error: Error) => {
      if (!left) resolve(error);
    };
    client.on('error', report);
    client.on('end', () => report(new Error('the connection ended')));
  });
  const end = async () => {
    left = true;
    if (ended) return;
    ended = true;
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    );
    const folder = rows[0]?.folder ?? '';
    if (!(await isOurs(folder))) {
      await end();
      return { kind: 'stranger', reason: `its data directory is ${folder}` };
    }
    // While the last owner stops the server this waits, and then fails with the server: `not_ready`.
    await client.query('select pg_advisory_lock_shared($1)', [lockKey]);
  } catch (error) {
    await end();
    return answerOf(error as Error);
  }
  return {
    kind: 'owner',
    lock: {
      lost,
      async leave() {
        left = true;
        try {
          await client.query('select pg_advisory_unlock_shared($1)', [lockKey]);
          const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
            lockKey,
          ]);
          return { last: rows[0]?.last === true };
        } catch {
          return { last: false };
        }
      },
      end,
    },
  };
};

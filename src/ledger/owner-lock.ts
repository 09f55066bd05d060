import pg from 'pg';

/** What a try to become one of a server's owners came to. */
export type OwnerAnswer =
  | { kind: 'owner'; lock: OwnerLock }
  /** The server starts, stops, or broke the connection: worth another try. */
  | { kind: 'not_ready'; reason: string }
  /** Nothing listens there. */
  | { kind: 'nobody' }
  /** Something listens there that is not the server asked for. */
  | { kind: 'stranger'; reason: string };

export interface OwnerLock {
  /** Settles when the connection, and with it the ownership, is lost; never after `leave`. */
  lost: Promise<Error>;
  /**
   * Gives the ownership up. `last` is true for exactly one of the owners that leave, the last one: it has
   * to stop the server, and keeps newcomers waiting until the connection goes with the server or `end`
   * is called.
   */
  leave(): Promise<{ last: boolean }>;
  /** Closes the connection. Idempotent. */
  end(): Promise<void>;
}

const lockKey = 0x6f776e72;

const answerOf = (error: Error & { code?: string }): OwnerAnswer => {
  const code = error.code ?? '';
  // ENETUNREACH: a container whose loopback interface is off.
  if (code === 'ECONNREFUSED' || code === 'ENETUNREACH') return { kind: 'nobody' };
  // 28xxx: another server that does not know our password. 3D000: one that has no such database.
  if (code.startsWith('28') || code === '3D000') return { kind: 'stranger', reason: error.message };
  return { kind: 'not_ready', reason: error.message };
};

/**
 * Becomes an owner of the server at `url`: one connection that holds a shared advisory lock for as long as
 * the owner lives. The lock goes by itself when the process dies, however it dies.
 *
 * @param isOurs tells by the server's data directory whether it is the one meant
 */
export const takeOwnership = async (
  url: string,
  isOurs: (dataDirectory: string) => Promise<boolean>,
): Promise<OwnerAnswer> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'cartwright owner',
    // A last owner that hangs while it stops the server must not hang a newcomer without a word.
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
    // Waits while a last owner stops the server, and then dies with the server: `not_ready`.
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

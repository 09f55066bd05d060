import type pg from 'pg';
import { messageOf, plainCause, UserError } from '../errors.ts';
import { tlsProblem } from '../tls-problem.ts';
import { placeOf } from './database-address.ts';
import { poolsOf } from './long-work.ts';
import { firstRow } from './query.ts';
import type { SessionClient } from './session.ts';

/** The oldest version of Postgres that is tested. */
const oldestMajor = 15;

const userOf = (url: string): string => {
  const name = URL.canParse(url) ? decodeURIComponent(new URL(url).username) : '';
  return name === '' ? 'its user' : `the user ${name}`;
};

const databaseOf = (url: string): string =>
  URL.canParse(url) ? decodeURIComponent(new URL(url).pathname.slice(1)) : '';

/** The problem and its fix, as the end of a sentence about the database. */
const explain = (error: Error & { code?: string }, url: string): string => {
  const { code = '', message } = error;
  const tls = tlsProblem(error, {
    authority: 'sslrootcert=/path/ca.pem',
    scheme: 'sslmode= in DATABASE_URL',
  });
  if (tls) return `cannot be used: ${tls}.`;
  if (code === '28P01' || /password authentication failed|SASL authentication failed|SCRAM/.test(message)) {
    return `refused the password of ${userOf(url)}. Fix user and password in DATABASE_URL (special characters percent-encoded).`;
  }
  if (code === '3D000' || /^no such database/.test(message)) {
    return `has no database named ${databaseOf(url)}. Create it, or fix the name at the end of DATABASE_URL.`;
  }
  if (/no encryption|SSL required|SSL off/.test(message)) {
    return 'accepts only connections with TLS. Add sslmode=verify-full to DATABASE_URL.';
  }
  if (code === '53300' || /no more connections allowed/.test(message)) {
    return `cannot be used: ${plainCause(message)}. Raise its max_connections, or stop programs that use it.`;
  }
  if (code.startsWith('28')) {
    return `does not let ${userOf(url)} in: ${plainCause(message)}. Change its pg_hba.conf or roles, or fix DATABASE_URL.`;
  }
  const advice = 'Start it, or fix DATABASE_URL (unset it to use the built-in database).';
  return `cannot be used: ${plainCause(message)}. ${advice}`;
};

/**
 * The sentence for a database that does not answer.
 * @returns UserError `database_down`
 */
const down = (cause: unknown, url: string): UserError => {
  // If pg has tried several addresses, it throws an AggregateError without a message.
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const error = first instanceof Error ? first : new Error(messageOf(first));
  return new UserError('database_down', `The database at ${placeOf(url)} ${explain(error, url)}`, { cause });
};

/** A pooler in statement mode refuses transactions, which Cartwright needs. */
const assertTransactions = async (client: pg.PoolClient, url: string): Promise<void> => {
  try {
    await client.query('begin');
    await client.query('rollback');
  } catch (cause) {
    if (!/statement pooling/.test(messageOf(cause))) throw cause;
    throw new UserError(
      'database_unsupported',
      `PgBouncer at ${placeOf(url)} is in statement mode, which allows no transactions. Set pool_mode = transaction for this database.`,
      { cause },
    );
  }
};

const pidOf = async (client: pg.PoolClient): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;

/** Whether a pooler gives two clients the same session in turn, which shows that it is in transaction mode. */
const sharesSessions = async (one: pg.PoolClient, other: pg.PoolClient): Promise<boolean> => {
  const first = await pidOf(one);
  for (let tries = 0; tries < 5; tries++) {
    if ((await pidOf(other)) === first || (await pidOf(one)) !== first) return true;
  }
  return false;
};

export type DatabaseAccess = 'direct' | 'session pooler' | 'transaction pooler';

/** In session mode each of our connections occupies one of the pooler's, so the pooler needs enough for a process. */
const assertEnoughSessions = async (pool: pg.Pool, needed: number, url: string): Promise<void> => {
  const opened: pg.PoolClient[] = [];
  try {
    const answers = await Promise.allSettled(
      // Two are open already.
      poolsOf(pool).flatMap((one, nth) =>
        Array.from({ length: one.options.max - (nth === 0 ? 2 : 0) }, async () => {
          opened.push(await one.connect());
        }),
      ),
    );
    if (answers.every(({ status }) => status === 'fulfilled')) return;
  } finally {
    for (const client of opened) client.release();
  }
  throw new UserError(
    'database_unsupported',
    `PgBouncer at ${placeOf(url)} is in session mode and has only ${opened.length + 2} connections to Postgres left; a Cartwright process needs up to ${needed}. Set pool_mode = transaction, or raise default_pool_size.`,
  );
};

const inspectPooler = async (pool: pg.Pool, client: pg.PoolClient, url: string): Promise<DatabaseAccess> => {
  await assertTransactions(client, url);
  if (pool.options.max < 3) return 'transaction pooler';
  const other = await pool.connect();
  try {
    if (await sharesSessions(client, other)) return 'transaction pooler';
    // The queue's pool is as large as the ledger's.
    const own = poolsOf(pool).reduce((sum, one) => sum + one.options.max, 0);
    await assertEnoughSessions(pool, 2 * own, url);
    return 'session pooler';
  } finally {
    other.release();
  }
};

/**
 * Checks that the database answers, is recent enough, and is writable (unless it is only read).
 *
 * @throws UserError `database_down` with the address and the reason; `database_unsupported`
 */
export const assertDatabase = async (
  pool: pg.Pool,
  url: string,
  { readOnly = false }: { readOnly?: boolean } = {},
): Promise<DatabaseAccess> => {
  let client: pg.PoolClient | undefined;
  let failure: Error | undefined;
  try {
    client = await pool.connect();
    const { number, version, reads } = (await firstRow<{ number: number; version: string; reads: boolean }>(
      client,
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
         pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as reads`,
    ))!;
    if (number < oldestMajor * 10_000) {
      throw new UserError(
        'database_unsupported',
        `The database at ${placeOf(url)} is Postgres ${version}; Cartwright needs ${oldestMajor} or later. Upgrade it, or unset DATABASE_URL to use the built-in one.`,
      );
    }
    if (reads && !readOnly) {
      throw new UserError(
        'database_unsupported',
        `The database at ${placeOf(url)} is read-only (a replica, or default_transaction_read_only is on). Set DATABASE_URL to the primary.`,
      );
    }
    return (client as unknown as SessionClient).isPooled ? await inspectPooler(pool, client, url) : 'direct';
  } catch (cause) {
    failure = cause instanceof Error ? cause : new Error(messageOf(cause));
    throw cause instanceof UserError ? cause : down(cause, url);
  } finally {
    client?.release(failure);
  }
};

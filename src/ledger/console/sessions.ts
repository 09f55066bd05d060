import type pg from 'pg';
import type { SeenTimes, Session } from '../../api-contract/access.ts';
import { noteAccess } from '../changes.ts';
import { firstRow, rowsOf } from '../query.ts';
import { inTransaction } from '../transaction.ts';
import { type Actor, recordActivity } from './activity.ts';
import { iso } from './sql-parts.ts';
import type { ConsoleUser } from './users.ts';

export interface FoundSession {
  id: string;
  user: Pick<ConsoleUser, 'id' | 'name' | 'role' | 'accounts'>;
}

export interface SessionLimits {
  /** A session ends when unused for this long. */
  idleMs: number;
  /** A session ends after this time even if it is used. */
  absoluteMs: number;
}

const isAlive = (idle: string) =>
  `s.ends_at > clock_timestamp() and s.used_at > clock_timestamp() - ${idle}::float8 * interval '1 millisecond'`;

/**
 * Finds a live session and its user, and records the use.
 * @param tokenHash sha-256 of the token
 */
export const touchSession = async (
  pool: pg.Pool,
  tokenHash: Buffer,
  { idleMs }: Pick<SessionLimits, 'idleMs'>,
): Promise<FoundSession | undefined> => {
  const { rows } = await pool.query({
    name: 'use-session',
    // One write per minute is precise enough for a limit of hours.
    text: `
      with found as (
        select s.id, s.used_at, u.id as user_id, u.name, u.role, u.accounts
        from console_sessions s join console_users u on u.id = s.user_id
        where s.token_hash = $1 and ${isAlive('$2')}
      ), used as (
        update console_sessions s set used_at = clock_timestamp() from found f
        where s.id = f.id and f.used_at < clock_timestamp() - least(interval '1 minute', $2::float8 / 4 * interval '1 millisecond')
      )
      select * from found`,
    values: [tokenHash, idleMs],
  });
  const row = rows[0];
  return (
    row && {
      id: row.id,
      user: {
        id: String(row.user_id),
        name: row.name,
        role: row.role,
        accounts: row.accounts,
      },
    }
  );
};

/** The rights of a live session's user; undefined if it has ended. Does not count as a use. */
export const findRights = (
  pool: pg.Pool,
  id: string,
  { idleMs }: Pick<SessionLimits, 'idleMs'>,
): Promise<Pick<ConsoleUser, 'role' | 'accounts'> | undefined> =>
  firstRow(
    pool,
    `select u.role, u.accounts from console_sessions s join console_users u on u.id = s.user_id
       where s.id::text = $1 and ${isAlive('$2')}`,
    [id, idleMs],
  );

/** When a session ends, whether its user has a password, and the user's time settings. */
export const findSession = (
  pool: pg.Pool,
  id: string,
): Promise<({ endsAt: Date; hasPassword: boolean } & SeenTimes) | undefined> =>
  firstRow(
    pool,
    `select s.ends_at as "endsAt", u.password is not null as "hasPassword", u.times, u.zone
       from console_sessions s join console_users u on u.id = s.user_id where s.id::text = $1`,
    [id],
  );

/** Starts a session at sign-in and ends the browser's previous one. Deletes ended sessions. */
export const startSession = async (
  pool: pg.Pool,
  given: {
    user: Pick<ConsoleUser, 'id' | 'name'>;
    tokenHash: Buffer;
    previousTokenHash: Buffer | undefined;
    address: string;
    browser: string;
    limits: SessionLimits;
  },
): Promise<{ endsAt: Date }> => {
  const started = await inTransaction(pool, {}, async (client) => {
    const { user, tokenHash, previousTokenHash, address, browser, limits } = given;
    await client.query(`delete from console_sessions s where s.token_hash = $1 or not (${isAlive('$2')})`, [
      previousTokenHash ?? null,
      limits.idleMs,
    ]);
    const { rows } = await client.query<{ endsAt: Date }>(
      `insert into console_sessions (token_hash, user_id, ends_at, address, browser)
       values ($1, $2, clock_timestamp() + $3::float8 * interval '1 millisecond', $4, $5) returning ends_at as "endsAt"`,
      [tokenHash, user.id, limits.absoluteMs, address, browser],
    );
    await client.query('update console_users set signed_in_at = clock_timestamp() where id = $1', [user.id]);
    await recordActivity(client, 'sign_in', { who: user.name, via: 'console' }, { address });
    return rows[0]!;
  });
  if (given.previousTokenHash !== undefined) await noteAccess(pool);
  return started;
};

/** The live sessions of one user, or of all. */
export const listSessions = (
  pool: pg.Pool,
  { idleMs }: Pick<SessionLimits, 'idleMs'>,
  userId: string | undefined,
): Promise<Omit<Session, 'current'>[]> =>
  rowsOf(
    pool,
    `select s.id::text, json_build_object('id', u.id::text, 'name', u.name) as user, ${iso('s.created_at')} as "createdAt",
         ${iso('s.used_at')} as "usedAt", ${iso('s.ends_at')} as "endsAt", s.address, s.browser
       from console_sessions s join console_users u on u.id = s.user_id
       where ${isAlive('$1')} and ($2::text is null or u.id::text = $2)
       order by s.used_at desc, s.id limit 500`,
    [idleMs, userId ?? null],
  );

/**
 * Ends a session.
 * @param of.userId only if it is this user's
 * @returns whether there was one
 */
export const endSession = async (
  pool: pg.Pool,
  id: string,
  by: Actor,
  of: { userId?: string | undefined; action: 'sign_out' | 'session_ended' },
): Promise<boolean> => {
  const ended = await inTransaction(pool, {}, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `delete from console_sessions s using console_users u
       where u.id = s.user_id and s.id::text = $1 and ($2::text is null or u.id::text = $2) returning u.name`,
      [id, of.userId ?? null],
    );
    if (!rows[0]) return false;
    await recordActivity(client, of.action, by, of.action === 'sign_out' ? {} : { user: rows[0].name });
    return true;
  });
  if (ended) await noteAccess(pool);
  return ended;
};

import type pg from 'pg';
import type { SeenTimes, User } from '../../api-contract/access.ts';
import { noteAccess } from '../changes.ts';
import { changesOne, execute, firstRow, rowsOf } from '../query.ts';
import { inTransaction } from '../transaction.ts';
import { type Actor, recordActivity } from './activity.ts';
import { forgetFailures } from './sign-in-limits.ts';
import { iso } from './sql-parts.ts';

export interface ConsoleUser extends Omit<User, 'accounts' | 'signsInWith'> {
  /** Null: all accounts. */
  accounts: string[] | null;
  /** The scrypt hash; null: the user signs in with OpenID Connect. */
  password: string | null;
}

/** A user as pages and programs see one: without the hash. Pure. */
export const presentUser = ({ password, accounts, ...user }: ConsoleUser): User => ({
  ...user,
  accounts: accounts ?? 'all',
  signsInWith: password === null ? 'openid' : 'password',
});

export interface NewUser extends Pick<ConsoleUser, 'name' | 'role' | 'accounts' | 'password'> {
  /** The issuer and subject of OpenID Connect. */
  subject?: string;
}

const columns = `u.id::text, u.name, u.role, u.accounts, u.password,
  ${iso('u.created_at')} as "createdAt", u.created_by as "createdBy", ${iso('u.signed_in_at')} as "signedInAt"`;

/** Serializes changes of users, so that two changes at once cannot remove the last two admins. */
const lockUsers = 'lock table console_users in share row exclusive mode';

export const listUsers = (pool: pg.Pool): Promise<ConsoleUser[]> =>
  rowsOf(pool, `select ${columns} from console_users u order by lower(u.name)`);

export const hasUsers = (pool: pg.Pool): Promise<boolean> =>
  changesOne(pool, 'select from console_users limit 1');

/** Finds a user by name, ignoring case. */
export const findUser = (pool: pg.Pool, name: string): Promise<ConsoleUser | undefined> =>
  firstRow(pool, `select ${columns} from console_users u where lower(u.name) = lower($1)`, [name]);

export const findUserById = (client: Pick<pg.Pool, 'query'>, id: string): Promise<ConsoleUser | undefined> =>
  firstRow(client, `select ${columns} from console_users u where u.id::text = $1`, [id]);

/**
 * Adds a user.
 * @param options.first only if there is no user yet
 * @returns undefined if the name is taken, or if there is a user already and this had to be the first
 */
export const addUser = (
  pool: pg.Pool,
  user: NewUser,
  by: Actor,
  { first = false }: { first?: boolean } = {},
): Promise<ConsoleUser | undefined> =>
  inTransaction(pool, {}, async (client) => {
    await client.query(lockUsers);
    const { rows } = await client.query<ConsoleUser>(
      `insert into console_users as u (name, password, subject, role, accounts, created_by)
       select $1, $2, $3, $4, $5, $6
       where not exists (select from console_users x where lower(x.name) = lower($1) or $7)
       returning ${columns}`,
      [user.name, user.password, user.subject ?? null, user.role, user.accounts, by.who, first],
    );
    if (!rows[0]) return undefined;
    const { name, role, accounts } = user;
    await recordActivity(client, 'user_added', by, { user: name, role, accounts: accounts ?? 'all' });
    return rows[0];
  });

/** Changes access rights and notifies the consoles, because open streams still use the old rights. */
const changingRights = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const changed = await inTransaction(pool, {}, work);
  await noteAccess(pool);
  return changed;
};

export type UserChange =
  | { kind: 'done'; user: ConsoleUser }
  | { kind: 'unknown' }
  | { kind: 'last_admin' }
  | { kind: 'admin_of_some' };

const isLastAdmin = async (client: pg.PoolClient, id: string): Promise<boolean> => {
  const { rows } = await client.query<{ id: string }>(
    `select id::text from console_users where role = 'admin' limit 2`,
  );
  return rows.length === 1 && rows[0]!.id === id;
};

/**
 * Changes a user's role, accounts or password. A new password ends the user's sessions, except a given one, and lifts the limit after
 * failed sign-ins. At least one admin remains.
 */
export const changeUser = (
  pool: pg.Pool,
  id: string,
  change: Partial<Pick<ConsoleUser, 'role' | 'accounts' | 'password'>>,
  by: Actor,
  { keepSession }: { keepSession?: string | undefined } = {},
): Promise<UserChange> =>
  changingRights(pool, async (client): Promise<UserChange> => {
    await client.query(lockUsers);
    const before = await findUserById(client, id);
    if (!before) return { kind: 'unknown' };
    // An admin has all accounts.
    const after = { ...before, ...(change.role === 'admin' ? { accounts: null } : {}), ...change };
    if (after.role === 'admin' && after.accounts !== null) return { kind: 'admin_of_some' };
    const remains = after.role === 'admin';
    if (!remains && (await isLastAdmin(client, id))) return { kind: 'last_admin' };
    await client.query(
      'update console_users set role = $2, accounts = $3, password = $4 where id::text = $1',
      [id, after.role, after.accounts, after.password],
    );
    if (change.password !== undefined) {
      await forgetFailures(client, before.name);
      await client.query(
        'delete from console_sessions where user_id::text = $1 and id::text is distinct from $2',
        [id, keepSession ?? null],
      );
    }
    await recordActivity(client, 'user_changed', by, {
      user: before.name,
      ...(change.role === undefined ? {} : { role: change.role }),
      ...(change.accounts === undefined ? {} : { accounts: change.accounts ?? 'all' }),
      ...(change.password === undefined ? {} : { password: 'new' }),
    });
    return { kind: 'done', user: after };
  });

/** Replaces a password's hash by one with other parameters. */
export const storeRehashed = (pool: pg.Pool, id: string, before: string, after: string): Promise<void> =>
  execute(pool, 'update console_users set password = $3 where id::text = $1 and password = $2', [
    id,
    before,
    after,
  ]);

/** Stores a user's time settings. */
export const storeTimes = (pool: pg.Pool, id: string, { times, zone }: SeenTimes): Promise<void> =>
  execute(pool, 'update console_users set times = $2, zone = $3 where id::text = $1', [id, times, zone]);

/** Removes a user with all sessions and saved views, except shared ones. At least one admin remains. */
export const removeUser = (pool: pg.Pool, id: string, by: Actor): Promise<UserChange> =>
  changingRights(pool, async (client): Promise<UserChange> => {
    await client.query(lockUsers);
    if (await isLastAdmin(client, id)) return { kind: 'last_admin' };
    await client.query('delete from console_views where user_id::text = $1 and not shared', [id]);
    const { rows } = await client.query<ConsoleUser>(
      `delete from console_users u where u.id::text = $1 returning ${columns}`,
      [id],
    );
    if (!rows[0]) return { kind: 'unknown' };
    await recordActivity(client, 'user_removed', by, { user: rows[0].name });
    return { kind: 'done', user: rows[0] };
  });

/**
 * The OpenID Connect user with this subject, created or updated according to the groups.
 * @returns undefined if a user with a password has the name, because both would look the same in the activity list
 */
export const upsertOpenIdUser = (
  pool: pg.Pool,
  user: NewUser & { subject: string },
): Promise<ConsoleUser | undefined> =>
  changingRights(pool, async (client) => {
    await client.query(lockUsers);
    const updated = await firstRow<ConsoleUser>(
      client,
      `update console_users u set role = $2, accounts = $3 where u.subject = $1 returning ${columns}`,
      [user.subject, user.role, user.accounts],
    );
    if (updated) return updated;
    return firstRow(
      client,
      `insert into console_users as u (name, subject, role, accounts, created_by)
       select $1, $2, $3, $4, 'OpenID Connect'
       where not exists (select from console_users x where lower(x.name) = lower($1))
       returning ${columns}`,
      [user.name, user.subject, user.role, user.accounts],
    );
  });

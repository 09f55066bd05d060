import type pg from 'pg';
import type { SavedView as ShownView } from '../../api-contract/views.ts';
import { noteChange } from '../changes.ts';
import { firstRow, rowsOf } from '../query.ts';
import { inTransaction } from '../transaction.ts';
import { type Actor, recordActivity } from './activity.ts';

export type SavedView = Omit<ShownView, 'removable'>;

/** Who reads or changes views. */
export interface ViewReader {
  /** The ID of the user; null: a program, which has no views of its own. */
  userId: string | null;
  /** The accounts that the reader may see; null: all. */
  allowed: readonly string[] | null;
}

const columns = `v.id::text, v.page, v.name, v.search, v.shared, v.made_by as "madeBy", coalesce(v.user_id::text = $1, false) as own`;

/** The reader's own and shared views of a page, by name; without those that filter by an account that the reader may not see. */
export const listViews = (
  pool: pg.Pool,
  page: string,
  { userId, allowed }: ViewReader,
): Promise<SavedView[]> =>
  rowsOf(
    pool,
    `select ${columns} from console_views v
     where v.page = $2 and (v.shared or v.user_id::text = $1) and (v.account is null or $3::text[] is null or v.account = any($3))
     order by lower(v.name), v.id limit 500`,
    [userId, page, allowed],
  );

/** Saves a view, replacing the user's view of that name on the page. Sharing is recorded. */
export const saveView = async (
  pool: pg.Pool,
  userId: string,
  view: Pick<SavedView, 'page' | 'name' | 'search' | 'shared'> & { account: string | null },
  by: Actor,
): Promise<SavedView> => {
  const saved = await inTransaction(pool, {}, async (client) => {
    const { rows } = await client.query<SavedView>(
      `insert into console_views as v (user_id, made_by, page, name, search, account, shared)
       values ($1::text::bigint, $2, $3, $4, $5, $6, $7)
       on conflict (user_id, page, lower(name)) do update
         set name = excluded.name, search = excluded.search, account = excluded.account, shared = excluded.shared
       returning ${columns}`,
      [userId, by.who, view.page, view.name, view.search, view.account, view.shared],
    );
    const { page, name } = view;
    if (view.shared) await recordActivity(client, 'view_shared', by, { view: name, page });
    return rows[0]!;
  });
  if (view.shared) noteChange(pool, { topics: ['activity'] });
  return saved;
};

/**
 * Removes the user's own view, or any shared one for an admin.
 * @returns false if there is none that the person may remove
 */
export const removeView = async (
  pool: pg.Pool,
  id: string,
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
  by: Actor,
): Promise<boolean> => {
  const removed = await inTransaction(pool, {}, async (client) => {
    const view = await firstRow<Pick<SavedView, 'name' | 'page' | 'shared'>>(
      client,
      `delete from console_views v where v.id = $1::bigint and (v.user_id::text = $2 or (v.shared and $3))
       returning v.name, v.page, v.shared`,
      [id, userId, isAdmin],
    );
    if (view?.shared) await recordActivity(client, 'view_removed', by, { view: view.name, page: view.page });
    return view;
  });
  if (removed?.shared) noteChange(pool, { topics: ['activity'] });
  return removed !== undefined;
};

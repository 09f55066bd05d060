import type pg from 'pg';
import type { ImportRegister } from '../intake/inbox/import-register.ts';
import { execute, onlyValue } from './query.ts';

/**
 * The number of files moved to each account's done/ (table folder_positions). Each function is one statement. The ledger
 * is always written before the folder, so it can be behind the folder only if it was restored from a backup.
 */
export const createFolderPositions = (
  pool: pg.Pool,
): Pick<ImportRegister, 'compareFolder' | 'advanceFolder' | 'finishRestore'> => ({
  compareFolder: (account, position) =>
    onlyValue<boolean>(pool, {
      name: 'compare-folder',
      text: `
        with ahead as (
          insert into folder_positions as f (account, position, restore_due)
          select $1, $2::bigint, true
          where $2::bigint > coalesce((select position from folder_positions where account = $1), 0)
          on conflict (account) do update set position = excluded.position, restore_due = true
            where f.position < excluded.position
          returning restore_due)
        select exists (select from ahead)
          or coalesce((select restore_due from folder_positions where account = $1), false) as due`,
      values: [account, position],
    }),

  advanceFolder: async (account, position) => {
    const { rows } = await pool.query<{ position: string }>({
      name: 'advance-folder',
      text: `
        insert into folder_positions as f (account, position, restore_due) values ($1, $2::bigint + 1, $2::bigint > 0)
        on conflict (account) do update set position = greatest(f.position, $2::bigint) + 1,
          restore_due = f.restore_due or $2::bigint > f.position
        returning position`,
      values: [account, position],
    });
    return Number(rows[0]!.position);
  },

  finishRestore: (account) =>
    execute(pool, 'update folder_positions set restore_due = false where account = $1', [account]),
});

/** What the ledger knows about the folders of all accounts, read in one query. */
export interface KnownFolders {
  /** Folder position by account: -1 if a restore is due, 0 if the account is not listed. */
  positions: ReadonlyMap<string, number>;
  /** Accounts with files that are checked for later changes. */
  watched: ReadonlySet<string>;
}

/** @see KnownFolders */
export const listKnownFolders = async (pool: pg.Pool): Promise<KnownFolders> => {
  const { rows } = await pool.query<{ account: string; position: string | null }>({
    name: 'list-known-folders',
    text: `
      select account, case when restore_due then -1 else position end as position from folder_positions
      union all
      select distinct i.account, null::bigint from watched_files w join imports i on i.id = w.import_id where w.path is not null`,
  });
  const positions = new Map<string, number>();
  const watched = new Set<string>();
  for (const { account, position } of rows)
    if (position === null) watched.add(account);
    else positions.set(account, Number(position));
  return { positions, watched };
};

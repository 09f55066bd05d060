import type pg from 'pg';
import type { ImportRegister } from '../intake/inbox/import-register.ts';

/**
 * The number of files moved to each account's done/ (table folder_positions). Each function is one statement. The ledger
 * is always written before the folder, so it can be behind the folder only if it was restored from a backup.
 */
export const createFolderPositions = (
  pool: pg.Pool,
): Pick<ImportRegister, 'compareFolder' | 'advanceFolder' | 'finishRestore'> => ({
  compareFolder: async (account, position) => {
    const { rows } = await pool.query<{ due: boolean }>({
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
    });
    return rows[0]!.due;
  },

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

  finishRestore: async (account) => {
    await pool.query('update folder_positions set restore_due = false where account = $1', [account]);
  },
});

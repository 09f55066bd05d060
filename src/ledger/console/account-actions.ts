import type pg from 'pg';
import { noteChange } from '../changes.ts';
import type { Acting } from './operator-pauses.ts';

/** Records what a person did with an account or an import, where nothing else in the ledger changes. */
export const recordAccountAction = async (
  pool: pg.Pool,
  {
    who,
    via,
    note,
    action,
    account,
    importId,
  }: Acting & { action: string; account: string; importId?: string },
): Promise<void> => {
  await pool.query(
    'insert into operator_actions (who, via, action, account, import_id, note) values ($1, $2, $3, $4, $5, $6)',
    [who, via, action, account, importId ?? null, note ?? null],
  );
  noteChange(pool, { topics: ['activity'], account });
};

import type pg from 'pg';
import type { FileAction } from '../api-contract/actions.ts';
import { assignParts } from './assigned.ts';
import { noteChange } from './changes.ts';
import { isOpenFile } from './import-counts.ts';
import { withParts } from './po/change.ts';
import type { Operator } from './po/operator-actions.ts';

const allowed: Record<FileAction, string> = {
  settle: isOpenFile('i'),
  unsettle: `(i.settled_at is not null)`,
  assign: isOpenFile('i'),
};

const settledAs: Record<Exclude<FileAction, 'assign'>, string> = {
  settle: 'clock_timestamp()',
  unsettle: 'null',
};

const actSql = (action: FileAction): string => {
  const those = `i.id = any($1::bigint[]) and ($2::text[] is null or i.account = any($2)) and ${allowed[action]}`;
  const columns = 'i.id, i.account, i.reason_text';
  return `${withParts({
    acted:
      action === 'assign'
        ? `select ${columns} from imports i where ${those}`
        : `update imports i set settled_at = ${settledAs[action]} where ${those} returning ${columns}`,
    ...(action === 'assign' ? assignParts('import') : {}),
    recorded: `insert into operator_actions (who, via, action, account, import_id, note, detail)
      select $3, $4, '${action}', a.account, a.id, $5, jsonb_strip_nulls(jsonb_build_object('assignee', $6::text, 'known', a.reason_text)) from acted a`,
  })} select id::text, account from acted`;
};

/**
 * Marks files, or their rows that belong to no PO, as not needed, undoes that, or assigns them to a person; and records the action.
 * @param accounts those that the person may act for; null: all
 * @returns the ids that changed; the others needed nothing any more
 */
export const actOnFiles = async (
  pool: pg.Pool,
  action: FileAction,
  ids: readonly string[],
  accounts: readonly string[] | null,
  by: Operator,
): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string; account: string }>(actSql(action), [
    ids,
    accounts,
    by.who,
    by.via ?? 'command line',
    by.note ?? null,
    by.assignee ?? null,
  ]);
  for (const { id, account } of rows)
    noteChange(pool, { topics: ['imports', 'activity'], account, importId: id });
  return rows.map(({ id }) => id);
};

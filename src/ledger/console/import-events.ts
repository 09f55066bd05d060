import type pg from 'pg';
import { actedOn, stateSince } from '../purchase-order-sql.ts';
import { rowsOf } from '../query.ts';
import { iso } from './sql-parts.ts';

export interface ImportEvent {
  at: string;
  /** An event of the file, an operator action, or a state that POs came into. */
  code: string;
  detail: string | null;
  who: string | null;
  /** How many POs it concerns; null: it concerns the file. */
  count: number | null;
  rowCount: number | null;
  state: string | null;
  reasonCode: string | null;
}

// A PO that a person released or retried still counts where it was held or failed: history does not change afterwards.
const endings = `
  select ${stateSince('p')} as at, p.state, p.reason_code from purchase_orders p
    where p.import_id = $1 and (p.state in ('held', 'failed') or p.state = 'cancelled' and not exists (
      select from operator_actions a where a.purchase_order_id = p.id and a.action = 'cancel'))
  union all
  select p.created_at, 'rejected', 'row_issues' from purchase_orders p where p.import_id = $1 and p.state = 'rejected'
  union all
  select past.at, past.state, past.reason_code from ${actedOn('a.import_id = $1')} past`;

const actions = `
  select min(a.at) as at, a.action, a.note, a.who,
    coalesce(nullif(count(a.purchase_order_id), 0), sum((a.detail ->> 'expected')::int)) as count
  from operator_actions a where a.import_id = $1 group by date_trunc('minute', a.at), a.action, a.who, a.note`;

/** The events of an import: its file, its POs by minute, operator actions by minute, its result file. */
export const listImportEvents = (pool: pg.Pool, importId: string): Promise<ImportEvent[]> =>
  rowsOf(pool, {
    name: 'console-import-events',
    text: `
      select ${iso('e.at')} as at, code, detail, who, count::int, rows as "rowCount", state, reason_code as "reasonCode" from (
        select u.uploaded_at as at, 0 as rank, 'uploaded' as code, null as detail, u.who, null::bigint as count, null::int as rows,
          null as state, null as reason_code from uploads u where u.import_id = $1 and not exists (select from corrections c where c.upload_id = u.id)
        union all select i.taken_at, 1, 'taken', i.file_name, null, null, null, null, null from imports i where i.id = $1
        union all select i.read_at, 2, i.state, i.reason_text, null,
            case when i.state = 'read' then (select count(*) from purchase_orders p where p.import_id = i.id) end,
            case when i.state = 'read' then i.row_count end, null, null
          from imports i where i.id = $1 and i.read_at is not null
        union all
        select min(p.ordered_at), 4, 'state', null, null, count(*), null, 'ordered', null from purchase_orders p
          where p.import_id = $1 and p.ordered_at is not null group by date_trunc('minute', p.ordered_at)
        union all
        select min(s.at), 3, 'state', null, null, count(*), null, s.state, s.reason_code from (${endings}) s
          group by date_trunc('minute', s.at), s.state, s.reason_code
        union all
        select a.at, 5, case a.action when 'uploaded' then 'upload_confirmed' else a.action end, a.note, a.who, a.count, null,
          null, null from (${actions}) a
        union all
        select i.result_written_at, 6, 'result', i.result_path, null, null, null, null, null from imports i
          where i.id = $1 and i.result_written_at is not null
      ) e order by e.at, e.rank limit 500`,
    values: [importId],
  });

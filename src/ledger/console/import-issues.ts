import type pg from 'pg';
import { iso } from './sql-parts.ts';

export interface GroupedIssue {
  column: string;
  code: string;
  severity: 'issue' | 'note';
  message: string;
  expected: string | null;
  count: number;
  poCount: number;
  rows: { rowNumber: number; poNumber: string | null; found: string | null }[];
}

/** The row issues of an import by column and cause, at most 200 groups. */
export const groupIssues = async (pool: pg.Pool, importId: string): Promise<GroupedIssue[]> => {
  const { rows } = await pool.query<GroupedIssue>({
    name: 'console-issue-groups',
    text: `
      with numbered as (
        select *, row_number() over (partition by column_name, code, severity order by row_number) as nth
        from row_issues where import_id = $1
      )
      select column_name as "column", code, severity, min(message) filter (where nth = 1) as message,
        min(expected) filter (where nth = 1) as expected, count(*)::int as count,
        (count(distinct po_number) filter (where severity = 'issue'))::int as "poCount",
        json_agg(json_build_object('rowNumber', row_number, 'poNumber', po_number, 'found', found) order by row_number)
          filter (where nth <= 20) as rows
      from numbered group by 1, 2, 3
      order by severity, "poCount" desc, count desc, 1, 2 limit 200`,
    values: [importId],
  });
  return rows;
};

export interface ListedIssue {
  rowNumber: number;
  poNumber: string | null;
  severity: 'issue' | 'note';
  column: string;
  code: string;
  message: string;
  found: string | null;
  expected: string | null;
}

/** A page of row issues by row, behind a row and its nth issue. */
export const listIssues = async (
  pool: pg.Pool,
  importId: string,
  filter: { column?: string | undefined; code?: string | undefined },
  page: { after: { rowNumber: number; nth: number } | undefined; limit: number },
): Promise<(ListedIssue & { nth: number })[]> => {
  const { rows } = await pool.query({
    name: 'console-issues',
    text: `
      select * from (
        select row_number as "rowNumber", po_number as "poNumber", severity, column_name as "column", code, message, found,
          expected, (row_number() over (partition by row_number order by column_name, code, message))::int as nth
        from row_issues where import_id = $1 and ($2::text is null or column_name = $2) and ($3::text is null or code = $3)
          and row_number >= $4
      ) i where ("rowNumber", nth) > ($4, $5) order by "rowNumber", nth limit $6`,
    values: [
      importId,
      filter.column ?? null,
      filter.code ?? null,
      page.after?.rowNumber ?? 0,
      page.after?.nth ?? 0,
      page.limit,
    ],
  });
  return rows;
};

export interface ImportEvent {
  at: string;
  code: string;
  detail: string | null;
  who: string | null;
  count: number | null;
  state: string | null;
}

/** What happened to an import: its file, its POs by minute, operator actions by minute, its result file. */
export const listImportEvents = async (pool: pg.Pool, importId: string): Promise<ImportEvent[]> => {
  const { rows } = await pool.query<ImportEvent>({
    name: 'console-import-events',
    text: `
      select ${iso('e.at')} as at, code, detail, who, count::int, state from (
        select u.uploaded_at as at, 0 as rank, 'uploaded' as code, null as detail, u.who, null::bigint as count, null as state
          from uploads u where u.import_id = $1
        union all select i.taken_at, 1, 'taken', i.file_name, null, null, null from imports i where i.id = $1
        union all select i.read_at, 2, i.state, i.reason_text, null, i.row_count, null from imports i
          where i.id = $1 and i.read_at is not null
        union all
        select min(p.ordered_at), 3, 'ordered', null, null, count(*), 'ordered' from purchase_orders p
          where p.import_id = $1 and p.ordered_at is not null group by date_trunc('minute', p.ordered_at)
        union all
        select min(p.changed_at), 4, 'state', p.reason_code, null, count(*), p.state from purchase_orders p
          where p.import_id = $1 and p.state in ('held', 'failed', 'cancelled') group by date_trunc('minute', p.changed_at), p.state, p.reason_code
        union all
        select min(a.at), 5, a.action, a.note, a.who, count(a.purchase_order_id), null from operator_actions a
          where a.import_id = $1 group by date_trunc('minute', a.at), a.action, a.who, a.note
        union all
        select i.result_written_at, 6, 'result', i.result_path, null, null, null from imports i
          where i.id = $1 and i.result_written_at is not null
      ) e order by e.at, e.rank limit 500`,
    values: [importId],
  });
  return rows;
};

import type pg from 'pg';
import type { IssueGroup, IssueRow } from '../../api-contract/import-issues.ts';
import { rowsOf } from '../query.ts';

/** The row issues of an import by column and cause, at most 200 groups. */
export const groupIssues = (pool: pg.Pool, importId: string): Promise<Omit<IssueGroup, 'fix'>[]> =>
  rowsOf(pool, {
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

/** A page of row issues by row, after a given row and its nth issue. */
export const listIssues = (
  pool: pg.Pool,
  importId: string,
  filter: { column?: string | undefined; code?: string | undefined },
  page: { after: { rowNumber: number; nth: number } | undefined; limit: number },
): Promise<(IssueRow & { nth: number })[]> =>
  rowsOf(pool, {
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

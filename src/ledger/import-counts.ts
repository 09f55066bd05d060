import type pg from 'pg';
import type { ImportState } from '../intake/inbox/import-register.ts';
import { type LeftOutCode, leftOutCodes } from '../intake/rows/row-issue.ts';
import type { PurchaseOrderState } from '../placing/types.ts';
import { reasonTextOf } from './conflict-reason.ts';
import {
  cameAgain,
  countedState,
  isActive,
  isHere,
  isUnsolved,
  listed,
  posOfFile,
} from './purchase-order-sql.ts';
import { filledRows } from './query.ts';

/** POs by state. POs that a later file corrected or a person marked as not needed are counted separately. */
export type StateCounts = Partial<Record<PurchaseOrderState | 'corrected' | 'not_needed', number>>;

/** An import with the number of its POs by state. */
export interface ImportCounts {
  importId: string;
  account: string;
  fileName: string;
  /** Relative to the account's folder. */
  resultPath: string | undefined;
  state: ImportState;
  reasonCode: string | undefined;
  reasonText: string | undefined;
  rowCount: number;
  takenAt: Date;
  quoteOnly: boolean;
  /** The number of its own POs by state, without those whose number now belongs to another file. */
  counts: StateCounts;
  /** POs that it asks for but that belong to other files, by their state there. */
  elsewhereCounts: StateCounts;
  /** Its cancelled POs whose numbers came again in other files. */
  cameAgain: number;
  /** State `repeated`: the import of the same bytes, and its state. Otherwise its own. */
  answeredBy: string;
  answeredByState: ImportCounts['state'];
  /** The number of POs with a next step, both own and repeated. */
  active: number;
  /** Completed quotes. */
  quotedCount: number;
  /** Active POs whose last calls did not reach the service. */
  failing: number;
  /** A problem of a file that was read: it changed later, or the price guard cannot work. */
  warning: string | undefined;
  /** Row issues without notes. */
  issueCount: number;
  /** Rows with issues that belong to no PO and so were not ordered. */
  rowsWithoutPo: number;
  /** Skipped rows by note code; for a file with POs, only rows that a person decided about. */
  leftOut: Partial<Record<LeftOutCode, number>>;
  /** The result file is up to date. */
  resultWritten: boolean;
}

/** SQL: skipped rows by note code; for an import with POs of its own, only rows that a person decided about. */
export const leftOutOf = (i: string): string => `(
    select coalesce(jsonb_object_agg(code, n), '{}') from (
      select r.code, count(distinct r.row_number)::int as n from row_issues r
      where r.import_id = ${i}.id and r.code in (${listed(leftOutCodes)}) and (${i}.po_count = 0 or r.code = 'left_out')
      group by 1) rows_left_out)`;

const issuesWithoutPo = (i: string): string =>
  `from row_issues r where r.import_id = ${i}.id and r.severity = 'issue' and r.po_number is null`;

/** SQL: how many rows of an import have issues and belong to no PO. */
export const rowsWithoutPo = (i: string): string =>
  `(select count(distinct r.row_number)::int ${issuesWithoutPo(i)})`;

/** SQL: the file was refused or has rows that belong to no PO, and nobody has marked it as not needed. */
export const isOpenFile = (i: string): string =>
  `(${i}.settled_at is null and (${i}.state = 'refused' or ${i}.state = 'read' and exists (select ${issuesWithoutPo(i)})))`;

// All POs of an identical file belong to the first one.
const asked = (source: string, isOther: string) => `
  select ${countedState('w')} as state, w.reason_code, w.failing_since, ${isOther} or not ${isHere('w')} as elsewhere,
    ${cameAgain('w')} as came_again
    from ${posOfFile(source)} w`;

const countsSql = (which: string) => `
  select i.id as "importId", i.account, i.file_name as "fileName", i.result_path as "resultPath", i.state,
    i.reason_code as "reasonCode", i.reason_text as "reasonText", i.row_count as "rowCount", i.taken_at as "takenAt",
    i.quote_only as "quoteOnly", s.id as "answeredBy", s.state as "answeredByState",
    not i.result_due and i.result_written_at is not null as "resultWritten",
    coalesce(p.counts, '{}') as counts, coalesce(p.elsewhere, '{}') as "elsewhereCounts", coalesce(p.quoted, 0) as "quotedCount",
    coalesce(p.active, 0) as active, coalesce(p.failing, 0) as failing, coalesce(p.came_again, 0) as "cameAgain",
    nullif(concat_ws(' ', i.file_grew, (
      select r.message from row_issues r where r.import_id = i.id and r.code = 'price_guard_idle' limit 1)), '') as warning,
    (select count(*)::int from row_issues r where r.import_id = i.id and r.severity = 'issue') as "issueCount",
    ${rowsWithoutPo('s')} as "rowsWithoutPo", ${leftOutOf('i')} as "leftOut"
  from (${which}) i
  join imports s on s.id = coalesce(i.repeats_import_id, i.id)
  left join lateral (
    select jsonb_object_agg(state, n) filter (where not elsewhere) as counts,
      jsonb_object_agg(state, n) filter (where elsewhere) as elsewhere, sum(quoted)::int as quoted,
      (sum(n) filter (where ${isActive('counted')}))::int as active, sum(failing)::int as failing,
      (sum(came_again) filter (where not elsewhere))::int as came_again
    from (
      select state, elsewhere, count(*)::int as n,
        count(*) filter (where reason_code = 'quoted')::int as quoted,
        (count(*) filter (where ${isActive('asked')} and failing_since is not null))::int as failing,
        count(*) filter (where came_again) as came_again
      from (${asked('s.id', 's.id <> i.id')}) asked group by 1, 2
    ) counted
  ) p on true
  order by i.id`;

/** The counts of these imports, by id. Unknown ids are skipped. */
export const countImports = (pool: pg.Pool, importIds: readonly string[]): Promise<ImportCounts[]> =>
  filledRows(pool, {
    name: 'import-counts',
    text: countsSql('select * from imports where id = any($1::bigint[])'),
    values: [importIds],
  });

/** The latest imports, in ascending order. */
export const latestImports = (
  pool: pg.Pool,
  filter: { account?: string | undefined; limit: number },
): Promise<ImportCounts[]> =>
  filledRows(pool, {
    name: 'latest-imports',
    text: countsSql('select * from imports where $1::text is null or account = $1 order by id desc limit $2'),
    values: [filter.account ?? null, filter.limit],
  });

/** A PO of an import that did not become an order, and why. */
export interface NotOrderedPo {
  importId: string;
  poNumber: string;
  firstRow: number;
  state: 'rejected' | 'held' | 'failed' | 'cancelled';
  reasonCode: string | undefined;
  reasonText: string | undefined;
  /** Its row issues, in the file's order; at most twenty. */
  issues: { rowNumber: number; column: string; message: string; found: string | null }[];
}

/** The POs of these imports that were not ordered and need attention, by import and in the file's order. */
export const listNotOrdered = (
  pool: pg.Pool,
  importIds: readonly string[],
  limit: number,
): Promise<NotOrderedPo[]> =>
  filledRows(pool, {
    name: 'open-questions',
    text: `
      with sources as (
        select coalesce(repeats_import_id, id) as id from imports where id = any($1::bigint[])
      ), asked as (
        select w.id from sources s cross join lateral (select * from ${posOfFile('s.id')} w) w
      )
      select p.import_id as "importId", p.po_number as "poNumber", p.first_row as "firstRow", p.state,
        p.reason_code as "reasonCode", ${reasonTextOf('p')} as "reasonText",
        (select coalesce(json_agg(json_build_object('rowNumber', r.row_number, 'column', r.column_name,
            'message', r.message, 'found', r.found)), '[]')
         from (select * from row_issues r where r.import_id = p.import_id and r.po_number = p.po_number
           and r.severity = 'issue' order by r.row_number limit 20) r) as issues
      from purchase_orders p
      where p.id in (select id from asked) and (p.state in ('held', 'cancelled') or ${isUnsolved('p')})
      order by p.import_id, p.first_row limit $2`,
    values: [importIds, limit],
  });

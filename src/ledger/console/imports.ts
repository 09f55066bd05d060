import type pg from 'pg';
import type { ImportDetail, ImportOutcome, ImportSummary } from '../../api-contract/imports.ts';
import type { ImportState } from '../../intake/inbox/import-register.ts';
import type { LeftOutCode } from '../../intake/rows/row-issue.ts';
import type { Detection } from '../../intake/types.ts';
import { assigneeOf } from '../assigned.ts';
import { leftOutOf, rowsWithoutPo } from '../import-counts.ts';
import {
  actedOn,
  cameAgain,
  isActive,
  isHere,
  isSettled,
  posOfFile,
  shownState,
  stateSince,
} from '../purchase-order-sql.ts';
import { firstRow, rowsOf } from '../query.ts';
import { behindImport, type ImportPage, orderOfImports } from './import-order.ts';
import { outcomes } from './import-outcomes.ts';
import { beginsWith, contains, createBinder, iso, isPart } from './sql-parts.ts';

/** An import with the number of its POs, for lists. */
export interface ListedImport
  extends Omit<ImportSummary, 'outcome' | 'outcomeText' | 'source' | 'finishedAt' | 'durationMs'> {
  state: ImportState;
  /** Its rows were corrected in the browser. */
  isCorrection: boolean;
  elsewhereCount: number;
  /** Its cancelled POs whose numbers came again in other files. */
  cameAgainCount: number;
  /** The file was refused, and a person marked it as not needed. */
  settled: boolean;
  quoted: number;
  /** POs with a next step, its own and repeated ones, whatever later files contain. */
  active: number;
  /** When the last of them came into its state; null without POs. */
  changedAt: string | null;
  /** When the last of its POs was first submitted, held or ended, whatever people decided later; null without POs. */
  firstDoneAt: string | null;
  /** Rows with issues that belong to no PO. */
  rowsWithoutPo: number;
  /** Skipped rows by note code; for a file with POs, only rows that a person decided about. */
  leftOut: Partial<Record<LeftOutCode, number>>;
}

export interface ImportFilter {
  account?: string | undefined;
  outcome?: ImportOutcome | 'finished' | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Part of the file name, ignoring case; a text of less than three characters matches the beginning only. */
  file?: string | undefined;
}

const uploadOf = (i: string) => `(
  select u.who from uploads u where u.account = ${i}.account and u.sha256 = ${i}.sha256 and u.state = 'confirmed'
    and u.uploaded_at <= ${i}.taken_at and (u.import_id = ${i}.id or (u.import_id is null and u.confirmed_at <= ${i}.taken_at)) order by u.confirmed_at desc limit 1)`;

const listedColumns = `i.id::text, i.account, i.file_name as "fileName", i.state, i.reason_code as "reasonCode",
  i.reason_text as "reasonText", i.quote_only as "quoteOnly", i.restored, ${uploadOf('i')} as "uploadedBy",
  exists (select from uploads u join corrections c on c.upload_id = u.id where u.import_id = i.id) as "isCorrection",
  ${iso('i.taken_at')} as "takenAt", ${iso('i.read_at')} as "readAt", i.row_count as "rowCount",
  coalesce(c.states, '{}') as states, coalesce(c.pos, 0)::int as "poCount", coalesce(c.elsewhere, '{}') as elsewhere,
  coalesce(c.others, 0)::int as "elsewhereCount", coalesce(c.again, 0)::int as "cameAgainCount", i.settled_at is not null as settled, ${assigneeOf('import', 'i.id')} as assignee,
  coalesce(c.quoted, 0)::int as quoted, coalesce(c.active, 0)::int as active, ${iso('c.changed_at')} as "changedAt",
  ${iso('c.first_done_at')} as "firstDoneAt",
  (select count(*)::int from row_issues r where r.import_id = i.id and r.severity = 'issue') as "issueCount",
  ${rowsWithoutPo('i')} as "rowsWithoutPo", ${leftOutOf('i')} as "leftOut"`;

const counted = `left join lateral (
    select jsonb_object_agg(state, n) filter (where here) as states, sum(own) as pos,
      jsonb_object_agg(state, n) filter (where not here) as elsewhere, sum(n) filter (where not here) as others, sum(again) as again,
      sum(n) filter (where state = 'quoted') as quoted, max(changed_at) as changed_at,
      max(first_done_at) as first_done_at, sum(active) as active
    from (select ${shownState('p')} as state, ${isHere('p')} as here, count(*) as n, count(*) filter (where p.own) as own,
        count(*) filter (where ${cameAgain('p')}) as again, count(*) filter (where ${isActive('(p.asked)')}) as active,
        max(${stateSince('(p.asked)')}) as changed_at,
        max(least(first.at, case when (p.asked).state in ('ordered', 'closed') then coalesce((p.asked).ordered_at, (p.asked).changed_at)
          when (p.asked).state = 'rejected' then (p.asked).created_at else ${stateSince('(p.asked)')} end)) as first_done_at
      from ${posOfFile('i.id')} p
      left join (select past.purchase_order_id, min(past.at) as at from ${actedOn('a.import_id = i.id')} past group by 1) first
        on first.purchase_order_id = (p.asked).id
      group by 1, 2) s) c on true`;

/** SQL: the import's file name matches. */
const isNamed = (file: string, given: string): string =>
  (isPart(file) ? contains : beginsWith)('lower(i.file_name)', `lower(${given}::text)`);

/** A page of imports. `allowed`: the accounts that the reader may see; null for all. */
export const listImports = async (
  pool: pg.Pool,
  filter: ImportFilter,
  page: ImportPage,
  allowed: readonly string[] | null,
): Promise<ListedImport[]> => {
  const { values, bind } = createBinder();
  const { account, outcome, from, to, file } = filter;
  const named = account === undefined ? allowed : [account].filter((one) => allowed?.includes(one) ?? true);
  const conditions = [
    ...(named === null ? [] : [`i.account = any(${bind(named)}::text[])`]),
    ...(outcome === undefined ? [] : [outcomes[outcome]]),
    ...(from === undefined ? [] : [`i.taken_at >= ${bind(from)}::timestamptz`]),
    ...(to === undefined ? [] : [`i.taken_at < ${bind(to)}::timestamptz`]),
    ...(file === undefined ? [] : [isNamed(file, bind(file))]),
    ...behindImport(page, bind),
  ];
  return rowsOf(
    pool,
    `select ${listedColumns}
     from (select * from imports i ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
       ${orderOfImports(page)} limit ${bind(page.limit)}) i
     ${counted} ${orderOfImports(page)}`,
    values,
  );
};

/** The latest imports that are unread or have POs with a next step. */
export const listRunningImports = (
  pool: pg.Pool,
  accounts: readonly string[],
  limit: number,
): Promise<ListedImport[]> =>
  rowsOf(pool, {
    name: 'console-running-imports',
    text: `
      with recursive busy(id) as (
        (select p.import_id from purchase_orders p where ${isActive('p')} order by p.import_id desc limit 1)
        union all
        select (select p.import_id from purchase_orders p where ${isActive('p')} and p.import_id < b.id
          order by p.import_id desc limit 1)
        from busy b where b.id is not null
      )
      select ${listedColumns}
      from (select * from imports i where i.account = any($1)
          and (i.id in (select id from busy limit 1000) or i.state = 'taken') order by i.id desc limit $2) i
      ${counted} order by i.id desc`,
    values: [accounts, limit],
  });

export interface ShownImport extends ListedImport {
  asOf: string;
  sizeBytes: number;
  sha256: string;
  filePath: string;
  /** When retention removed its private copy; null: it exists. */
  copyPrunedAt: string | null;
  /** When retention removed its lines and row issues; null: they exist. */
  rowsPrunedAt: string | null;
  resultPath: string | null;
  resultWrittenAt: string | null;
  resultDue: boolean;
  warning: string | null;
  noteCount: number;
  detection: Detection | null;
  format: string | null;
  repeats: { id: string; fileName: string } | null;
  heldFor: { reasonCode: string; count: number }[];
}

/** One import; undefined if the reader may not see it, or it does not exist. */
export const readImport = (
  pool: pg.Pool,
  id: string,
  allowed: readonly string[] | null,
): Promise<ShownImport | undefined> =>
  firstRow(pool, {
    name: 'console-import',
    text: `
      select ${listedColumns}, ${iso('clock_timestamp()')} as "asOf", i.size_bytes::float8 as "sizeBytes", i.sha256,
        i.file_path as "filePath", ${iso('i.copy_pruned_at')} as "copyPrunedAt", ${iso('i.rows_pruned_at')} as "rowsPrunedAt", i.result_path as "resultPath", ${iso('i.result_written_at')} as "resultWrittenAt",
        i.result_due or i.result_written_at is null as "resultDue", i.detection, i.format,
        nullif(concat_ws(' ', i.file_grew, (
          select r.message from row_issues r where r.import_id = i.id and r.code = 'price_guard_idle' limit 1)), '') as warning,
        (select count(*)::int from row_issues r where r.import_id = i.id and r.severity = 'note') as "noteCount",
        (select json_build_object('id', e.id::text, 'fileName', e.file_name) from imports e where e.id = i.repeats_import_id) as repeats,
        (select coalesce(json_agg(json_build_object('reasonCode', code, 'count', n) order by n desc), '[]') from (
          select coalesce(p.reason_code, 'unknown') as code, count(*)::int as n from purchase_orders p
          where p.import_id = i.id and p.state = 'held' group by 1) h) as "heldFor"
      from imports i ${counted}
      where i.id = $1 and ($2::text[] is null or i.account = any($2))`,
    values: [id, allowed],
  });

const shownElsewhere = 50;

/** The first POs that an import asks for but that belong to other files, in their state there. */
export const listPosElsewhere = (pool: pg.Pool, id: string): Promise<ImportDetail['others']> =>
  rowsOf(pool, {
    name: 'console-pos-elsewhere',
    text: `select p.id::text, p.po_number as "poNumber", p.state, ${isSettled('p')} as settled, p.import_id::text as "importId", f.file_name as "fileName"
      from ${posOfFile('$1::bigint')} w join purchase_orders p on p.id = w.meant_id join imports f on f.id = p.import_id
      where not ${isHere('w')} or ${cameAgain('w')} order by (w.asked).id limit ${shownElsewhere}`,
    values: [id],
  });

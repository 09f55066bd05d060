import type pg from 'pg';
import { activeStates, type PurchaseOrderState } from '../placing/types.ts';

/** How far an import is. */
export interface ImportProgress {
  importId: string;
  account: string;
  fileName: string;
  /** Relative to the account's folder. */
  resultPath: string | undefined;
  state: 'taken' | 'read' | 'refused' | 'repeated';
  reasonCode: string | undefined;
  reasonText: string | undefined;
  rowCount: number;
  takenAt: Date;
  quoteOnly: boolean;
  /** How many of its POs stand in each state; states without any are left out. */
  counts: Partial<Record<PurchaseOrderState, number>>;
  /** POs that came before with the same content: the earlier one answers for them. */
  repeatedCount: number;
  /** POs that have a next step. */
  active: number;
  /** Of these, POs whose last calls did not reach the service. */
  failing: number;
  /** Row issues that keep a row or a PO back. */
  issueCount: number;
  /** The result file tells what the ledger says. */
  resultWritten: boolean;
}

const active = activeStates.map((state) => `'${state}'`).join(', ');

const progressSql = (which: string) => `
  select i.id as "importId", i.account, i.file_name as "fileName", i.result_path as "resultPath", i.state,
    i.reason_code as "reasonCode", i.reason_text as "reasonText", i.row_count as "rowCount", i.taken_at as "takenAt",
    i.quote_only as "quoteOnly",
    not i.result_due and i.result_written_at is not null as "resultWritten",
    coalesce(p.counts, '{}') as counts, coalesce(p.active, 0) as active, coalesce(p.failing, 0) as failing,
    (select count(*)::int from repeated_purchase_orders r where r.import_id = i.id) as "repeatedCount",
    (select count(*)::int from row_issues r where r.import_id = i.id and r.severity = 'issue') as "issueCount"
  from (${which}) i
  left join lateral (
    select jsonb_object_agg(state, n) as counts,
      (sum(n) filter (where state in (${active})))::int as active, sum(failing)::int as failing
    from (
      select state, count(*)::int as n,
        (count(*) filter (where state in (${active}) and failing_since is not null))::int as failing
      from purchase_orders where import_id = i.id group by state
    ) by_state
  ) p on true
  order by i.id`;

const read = (row: ImportProgress): ImportProgress => ({
  ...row,
  resultPath: row.resultPath ?? undefined,
  reasonCode: row.reasonCode ?? undefined,
  reasonText: row.reasonText ?? undefined,
});

/** How far these imports are, by id. Ids that the ledger does not know are left out. */
export const importProgress = async (
  pool: pg.Pool,
  importIds: readonly string[],
): Promise<ImportProgress[]> => {
  const { rows } = await pool.query<ImportProgress>({
    name: 'import-progress',
    text: progressSql('select * from imports where id = any($1::bigint[])'),
    values: [importIds],
  });
  return rows.map(read);
};

/** The latest imports, oldest of them first. */
export const latestImports = async (
  pool: pg.Pool,
  filter: { account?: string | undefined; limit: number },
): Promise<ImportProgress[]> => {
  const { rows } = await pool.query<ImportProgress>({
    name: 'latest-imports',
    text: progressSql(
      'select * from imports where $1::text is null or account = $1 order by id desc limit $2',
    ),
    values: [filter.account ?? null, filter.limit],
  });
  return rows.map(read);
};

/** A PO of an import that did not become an order, and why. */
export interface OpenQuestion {
  importId: string;
  poNumber: string;
  firstRow: number;
  state: 'rejected' | 'held' | 'failed' | 'cancelled';
  reasonCode: string | undefined;
  reasonText: string | undefined;
  /** Its row issues, in the file's order; at most twenty. */
  issues: { rowNumber: number; column: string; message: string; found: string | null }[];
}

/** POs of these imports that a person has to look at, in the file's order. */
export const openQuestions = async (
  pool: pg.Pool,
  importIds: readonly string[],
  limit: number,
): Promise<OpenQuestion[]> => {
  const { rows } = await pool.query<OpenQuestion>({
    name: 'open-questions',
    text: `
      select p.import_id as "importId", p.po_number as "poNumber", p.first_row as "firstRow", p.state,
        p.reason_code as "reasonCode", p.reason_text as "reasonText",
        (select coalesce(json_agg(json_build_object('rowNumber', r.row_number, 'column', r.column_name,
            'message', r.message, 'found', r.found)), '[]')
         from (select * from row_issues r where r.import_id = p.import_id and r.po_number = p.po_number
           and r.severity = 'issue' order by r.row_number limit 20) r) as issues
      from purchase_orders p
      where p.import_id = any($1::bigint[]) and p.state in ('rejected', 'held', 'failed', 'cancelled')
      order by p.import_id, p.first_row limit $2`,
    values: [importIds, limit],
  });
  return rows.map((row) => ({
    ...row,
    reasonCode: row.reasonCode ?? undefined,
    reasonText: row.reasonText ?? undefined,
  }));
};

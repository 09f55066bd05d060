import type pg from 'pg';
import type { ReportedOrder } from '../../reports/types.ts';
import { reportedColumns } from '../status-ledger.ts';
import { iso } from './sql-parts.ts';

/** A report that was written, as the ledger knows it. */
export interface ListedReport {
  /** Of the import; undefined: the status report of the account. */
  importId: string | null;
  account: string;
  sourceName: string | null;
  /** Relative to the account's folder. */
  path: string;
  writtenAt: string | null;
  due: boolean;
}

export interface ReportFilter {
  account?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The last status report of each account. */
export const listStatusReports = async (
  pool: pg.Pool,
  { account, from, to }: ReportFilter,
  allowed: readonly string[] | null,
): Promise<ListedReport[]> => {
  const { rows } = await pool.query<ListedReport>({
    name: 'console-status-reports',
    text: `select null as "importId", account, null as "sourceName", report_path as path,
        ${iso('report_written_at')} as "writtenAt", false as due
      from account_states
      where report_path is not null and ($1::text[] is null or account = any($1))
        and ($2::text is null or account = $2)
        and ($3::timestamptz is null or report_written_at >= $3) and ($4::timestamptz is null or report_written_at < $4)
      order by report_written_at desc nulls last, account`,
    values: [allowed, account ?? null, from ?? null, to ?? null],
  });
  return rows;
};

/** Result files, the latest import first. `before`: only of imports before this one. */
export const listResultFiles = async (
  pool: pg.Pool,
  { account, from, to }: ReportFilter,
  page: { before: string | undefined; limit: number },
  allowed: readonly string[] | null,
): Promise<(ListedReport & { importId: string })[]> => {
  const { rows } = await pool.query({
    name: 'console-result-files',
    text: `select id::text as "importId", account, file_name as "sourceName", result_path as path,
        ${iso('result_written_at')} as "writtenAt", result_due or result_written_at is null as due
      from imports
      where result_path is not null and ($1::text[] is null or account = any($1))
        and ($2::text is null or account = $2)
        and ($3::timestamptz is null or taken_at >= $3) and ($4::timestamptz is null or taken_at < $4)
        and ($5::bigint is null or id < $5)
      order by imports.id desc limit $6`,
    values: [allowed, account ?? null, from ?? null, to ?? null, page.before ?? null, page.limit],
  });
  return rows;
};

/** The state of an import's result file; undefined where the reader may not see the import. */
export const readResultState = async (
  pool: pg.Pool,
  importId: string,
  allowed: readonly string[] | null,
): Promise<
  { account: string; fileName: string; state: string; due: boolean; writtenAt: string | null } | undefined
> => {
  const { rows } = await pool.query({
    name: 'console-result-state',
    text: `select account, file_name as "fileName", state, result_due or result_written_at is null as due,
        ${iso('result_written_at')} as "writtenAt"
      from imports where id = $1 and ($2::text[] is null or account = any($2))`,
    values: [importId, allowed],
  });
  return rows[0];
};

/** Orders in the order in which they came into the ledger, for a sheet. `after`: only orders behind this one. */
export const listReportedOrders = async (
  pool: pg.Pool,
  { account, from, to, importId }: ReportFilter & { importId?: string | undefined },
  page: { after: string | undefined; limit: number },
  allowed: readonly string[] | null,
): Promise<(ReportedOrder & { id: string })[]> => {
  const { rows } = await pool.query({
    name: 'console-reported-orders',
    text: `select o.id::text, ${reportedColumns}
      from orders o
      join purchase_orders p on p.id = o.purchase_order_id
      join imports i on i.id = p.import_id
      where ($1::text[] is null or o.account = any($1)) and ($2::text is null or o.account = $2)
        and ($3::timestamptz is null or p.ordered_at >= $3) and ($4::timestamptz is null or p.ordered_at < $4)
        and ($5::bigint is null or p.import_id = $5) and ($6::bigint is null or o.id > $6)
      order by o.id limit $7`,
    values: [
      allowed,
      account ?? null,
      from ?? null,
      to ?? null,
      importId ?? null,
      page.after ?? null,
      page.limit,
    ],
  });
  return rows;
};

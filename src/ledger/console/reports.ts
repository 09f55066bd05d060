import type pg from 'pg';
import { firstRow, onlyValue, rowsOf } from '../query.ts';
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

/** The path of an account's last status report, relative to its folder; undefined without one. */
export const findStatusReport = (pool: pg.Pool, account: string): Promise<string | undefined> =>
  onlyValue(pool, {
    name: 'console-status-report',
    text: 'select report_path as path from account_states where account = $1 and report_path is not null',
    values: [account],
  });

/** A position in the list of reports: the time of writing, in milliseconds since 1970, and the name. */
export interface ReportPosition {
  writtenMs: string;
  name: string;
}

// In milliseconds, as in cursors. Reports that are not written yet come last.
const writtenMs = (at: string): string => `coalesce(floor(extract(epoch from ${at}) * 1000), 0)::bigint`;

/** Status reports and result files, last written first. `after`: only those after this one. */
export const listReports = (
  pool: pg.Pool,
  { account, from, to }: ReportFilter,
  page: { after: ReportPosition | undefined; limit: number },
  allowed: readonly string[] | null,
): Promise<(ListedReport & ReportPosition)[]> =>
  rowsOf(pool, {
    name: 'console-reports',
    text: `
      select "importId", account, "sourceName", path, ${iso('at')} as "writtenAt", due, ms::text as "writtenMs", name from (
        select *, ${writtenMs('at')} as ms from (
          select null as "importId", account, null as "sourceName", report_path as path, report_written_at as at, false as due,
            'status ' || account as name, report_written_at as chosen_by
          from account_states where report_path is not null
          union all
          select id::text, account, file_name, result_path, result_written_at, result_due or result_written_at is null,
            'result ' || lpad(id::text, 18, '0'), taken_at
          from imports where result_path is not null
        ) both_kinds
        where ($1::text[] is null or account = any($1)) and ($2::text is null or account = $2)
          and ($3::timestamptz is null or chosen_by >= $3) and ($4::timestamptz is null or chosen_by < $4)
      ) reports
      where $5::bigint is null or (ms, name collate "C") < ($5::bigint, $6::text collate "C")
      order by ms desc, name collate "C" desc limit $7`,
    values: [
      allowed,
      account ?? null,
      from ?? null,
      to ?? null,
      page.after?.writtenMs ?? null,
      page.after?.name ?? null,
      page.limit,
    ],
  });

/** The state of an import's result file; undefined where the reader may not see the import. */
export const readResultState = (
  pool: pg.Pool,
  importId: string,
  allowed: readonly string[] | null,
): Promise<
  { account: string; fileName: string; state: string; due: boolean; writtenAt: string | null } | undefined
> =>
  firstRow(pool, {
    name: 'console-result-state',
    text: `select account, file_name as "fileName", state, result_due or result_written_at is null as due,
        ${iso('result_written_at')} as "writtenAt"
      from imports where id = $1 and ($2::text[] is null or account = any($2))`,
    values: [importId, allowed],
  });

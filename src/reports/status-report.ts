import { createWriteStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { zoneClock } from '../config/zone-clock.ts';
import { placeFile } from '../place-file.ts';
import { plainCsv, writeCsvFile } from './csv-file.ts';
import { lineColumns } from './line-columns.ts';
import { orderColumns, type ReportColumn } from './order-columns.ts';
import { type LateRule, linePages, linesSheet, ordersSheet } from './report-sheets.ts';
import { createStatusSummary } from './status-summary.ts';
import type { SummaryRow } from './summary.ts';
import type { ReportedOrder, ReportFilter, ReportSnapshot, StatusLedger } from './types.ts';
import type { SheetRow } from './workbook/sheet-xml.ts';
import { writeWorkbook } from './workbook/write-workbook.ts';

export type ReportFormat = 'csv' | 'xlsx' | 'json';

export interface StatusReportRequest {
  account: string;
  folder: string;
  ledger: StatusLedger;
  formats: readonly ReportFormat[];
  /** The day in the file names, as YYYY-MM-DD. */
  date: string;
  timeZone: string;
  rule: LateRule;
  /** Only some of the orders. Such a report has another name, and the next report is not compared with it. */
  filter?: ReportFilter;
  /** Permissions of the reports; by default only the owner can read them. */
  mode?: number;
}

/** Writes one file of a report. */
interface ReportFile {
  ending: string;
  write(path: string, snapshot: ReportSnapshot): Promise<void>;
}

/** The header and the rows of batches. */
export async function* csvRows<Row>(
  columns: readonly ReportColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string[][]> {
  yield [columns.map(({ header }) => header)];
  for await (const batch of batches) yield batch.map((row) => columns.map(({ read }) => read(row)));
}

/** Whether a column's plain numbers are written unchanged. */
export const isNumeric = ({ kind }: Pick<ReportColumn<never>, 'kind'>): boolean =>
  kind === 'money' || kind === 'count';

const writeCsv = <Row>(
  path: string,
  columns: readonly ReportColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): Promise<void> => writeCsvFile(path, csvRows(columns, batches), plainCsv, columns.map(isNumeric));

async function* jsonPieces(pages: AsyncIterable<ReportedOrder[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const orders of pages) {
    yield before + orders.map((order) => JSON.stringify(order)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* numbered(rows: () => Promise<SummaryRow[]>): AsyncGenerator<SheetRow[]> {
  yield (await rows()).map((row, at) => ({ rowNumber: at + 1, ...row }));
}

/** Yields the pages unchanged, and calls `see` with each of their orders. */
async function* seen(
  pages: AsyncIterable<ReportedOrder[]>,
  see: (order: ReportedOrder) => void,
): AsyncGenerator<ReportedOrder[]> {
  for await (const orders of pages) {
    orders.forEach(see);
    yield orders;
  }
}

/** A filter in words; undefined: no filter. Pure. */
const scopeOf = ({ importId, from, to, changedOnly }: ReportFilter): string | undefined => {
  const parts = [
    ...(importId === undefined ? [] : [`orders of import ${importId}`]),
    ...(from === undefined ? [] : [`orders placed on ${from} or later`]),
    ...(to === undefined ? [] : [`orders placed on ${to} or earlier`]),
    ...(changedOnly ? ['orders that are new or have changed since the last report'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
};

const nameOf = ({ importId, from, to, changedOnly }: ReportFilter): string =>
  [
    importId === undefined ? '' : `.import-${importId}`,
    from === undefined ? '' : `.from-${from}`,
    to === undefined ? '' : `.to-${to}`,
    changedOnly ? '.changes' : '',
  ].join('');

const filesOf = (format: ReportFormat, request: StatusReportRequest): ReportFile[] => {
  const { account, timeZone, rule, filter = {} } = request;
  switch (format) {
    case 'csv':
      return [
        { ending: 'csv', write: (path, { orders }) => writeCsv(path, orderColumns, orders()) },
        {
          ending: 'lines.csv',
          write: (path, { orders }) => writeCsv(path, lineColumns, linePages(orders())),
        },
      ];
    case 'xlsx':
      return [
        {
          ending: 'xlsx',
          write: async (path, snapshot) => {
            const { asOf, orders } = snapshot;
            const summary = createStatusSummary({
              account,
              timeZone,
              rule,
              scope: scopeOf(filter),
              snapshot,
            });
            const widths = [34, 18, 18, 20, 26, 17, 10];
            const first = {
              name: 'Summary',
              columns: widths.map((width) => ({ width })),
              frozenRows: 0,
              filterRow: undefined,
              landscape: true,
              paddedNumbers: true,
              // Read last, because it adds up the orders while their sheet is written instead of reading them again.
              readLast: true,
              rows: numbered(summary.rows),
            };
            const parts = { timeZone, asOf, ruleOf: () => rule };
            const sheets = [
              first,
              ordersSheet({ ...parts, pages: seen(orders(), summary.add) }),
              linesSheet({ ...parts, pages: orders() }),
            ];
            await writeWorkbook(path, sheets, 0);
          },
        },
      ];
    case 'json':
      return [
        {
          ending: 'json',
          write: (path, { orders }) => pipeline(Readable.from(jsonPieces(orders())), createWriteStream(path)),
        },
      ];
  }
};

/** The day of a moment in a time zone, as YYYY-MM-DD. Pure. */
export const dayIn = (timeZone: string, at: Date): string => zoneClock(timeZone, at).day;

/**
 * Writes an account's status report to its reports/, in each format: every order with its lines as of one moment, and the
 * changes since the previous report. Replaces a report of the same day atomically. Each has a copy whose name ends in
 * `latest` instead of the day. Memory does not grow with the orders.
 *
 * @returns the dated paths relative to the account's folder, in the order of `formats`
 */
export const writeStatusReport = async (request: StatusReportRequest): Promise<{ paths: string[] }> => {
  const { account, folder, ledger, formats, date, timeZone, filter = {}, mode } = request;
  const isWhole = scopeOf(filter) === undefined;
  const files = formats.flatMap((format) => filesOf(format, request));
  const pathOf = (when: string, { ending }: ReportFile) =>
    join('reports', `status-${account}-${when}${nameOf(filter)}.${ending}`);
  const paths = files.map((file) => pathOf(date, file));
  const [first] = paths;
  const moments = await ledger.readReport(
    { account, timeZone, filter, replaces: isWhole ? first : undefined },
    async (snapshot) => {
      for (const [at, file] of files.entries()) {
        const dated = join(folder, paths[at]!);
        await placeFile(dated, (path) => file.write(path, snapshot), mode);
        if (isWhole)
          await placeFile(join(folder, pathOf('latest', file)), (path) => copyFile(dated, path), mode);
      }
      return { asOf: snapshot.asOf, since: snapshot.since };
    },
  );
  if (isWhole && first !== undefined) await ledger.recordReport(account, first, moments);
  return { paths };
};

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { placeFile } from '../place-file.ts';
import { plainCsv, writeCsvFile } from './csv-file.ts';
import { orderColumns } from './order-columns.ts';
import type { ReportedOrder, StatusLedger } from './types.ts';
import { decimal } from './workbook/cells.ts';
import type { SheetRow } from './workbook/sheet-xml.ts';
import type { Fill } from './workbook/styles.ts';
import { writeWorkbook } from './workbook/write-workbook.ts';

export type ReportFormat = 'csv' | 'xlsx' | 'json';
type OrderPages = AsyncIterable<ReportedOrder[]>;

const headers = orderColumns.map(({ header }) => header);
const rowOf = (order: ReportedOrder): string[] => orderColumns.map(({ read }) => read(order));

async function* csvRows(pages: OrderPages): AsyncGenerator<string[][]> {
  yield [headers];
  for await (const orders of pages) yield orders.map(rowOf);
}

const fillOf = ({ alarm, poState }: ReportedOrder): Fill | undefined =>
  alarm !== null ? 'yellow' : poState === 'closed' ? 'green' : undefined;

/** The maximum number of rows of a sheet; the last one is reserved for the note that the sheet is full. */
const mostRows = 1_048_576;
const tooMany = 'The sheet is full; the CSV report has all orders.';

async function* sheetRows(pages: OrderPages): AsyncGenerator<SheetRow[]> {
  let rowNumber = 1;
  yield [{ rowNumber, cells: headers, bold: true, fill: 'header' }];
  for await (const orders of pages) {
    const room = mostRows - 1 - rowNumber;
    yield orders.slice(0, room).map((order) => {
      rowNumber += 1;
      const cells = orderColumns.map(({ read, numeric }) => (numeric ? decimal(read(order)) : read(order)));
      return { rowNumber, cells, fill: fillOf(order) };
    });
    if (orders.length > room) {
      yield [{ rowNumber: mostRows, cells: [tooMany], bold: true, fill: 'red' }];
      return;
    }
  }
}

async function* jsonPieces(pages: OrderPages): AsyncGenerator<string> {
  let before = '[\n';
  for await (const orders of pages) {
    yield before + orders.map((order) => JSON.stringify(order)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

const write: Record<ReportFormat, (path: string, pages: OrderPages) => Promise<void>> = {
  csv: (path, pages) =>
    writeCsvFile(
      path,
      csvRows(pages),
      plainCsv,
      orderColumns.map(({ numeric }) => numeric),
    ),
  xlsx: (path, pages) =>
    writeWorkbook(
      path,
      [
        {
          name: 'Orders',
          columns: orderColumns.map(({ width }) => ({ width })),
          frozenRows: 1,
          filterRow: 1,
          rows: sheetRows(pages),
        },
      ],
      0,
    ),
  json: (path, pages) => pipeline(Readable.from(jsonPieces(pages)), createWriteStream(path)),
};

/** The day in a time zone at a moment, as YYYY-MM-DD. Pure. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );

/**
 * Writes an account's status report to its reports/, in each format: one row for each order with every field of
 * spec 2.6 and 2.7, its PO's state and its purchase file. A report of the same day is replaced atomically. Memory does
 * not grow with the orders.
 *
 * @param request.date the day in the file name, as YYYY-MM-DD
 * @returns the paths relative to the account's folder, in the order of `formats`
 */
export const writeStatusReport = async (request: {
  account: string;
  folder: string;
  ledger: StatusLedger;
  formats: readonly ReportFormat[];
  date: string;
  /** Permissions of the reports; by default only the owner can read them. */
  mode?: number;
}): Promise<{ paths: string[] }> => {
  const { account, folder, ledger, formats, date, mode } = request;
  const paths: string[] = [];
  for (const format of formats) {
    const path = join('reports', `status-${account}-${date}.${format}`);
    await placeFile(
      join(folder, path),
      (temporaryPath) => ledger.readOrders(account, (pages) => write[format](temporaryPath, pages)),
      mode,
    );
    paths.push(path);
  }
  const [first] = paths;
  if (first !== undefined) await ledger.recordReport(account, first);
  return { paths };
};

import type * as xlsx from 'xlsx';
import type { FileRefused } from '../../../errors.ts';
import type { IntakeOptions } from '../../options.ts';
import { type ColumnShape, headRows, type RawRow, type SpreadsheetFormat } from '../../types.ts';
import { decodeText } from '../csv/decode-text.ts';
import type { OpenWorkbook } from './open-xlsx.ts';

/** A table found by a scan. */
interface ScannedTable {
  /** Undefined for the tables of a page, which are numbered. */
  name: string | undefined;
  hidden: boolean;
  shapes?: ColumnShape[];
  /** Why its rows cannot be read with certainty. */
  refusal?: FileRefused;
}

/** One pass over a file. */
export interface MarkupScan {
  /** Complete after `end`. */
  tables: ScannedTable[];
  /** The styles found, for the next pass. */
  styles?: unknown;
  /** Scans the next piece of text. @throws FileRefused */
  write(text: string): void;
  end(): void;
}

export interface ScanRequest {
  onRow(table: number, row: RawRow): void;
  maxColumns: number;
  /** Formats numbers; undefined if the file has no number formats. */
  formatter: typeof xlsx.SSF | undefined;
  /** The previous pass. */
  before?: MarkupScan;
}

const namesFormat = /Format\s*=\s*["']|mso-number-format|sdnum|data-z/i;
const longestName = 40;

/** Loads SheetJS, which formats numbers, only if the file has number formats, because it is large. */
const formatterFor = async (path: string, encoding: string): Promise<typeof xlsx.SSF | undefined> => {
  let rest = '';
  for await (const chunk of decodeText(path, encoding)) {
    const text = rest + chunk.toString('latin1');
    if (namesFormat.test(text)) return (await import('xlsx')).SSF;
    rest = text.slice(-longestName);
  }
  return undefined;
};

async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of decodeText(path, encoding)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/**
 * Opens a web page or XML spreadsheet. Scans it once for its tables and their first rows, and again for the rows of the chosen table, so
 * that memory stays flat.
 *
 * @throws FileRefused with the refusals of the scan
 */
export const openMarkup = async (
  file: { path: string; encoding: string; format: SpreadsheetFormat },
  limits: IntakeOptions['limits'],
  scanWith: (request: ScanRequest) => MarkupScan,
): Promise<OpenWorkbook> => {
  const { path, encoding, format } = file;
  const formatter = await formatterFor(path, encoding);
  const heads: RawRow[][] = [];
  const first = scanWith({
    maxColumns: limits.maxColumns,
    formatter,
    onRow: (table, row) => {
      heads[table] ??= [];
      if (heads[table].length < headRows) heads[table].push(row);
    },
  });
  for await (const text of textOf(path, encoding)) first.write(text);
  first.end();
  const filled = first.tables.flatMap((table, at) => (heads[at] ? [{ table, at, head: heads[at] }] : []));
  async function* rows(asked: number): AsyncGenerator<RawRow[]> {
    const { table, at } = filled[asked]!;
    if (table.refusal) throw table.refusal;
    let batch: RawRow[] = [];
    const scan = scanWith({
      maxColumns: limits.maxColumns,
      formatter,
      before: first,
      onRow: (found, row) => {
        if (found === at) batch.push(row);
      },
    });
    for await (const text of textOf(path, encoding)) {
      scan.write(text);
      if (batch.length > 0) yield batch;
      batch = [];
    }
    scan.end();
    if (batch.length > 0) yield batch;
  }
  return {
    format,
    tables: filled.map(({ table: { name, hidden, shapes }, head }, at) => ({
      name: name ?? `Table ${at + 1}`,
      hidden,
      head,
      ...(shapes ? { shapes } : {}),
    })),
    rows,
  };
};

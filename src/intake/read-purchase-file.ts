import { stat } from 'node:fs/promises';
import { FileRefused } from '../errors.ts';
import { type FoundHeader, findHeader, refuseOtherWidths } from './columns/find-header.ts';
import { openCsv } from './csv/open-csv.ts';
import { detectFormat } from './detect-format.ts';
import type { IntakeOptions } from './options.ts';
import { answerColumns, isAnswerHeader, summaryNames, withoutAnswers } from './own-columns.ts';
import { openSpreadsheet } from './spreadsheet/open-spreadsheet.ts';
import type { ColumnShape, DetectedColumn, Detection, RawRow, Table, TableSource } from './types.ts';

export type OpenedPurchaseFile =
  | {
      kind: 'opened';
      detection: Detection;
      /** The dealer's header texts, in order; `column 3` where there is none. */
      header: string[];
      /** The rows above the header. */
      titleRows: RawRow[];
      /** Widths and visibility of the columns, in order, if the file has them. */
      shapes: ColumnShape[];
      /** True for CSV, where a row with another width than the header is wrong. Sheets omit empty cells. */
      fixedWidth: boolean;
      /**
       * The rows below the header in the file's order, without blank rows. Can be read once.
       * Throws FileRefused when a later part of the file is broken.
       */
      batches: AsyncIterable<RawRow[]>;
      /** Stops reading. Needed only if `batches` is not read to its end. Idempotent. */
      close(): void;
    }
  | { kind: 'refused'; code: string; message: string };

export interface PurchaseFile {
  path: string;
  /** The dealer's file name. Only its ending is used. */
  fileName: string;
  options: IntakeOptions;
  /** The detection of an earlier reading; the file is then read again in exactly the same way. */
  detection?: Detection;
  signal?: AbortSignal;
}

interface Chosen {
  at: number;
  table: Table;
  header: FoundHeader;
}

const listNames = (tables: Table[]) => tables.map((table) => `"${table.name}"`).join(', ');

/**
 * The dealer's sheet in a result file of ours that comes back as a purchase file. It is next to our summary, so it can
 * have another position than the account's sheet number says. Undefined if the workbook has any other sheets.
 */
const sheetOfResult = (tables: Table[]): Table | undefined => {
  const summary = tables.find((table) => (summaryNames as readonly unknown[]).includes(table.name));
  if (tables.length !== 2 || !summary) return undefined;
  return tables.find(
    (table) =>
      table !== summary &&
      table.head.some((row) => row.cells.filter(isAnswerHeader).length >= answerColumns.length),
  );
};

/** The sheet that the account asks for by name or number. @throws FileRefused `sheet_missing` */
export const askedTable = (tables: Table[], sheet: string | number): Table[] => {
  const asked =
    typeof sheet === 'number'
      ? (sheetOfResult(tables) ?? tables[sheet - 1])
      : tables.find((table) => table.name === sheet);
  if (asked) return [asked];
  throw new FileRefused(
    'sheet_missing',
    `The workbook has no sheet ${JSON.stringify(sheet)}, which the account reads (intake.sheet). It has ${listNames(tables) || 'no sheets'}.`,
  );
};

const chooseTable = (source: TableSource, options: IntakeOptions): Chosen => {
  const { tables } = source;
  const asked = options.sheet !== undefined && source.format !== 'csv';
  const candidates = asked ? askedTable(tables, options.sheet!) : tables;
  const searched = candidates.map((table) => ({ table, search: findHeader(table, options) }));
  const fits = searched.flatMap(({ table, search }) =>
    search.kind === 'found' ? [{ at: tables.indexOf(table), table, header: search.header }] : [],
  );
  const visible = fits.filter(({ table }) => !table.hidden);
  const [first, second] = visible.length > 0 ? visible : fits;
  if (first && second) {
    throw new FileRefused(
      'sheet_ambiguous',
      `Several sheets could hold the purchase orders: ${listNames((visible.length > 0 ? visible : fits).map((fit) => fit.table))}. Choose one in the account (intake.sheet), or send one sheet per file.`,
    );
  }
  if (first) return first;
  const best = searched.toSorted((a, b) => matchedOf(b.search) - matchedOf(a.search))[0];
  if (!best || best.search.kind === 'found')
    throw new FileRefused('no_rows', 'The workbook has no sheet with rows.');
  const where = best.table.name === undefined ? '' : `Sheet "${best.table.name}": `;
  throw new FileRefused(best.search.code, `${where}${best.search.message}`);
};

const matchedOf = (search: ReturnType<typeof findHeader>) =>
  search.kind === 'found' ? search.header.matched : search.matched;

const recordedTable = (source: TableSource, recorded: Detection): Chosen => {
  const at = source.format === 'csv' ? 0 : source.tables.findIndex((table) => table.name === recorded.sheet);
  const table = source.tables[at];
  if (!table) throw new FileRefused('sheet_missing', `The file no longer has the sheet "${recorded.sheet}".`);
  const { headerRow, columns } = recorded;
  const titleRows = table.head.filter((row) => headerRow !== null && row.rowNumber < headerRow);
  return { at, table, header: { headerRow, columns, titleRows, matched: 0, decisions: [] } };
};

const detectionOf = (source: TableSource, { table, header }: Chosen, options: IntakeOptions): Detection => ({
  format: source.format,
  ...(source.encoding === undefined ? {} : { encoding: source.encoding }),
  ...(source.delimiter === undefined ? {} : { delimiter: source.delimiter }),
  ...(source.quoted === undefined ? {} : { quoted: source.quoted }),
  ...(table.name === undefined ? {} : { sheet: table.name }),
  headerRow: header.headerRow,
  columns: header.columns,
  decisions: [
    { what: 'format', decided: source.format, why: 'by content', override: undefined },
    ...source.decisions,
    ...(table.name === undefined
      ? []
      : [
          {
            what: 'sheet' as const,
            decided: table.name,
            why:
              options.sheet !== undefined
                ? table === sheetOfResult(source.tables)
                  ? 'the workbook is a result file of Cartwright'
                  : 'set by the account'
                : source.tables.length === 1
                  ? 'the only sheet'
                  : `the only one of ${source.tables.length} sheets with the required columns`,
            override: 'intake.sheet',
          },
        ]),
    ...header.decisions,
  ],
});

const refuseCutOff = (last: RawRow | undefined, width: number) => {
  if (!last || last.cells.length >= width) return;
  throw new FileRefused(
    'truncated_end',
    `The file ends in the middle of row ${last.rowNumber}, which has ${last.cells.length} of ${width} columns and no line end. The file was probably cut off during transfer; send it again.`,
  );
};

async function* rowsBelow(
  source: TableSource,
  at: number,
  firstRow: number,
  columns: readonly DetectedColumn[],
): AsyncGenerator<RawRow[]> {
  const own = withoutAnswers(columns);
  try {
    let last: RawRow | undefined;
    for await (const batch of source.rows(at)) {
      last = batch.at(-1);
      const below =
        batch[0]!.rowNumber >= firstRow ? batch : batch.filter((row) => row.rowNumber >= firstRow);
      const rest = own(below);
      if (rest.length > 0) yield rest;
    }
    if (source.endsOpen) refuseCutOff(last, columns.length);
  } finally {
    source.close();
  }
}

const refuseLarge = async (path: string, maxBytes: number) => {
  const { size } = await stat(path);
  if (size <= maxBytes) return;
  throw new FileRefused(
    'file_too_large',
    `The file has ${size} bytes, but the account allows at most ${maxBytes} (intake.limits). Split the file.`,
  );
};

/** Opens a file with the reader for its format. @throws FileRefused */
export const openSource = async (file: PurchaseFile): Promise<TableSource> => {
  const { path, options, detection, signal } = file;
  const kind = await detectFormat(path, file.fileName);
  if (kind === 'text') {
    await refuseLarge(path, options.limits.maxFileBytes);
    return openCsv(path, options, detection, signal);
  }
  await refuseLarge(path, Math.min(options.limits.maxFileBytes, options.limits.maxSpreadsheetBytes));
  return openSpreadsheet({ path, kind, limits: options.limits, signal });
};

/**
 * Opens a purchase file of any format: detects format, encoding, delimiter, sheet, header and columns, explains each
 * decision, and returns the rows. Reading the same bytes again with the recorded detection returns the same rows.
 * Spreadsheets are read in a child process under `options.limits`, which ends with `batches` or with `close`.
 *
 * Throws errors that are not about the file's content: the file is missing, no permission, an unknown `intake.encoding`.
 */
export const readPurchaseFile = async (file: PurchaseFile): Promise<OpenedPurchaseFile> => {
  let source: TableSource | undefined;
  try {
    source = await openSource(file);
    const chosen = file.detection ? recordedTable(source, file.detection) : chooseTable(source, file.options);
    if (!file.detection) refuseOtherWidths(chosen.table, chosen.header);
    const { header } = chosen;
    const firstRow = Math.max(header.headerRow ?? 0, file.options.skipRows) + 1;
    return {
      kind: 'opened',
      detection: file.detection ?? detectionOf(source, chosen, file.options),
      header: header.columns.map((column) => column.header),
      titleRows: header.titleRows,
      shapes: chosen.table.shapes ?? [],
      fixedWidth: chosen.table.fixedWidth,
      batches: rowsBelow(source, chosen.at, firstRow, header.columns),
      close: source.close,
    };
  } catch (error) {
    source?.close();
    if (error instanceof FileRefused) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  }
};

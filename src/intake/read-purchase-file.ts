import { stat } from 'node:fs/promises';
import { FileRefused } from '../errors.ts';
import { answerColumns, isAnswerHeader, summaryNames } from '../reports/answer-columns.ts';
import { openCsv } from './csv/open-csv.ts';
import { detectFormat } from './detect-format.ts';
import { type FoundHeader, findHeader, refuseOtherWidths } from './find-header.ts';
import type { IntakeOptions } from './options.ts';
import { openSpreadsheet } from './spreadsheet/open-spreadsheet.ts';
import type { ColumnShape, DetectedColumn, Detection, RawRow, Table, TableSource } from './types.ts';
import { withoutAnswers } from './without-answers.ts';

export type OpenedPurchaseFile =
  | {
      kind: 'opened';
      detection: Detection;
      /** The dealer's header texts, in order; `column 3` where there is none. */
      header: string[];
      /** What stands above the header. */
      titleRows: RawRow[];
      /** How the columns look, in order, where the file says so. */
      shapes: ColumnShape[];
      /** CSV: a row of another width than the header is wrong. Sheets just leave cells out. */
      fixedWidth: boolean;
      /**
       * The rows below the header in the file's order, blank ones left out; to be read once.
       * Throws FileRefused where the file turns out to be broken further down.
       */
      batches: AsyncIterable<RawRow[]>;
      /** Ends the reading; needed only where `batches` is not read to its end. Idempotent. */
      close(): void;
    }
  | { kind: 'refused'; code: string; message: string };

export interface PurchaseFile {
  path: string;
  /** The dealer's own name for it; its ending counts, and it is data. */
  fileName: string;
  options: IntakeOptions;
  /** What was decided when it was first read: then it is read again exactly so. */
  detection?: Detection;
  signal?: AbortSignal;
}

interface Chosen {
  at: number;
  table: Table;
  header: FoundHeader;
}

const named = (tables: Table[]) => tables.map((table) => `"${table.name}"`).join(', ');

/**
 * The dealer's sheet of a result of ours that comes back: beside our summary, at whatever place it was before. Only
 * where the workbook is as we wrote it: with other sheets in it the account's number means what it says.
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

/** The sheet that the account names, by its name or its place. @throws FileRefused `sheet_missing` */
export const askedTable = (tables: Table[], sheet: string | number): Table[] => {
  const asked =
    typeof sheet === 'number'
      ? (sheetOfResult(tables) ?? tables[sheet - 1])
      : tables.find((table) => table.name === sheet);
  if (asked) return [asked];
  throw new FileRefused(
    'sheet_missing',
    `The account reads the sheet ${JSON.stringify(sheet)} (intake.sheet), but the workbook has ${named(tables) || 'no sheets'}.`,
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
  const shown = fits.filter(({ table }) => !table.hidden);
  const [first, second] = shown.length > 0 ? shown : fits;
  if (first && second) {
    throw new FileRefused(
      'sheet_ambiguous',
      `Several sheets could hold the purchase orders: ${named(shown.length > 0 ? shown.map((fit) => fit.table) : fits.map((fit) => fit.table))}. Say which one in the account (intake.sheet), or send one sheet per file.`,
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
  if (!table) throw new FileRefused('sheet_missing', `The sheet "${recorded.sheet}" is gone.`);
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
    { what: 'format', decided: source.format, why: 'by its content', override: undefined },
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
                  ? 'the workbook is a result of ours'
                  : 'the account says so'
                : source.tables.length === 1
                  ? 'the only one'
                  : `the only one of ${source.tables.length} with the columns that are needed`,
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
    `The file ends in the middle of row ${last.rowNumber}: it has ${last.cells.length} of ${width} columns and no line end. It was cut off on its way; send it again.`,
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
    `The file has ${size} bytes; the account takes at most ${maxBytes} (intake.limits). Split it.`,
  );
};

/** Opens a file by the reader of its format. @throws FileRefused */
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
 * Opens a purchase file of any format: decides format, encoding, delimiter, sheet, header and columns, explains each
 * decision, and gives the rows. Reading the same bytes again with the recorded detection gives the same rows.
 * Spreadsheets are read in a child process under `options.limits`; it ends with `batches` or by `close`.
 *
 * Errors that are not about the file's content (it is gone, no permission, an unknown `intake.encoding`) are thrown.
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

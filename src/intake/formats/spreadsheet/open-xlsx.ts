import type { IntakeOptions } from '../../options.ts';
import { headRows, type RawRow, type SpreadsheetFormat, type Table } from '../../types.ts';
import { readComments } from './cell-comments.ts';
import { type CellText, isBlankRow, putCell } from './cell-text.ts';
import { readColumnShapes } from './column-shapes.ts';
import { createMergeFilling } from './merged-cells.ts';
import { asNumber, type NumberFormat, readNumberFormats } from './number-text.ts';
import { damaged } from './refused-workbook.ts';
import { type SheetCell, scanSheet } from './scan-sheet.ts';
import { surveySheet } from './survey-sheet.ts';
import { readWorkbookParts, type SheetPart, type WorkbookParts } from './workbook-parts.ts';
import type { ZipParts } from './zip-parts.ts';

type Limits = IntakeOptions['limits'];

/** An open workbook in the child process: the first rows of its tables, and all rows of one of them. */
export interface OpenWorkbook {
  format: SpreadsheetFormat;
  tables: Table[];
  rows(table: number): AsyncIterable<RawRow[]>;
}

const isoDate = /^\d{4}-\d\d-\d\d/;

/** Reads a row's cells: text by type, style and shared strings, with annotations. */
const rowReader = (workbook: WorkbookParts, formats: NumberFormat[], maxColumns: number) => {
  const { struckStyles, struckStrings, raisedStrings } = workbook;
  const markOf = ({ style, type, value, mark }: SheetCell): 'struck' | 'raised' | undefined => {
    if (struckStyles?.has(style)) return 'struck';
    if (type !== 's' || mark !== undefined) return mark;
    if (struckStrings?.has(Number(value))) return 'struck';
    return raisedStrings?.has(Number(value)) ? 'raised' : undefined;
  };
  /** Undefined for an empty number. */
  const readCell = (rowNumber: number, { type, style, value, formula }: SheetCell): CellText | undefined => {
    if (value === undefined || (value === '' && type !== 'str' && formula))
      return { text: '', annotation: 'unevaluated' };
    switch (type) {
      case 's': {
        const text = workbook.sharedStrings[Number(value)];
        if (text === undefined || value.trim() === '')
          throw damaged(`row ${rowNumber} refers to a shared string that is missing`);
        return { text };
      }
      case 'str':
      case 'inlineStr':
        return { text: value };
      case 'b':
        return { text: value === '1' || value === 'true' ? 'TRUE' : 'FALSE', annotation: 'boolean' };
      case 'e':
        return { text: value, annotation: 'error' };
      case 'd':
        return isoDate.test(value) ? { text: value, annotation: 'date' } : { text: value };
      default: {
        if (value === '') return undefined;
        const number = Number(value);
        if (!Number.isFinite(number) || value.trim() === '')
          throw damaged(`row ${rowNumber} has the invalid number ${value.slice(0, 20)}`);
        return (formats[style] ?? asNumber)(number, value);
      }
    }
  };
  return (rowNumber: number, hidden: boolean, cells: SheetCell[]): RawRow => {
    const row: RawRow = hidden ? { rowNumber, cells: [], hidden } : { rowNumber, cells: [] };
    for (const cell of cells) {
      if (cell.column >= maxColumns) break;
      const read = readCell(rowNumber, cell);
      const mark = cell.value ? markOf(cell) : undefined;
      if (read) putCell(row, cell.column, mark ? { text: read.text, annotation: mark } : read);
    }
    return row;
  };
};

async function* scanRows(
  zip: ZipParts,
  sheet: SheetPart,
  read: ReturnType<typeof rowReader>,
  found: { rowElements: number },
): AsyncGenerator<RawRow[]> {
  let batch: RawRow[] = [];
  const scan = scanSheet(
    (rowNumber, hidden, cells) => batch.push(read(rowNumber, hidden, cells)),
    () => {
      found.rowElements += 1;
    },
  );
  for await (const piece of zip.pieces(sheet.part)) {
    scan.write(piece);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  scan.end();
}

/**
 * Opens an .xlsx or .xlsm workbook: the zip archive with yauzl, its small parts with a full XML parser, and its sheets as streams with
 * `scanSheet`. Not with SheetJS, which holds the whole workbook in memory, and truncates a table at the sheet's `dimension`: a wrong one
 * would silently lose rows.
 *
 * @throws FileRefused `damaged_workbook`, `workbook_too_large`, `encrypted_workbook`
 */
export const openXlsx = async (zip: ZipParts, limits: Limits): Promise<OpenWorkbook & { close(): void }> => {
  // Shared strings are the only part that stays in memory as a whole; they need about twice their size.
  const workbook = await readWorkbookParts(zip, (limits.memoryMb * 1024 * 1024) / 3);
  const formats = await readNumberFormats(workbook.formats, workbook.date1904);
  const read = rowReader(workbook, formats, limits.maxColumns);
  const headOf = async (sheet: SheetPart): Promise<RawRow[]> => {
    const head: RawRow[] = [];
    for await (const batch of scanRows(zip, sheet, read, { rowElements: 0 })) {
      head.push(...batch.filter((row) => !isBlankRow(row)).slice(0, headRows - head.length));
      if (head.length >= headRows) break;
    }
    return head;
  };
  async function* rows(at: number): AsyncGenerator<RawRow[]> {
    const sheet = workbook.sheets[at]!;
    const survey = await surveySheet(await zip.stream(sheet.part));
    const fill = createMergeFilling(survey.merges);
    const comments = await readComments(zip, sheet.part);
    const found = { rowElements: 0 };
    for await (const batch of scanRows(zip, sheet, read, found)) {
      const kept = batch.filter((row) => {
        if (isBlankRow(row)) return false;
        fill(row);
        const commented = comments.get(row.rowNumber);
        if (commented) row.annotations = [...(row.annotations ?? []), ...commented];
        return true;
      });
      if (kept.length > 0) yield kept;
    }
    if (found.rowElements !== survey.rowElements) {
      throw damaged(`its sheet has ${survey.rowElements} rows, but ${found.rowElements} could be read`);
    }
  }
  const tables = [];
  for (const sheet of workbook.sheets) {
    const shapes = await readColumnShapes(await zip.stream(sheet.part), limits.maxColumns);
    const unseen = workbook.strikesByCondition ? { unseenStrike: 'condition' as const } : {};
    tables.push({ name: sheet.name, hidden: sheet.hidden, head: await headOf(sheet), shapes, ...unseen });
  }
  return { format: 'xlsx', tables, rows, close: zip.close };
};

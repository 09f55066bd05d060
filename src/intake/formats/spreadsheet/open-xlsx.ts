import type { IntakeOptions } from '../../options.ts';
import { type CellAnnotation, headRows, type RawRow, type Table } from '../../types.ts';
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
  tables: Omit<Table, 'fixedWidth'>[];
  rows(table: number): AsyncIterable<RawRow[]>;
  close(): void;
}

/** Days between the start dates of the 1900 and the 1904 date system. */
export const days1904 = 1462;
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
  return (rowNumber: number, hidden: boolean, cells: SheetCell[]): RawRow => {
    const row: RawRow = hidden ? { rowNumber, cells: [], hidden } : { rowNumber, cells: [] };
    const annotate = (column: number, kind: CellAnnotation['kind']) => {
      row.annotations ??= [];
      row.annotations.push({ column, kind: kind });
    };
    const put = (column: number, text: string) => {
      while (row.cells.length < column) row.cells.push('');
      row.cells[column] = text;
    };
    for (const cell of cells) {
      const { column, value } = cell;
      if (column >= maxColumns) break;
      if (value === undefined || (value === '' && cell.type !== 'str' && cell.formula)) {
        put(column, '');
        annotate(column, 'unevaluated');
        continue;
      }
      switch (cell.type) {
        case 's': {
          const text = workbook.sharedStrings[Number(value)];
          if (text === undefined || value.trim() === '')
            throw damaged(`row ${rowNumber} refers to a shared string that is missing`);
          put(column, text);
          break;
        }
        case 'str':
        case 'inlineStr':
          put(column, value);
          break;
        case 'b':
          put(column, value === '1' || value === 'true' ? 'TRUE' : 'FALSE');
          annotate(column, 'boolean');
          break;
        case 'e':
          put(column, value);
          annotate(column, 'error');
          break;
        case 'd':
          put(column, value);
          if (isoDate.test(value)) annotate(column, 'date');
          break;
        default: {
          if (value === '') break;
          const number = Number(value);
          if (!Number.isFinite(number) || value.trim() === '')
            throw damaged(`row ${rowNumber} has the invalid number ${value.slice(0, 20)}`);
          const read = (formats[cell.style] ?? asNumber)(number, value);
          put(column, read.text);
          if (read.annotation === 'date') {
            const date = {
              number: number + (workbook.date1904 ? days1904 : 0),
              format: workbook.formats[cell.style]!,
            };
            row.annotations = [...(row.annotations ?? []), { column, kind: 'date', date }];
          } else if (read.number !== undefined) {
            row.annotations = [
              ...(row.annotations ?? []),
              { column, kind: 'formatted', number: read.number },
            ];
          } else if (read.annotation) annotate(column, read.annotation);
        }
      }
      const mark = value === '' ? undefined : markOf(cell);
      if (mark) {
        row.annotations = row.annotations?.filter((annotation) => annotation.column !== column) ?? [];
        annotate(column, mark);
      }
    }
    return row;
  };
};

const isBlank = (row: RawRow) => row.cells.every((cell) => cell.trim() === '') && !row.annotations;

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
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const stream = await zip.stream(sheet.part);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      scan.write(decoder.decode(chunk, { stream: true }));
      if (batch.length > 0) {
        yield batch;
        batch = [];
      }
    }
  } finally {
    stream.destroy();
  }
  scan.write(decoder.decode());
  scan.end();
  if (batch.length > 0) yield batch;
}

/**
 * Opens an .xlsx or .xlsm workbook: the zip archive with yauzl, its small parts with a full XML parser, and its sheets
 * as streams with `scanSheet`. Not with SheetJS, which holds the whole workbook in memory, and ends a table where the sheet's
 * `dimension` ends: a wrong one would silently lose rows.
 *
 * @throws FileRefused `damaged_workbook`, `workbook_too_large`, `encrypted_workbook`
 */
export const openXlsx = async (zip: ZipParts, limits: Limits): Promise<OpenWorkbook> => {
  // Shared strings are the only part that stays in memory as a whole; they need about twice their size.
  const workbook = await readWorkbookParts(zip, (limits.memoryMb * 1024 * 1024) / 3);
  const formats = await readNumberFormats(workbook.formats, workbook.date1904);
  const read = rowReader(workbook, formats, limits.maxColumns);
  const headOf = async (sheet: SheetPart): Promise<RawRow[]> => {
    const head: RawRow[] = [];
    for await (const batch of scanRows(zip, sheet, read, { rowElements: 0 })) {
      head.push(...batch.filter((row) => !isBlank(row)).slice(0, headRows - head.length));
      if (head.length >= headRows) break;
    }
    return head;
  };
  async function* rows(at: number): AsyncGenerator<RawRow[]> {
    const sheet = workbook.sheets[at]!;
    const survey = await surveySheet(await zip.stream(sheet.part));
    const fill = createMergeFilling(survey.merges);
    const found = { rowElements: 0 };
    for await (const batch of scanRows(zip, sheet, read, found)) {
      const kept = batch.filter((row) => {
        if (isBlank(row)) return false;
        fill(row);
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
  return { tables, rows, close: zip.close };
};

import { isRequired } from '../intake/columns/fields.ts';
import { type AnswerColumn, answerColumns, summaryNames } from '../intake/own-columns.ts';
import { stopComment, whyAnnotationIsRefused } from '../intake/rows/damaged-cells.ts';
import type { CellAnnotation, DetectedColumn, RawRow } from '../intake/types.ts';
import { holdsNumbers } from './result-csv.ts';
import type { OpenedResult, ResultRow } from './result-rows.ts';
import type { Outcome } from './row-answer.ts';
import type { SummaryRow } from './summary.ts';
import { type Cell, decimal, numberOrText } from './workbook/cells.ts';
import { inOneBatch, type Sheet, type SheetRow } from './workbook/sheet-xml.ts';
import type { Fill } from './workbook/styles.ts';
import { createMomentCells, moneyCell } from './workbook/value-cells.ts';
import { sheetName, writeWorkbook } from './workbook/write-workbook.ts';

const colours: Record<Outcome, Fill> = {
  good: 'green',
  open: 'blue',
  waits: 'yellow',
  bad: 'red',
  none: 'grey',
};

/** More frozen rows than this would leave no space to scroll the rows below. */
const mostFrozenRows = 12;

const isoDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+)?$/;

/** A value without a type in workbooks: an error in columns that intake reads, so that it is not accepted as text. */
const refusedAgain = (text: string, column: DetectedColumn | undefined): Cell =>
  column?.field ? { error: '#VALUE!' } : text;

type Marked = CellAnnotation & { kind: Exclude<CellAnnotation['kind'], 'commented'> };
const isMarked = (one: CellAnnotation): one is Marked => one.kind !== 'commented';

/**
 * Keeps the type of a cell that was not text: a cell that intake refused must not be accepted next time because we wrote
 * it as text.
 */
const markedCell = (
  { kind: mark, date, number }: Marked,
  text: string,
  column: DetectedColumn | undefined,
): Cell => {
  switch (mark) {
    case 'error':
      return { error: text };
    case 'unevaluated':
      return { unevaluated: true };
    case 'boolean':
      return { boolean: text === 'TRUE' };
    case 'digits_lost':
      return { number: text };
    case 'formatted':
      return column?.field && holdsNumbers(column) && number !== undefined ? { number } : text;
    case 'date':
      if (date) return { number: String(date.number), format: date.format };
      return isoDate.test(text) ? { isoDate: text } : refusedAgain(text, column);
    case 'inner_quote':
      return text;
    case 'struck':
      return { text, struck: true };
    case 'raised':
    case 'unclear':
      return refusedAgain(text, column);
    case 'filled':
      // One merged value over several rows: a quantity, price or item may not be meant for each of them.
      return column?.field && whyAnnotationIsRefused('filled', column.field) ? undefined : text;
  }
};

const cellsOf = (raw: RawRow, columns: readonly DetectedColumn[]): Cell[] => {
  const cells: Cell[] = raw.cells.map((text, at) => {
    const column = columns[at];
    return column && holdsNumbers(column) ? numberOrText(text) : text;
  });
  for (const mark of (raw.annotations ?? []).filter(isMarked))
    cells[mark.column] = markedCell(mark, raw.cells[mark.column] ?? '', columns[mark.column]);
  // Results have no cell comments: a line through the cell says the same if the result is sent again.
  const stop = stopComment(raw);
  if (stop) {
    const isOfLine = ({ field }: DetectedColumn, at: number) => isRequired(field) && raw.cells[at]?.trim();
    const at =
      columns[stop.column]?.field && raw.cells[stop.column] ? stop.column : columns.findIndex(isOfLine);
    cells[at] = { text: raw.cells[at] ?? '', struck: true };
  }
  return cells;
};

const pad = (cells: Cell[], width: number): Cell[] => [
  ...cells,
  ...Array.from({ length: Math.max(0, width - cells.length) }, () => undefined),
];

type AnswerCell = (column: AnswerColumn, text: string) => Cell;

/** Makes the cells of our columns: prices as money, and the time of the ledger's snapshot as a date. */
const answerCellMaker = (asOf: Date): AnswerCell => {
  const asOfCell = createMomentCells('UTC')(asOf, 'UTC');
  return ({ name, numeric }, text) => {
    if (text === '') return text;
    if (name === 'asOf') return asOfCell;
    if (name === 'price') return moneyCell(text);
    return numeric ? decimal(text) : text;
  };
};

const answeredRow = (
  row: ResultRow,
  columns: readonly DetectedColumn[],
  answerCell: AnswerCell,
): SheetRow => {
  const { raw, surplus, answer, outcome } = row;
  return {
    rowNumber: raw.rowNumber,
    fill: colours[outcome],
    ...(raw.hidden ? { hidden: true } : {}),
    cells: [
      ...pad(cellsOf(raw, columns), columns.length),
      ...answerColumns.map((column) => answerCell(column, answer[column.name])),
      ...surplus,
    ],
  };
};

async function* rowsOf(result: OpenedResult, asOf: Date): AsyncGenerator<SheetRow[]> {
  const { columns } = result;
  const answerCell = answerCellMaker(asOf);
  const above = result.titleRows.map((row) => ({ rowNumber: row.rowNumber, cells: cellsOf(row, []) }));
  const headers = [...result.headers, ...answerColumns.map(({ header }) => header)];
  yield result.hasHeader
    ? [...above, { rowNumber: result.headerRow, cells: headers, bold: true, fill: 'header' }]
    : above;
  for await (const batch of result.batches) yield batch.map((row) => answeredRow(row, columns, answerCell));
}

const widthOf = (header: string): number => Math.min(40, Math.max(10, header.length + 3));

export const summarySheet = (name: string, rows: readonly SummaryRow[]): Sheet => ({
  name,
  columns: [{ width: 34 }, { width: 16 }, { width: 16 }, { width: 70 }, { width: 60 }],
  frozenRows: 0,
  filterRow: undefined,
  rows: inOneBatch(
    rows.map(({ cells, bold, fill }, at) => ({ rowNumber: at + 1, cells, bold: bold ?? false, fill })),
  ),
});

/**
 * Writes a result as a workbook: a summary, which opens first, and the dealer's sheet with our columns and filters on
 * its header. Built from what intake read, because adding our columns to the dealer's own workbook would keep its macros and links,
 * and shift its formulas.
 * @param sheet the name of the dealer's sheet
 * @param asOf when the ledger was read
 */
export const writeResultXlsx = async (
  path: string,
  result: OpenedResult,
  summary: readonly SummaryRow[],
  sheet: string,
  asOf: Date,
): Promise<void> => {
  const name = sheetName(sheet);
  const own: Sheet = {
    name,
    columns: [
      ...result.columns.map(({ header }, at) => ({ width: widthOf(header), ...result.shapes[at] })),
      ...answerColumns.map(({ width }) => ({ width })),
    ],
    frozenRows: result.headerRow <= mostFrozenRows ? result.headerRow : 0,
    filterRow: result.hasHeader ? result.headerRow : undefined,
    rows: rowsOf(result, asOf),
  };
  const first = summarySheet(summaryNames[name.toLowerCase() === 'summary' ? 1 : 0], summary);
  await writeWorkbook(path, [first, own], 0);
};

import type { IntakeOptions } from '../options.ts';
import type { CellMark, RawRow, SpreadsheetFormat, Table } from '../types.ts';

/** What the parent asks: first for the tables, then for the rows of one of them. */
export interface ChildTask {
  path: string;
  kind: 'zip' | 'ole';
  limits: IntakeOptions['limits'];
}

/** What the child answers, a line of JSON each. */
export type ChildAnswer =
  | { kind: 'tables'; format: SpreadsheetFormat; tables: Omit<Table, 'fixedWidth'>[] }
  /** Rows as [rowNumber, cells, marks, hidden], the last two where there are any: most of the time is spent on these. */
  | { kind: 'rows'; rows: PackedRow[] }
  | { kind: 'end' }
  | { kind: 'refused'; code: string; message: string };

/** The descriptor on which the answers go; standard output is left to libraries that print. */
export const answerDescriptor = 4;

export type PackedRow = [number, string[]] | [number, string[], CellMark[] | null, true?];

export const packRow = ({ rowNumber, cells, marks, hidden }: RawRow): PackedRow =>
  hidden ? [rowNumber, cells, marks ?? null, hidden] : marks ? [rowNumber, cells, marks] : [rowNumber, cells];

export const unpackRow = ([rowNumber, cells, marks, hidden]: PackedRow): RawRow => ({
  rowNumber,
  cells,
  ...(marks ? { marks } : {}),
  ...(hidden ? { hidden } : {}),
});

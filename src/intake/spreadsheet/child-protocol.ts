import type { IntakeOptions } from '../options.ts';
import type { RawRow, SpreadsheetFormat, Table } from '../types.ts';

/** What the parent asks: first for the tables, then for the rows of one of them. */
export interface ChildTask {
  path: string;
  kind: 'zip' | 'ole';
  limits: IntakeOptions['limits'];
}

/** What the child answers, a line of JSON each. */
export type ChildAnswer =
  | { kind: 'tables'; format: SpreadsheetFormat; tables: Omit<Table, 'fixedWidth'>[] }
  | { kind: 'rows'; rows: RawRow[] }
  | { kind: 'end' }
  | { kind: 'refused'; code: string; message: string };

/** The descriptor on which the answers go; standard output is left to libraries that print. */
export const answerDescriptor = 4;

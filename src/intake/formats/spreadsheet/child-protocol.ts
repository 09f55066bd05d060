import type { Refused } from '../../../errors.ts';
import type { IntakeOptions } from '../../options.ts';
import type { CellAnnotation, RawRow, SpreadsheetFormat, Table } from '../../types.ts';

export type SpreadsheetKind = 'zip' | 'ole' | 'html' | 'xml';

/** The parent's request. The child answers with the tables, and then with the rows of each table that the parent asks for. */
export interface ChildTask {
  path: string;
  kind: SpreadsheetKind;
  /** For `html` and `xml`. */
  encoding: string | undefined;
  limits: IntakeOptions['limits'];
}

/** The child's answers, one line of JSON each. */
export type ChildAnswer =
  | { kind: 'tables'; format: SpreadsheetFormat; tables: Table[] }
  /** Rows as tuples, because most of the time is spent on writing and parsing them. */
  | { kind: 'rows'; rows: PackedRow[] }
  | { kind: 'end' }
  | Refused;

/** The file descriptor for the answers. Libraries may print to standard output. */
export const answerDescriptor = 4;

/** [rowNumber, cells, annotations, hidden]; the last two only if the row has them. null is JSON's undefined. */
export type PackedRow = [number, string[]] | [number, string[], CellAnnotation[] | null, true?];

export const packRow = ({ rowNumber, cells, annotations: marks, hidden }: RawRow): PackedRow =>
  hidden ? [rowNumber, cells, marks ?? null, hidden] : marks ? [rowNumber, cells, marks] : [rowNumber, cells];

export const unpackRow = ([rowNumber, cells, marks, hidden]: PackedRow): RawRow => ({
  rowNumber,
  cells,
  ...(marks ? { annotations: marks } : {}),
  ...(hidden ? { hidden } : {}),
});

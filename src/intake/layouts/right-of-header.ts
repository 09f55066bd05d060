import type { DetectedColumn, RawRow } from '../types.ts';
import type { KnownValues } from './answers.ts';

/** All cells right of the last name of the header, as one column: in a workbook a row can have some where the header has none. Pure. */
export const rightOfHeader = (columns: readonly DetectedColumn[]) => {
  const header = `column ${columns.length + 1}`;
  return { at: columns.length, header, column: header };
};

/** The text of a row in a column, or in all that are right of the header. Pure. */
export const textAt = ({ cells }: RawRow, at: number, width: number): string => {
  if (at < width || cells.length <= width) return cells[at] ?? '';
  return cells
    .slice(width)
    .filter((cell) => cell.trim() !== '')
    .join(' | ');
};

/** What is known of a layout whose files had nothing there: then what a later one has there is asked about. Pure. */
export const withRightOfHeader = (
  known: KnownValues | undefined,
  columns: readonly DetectedColumn[],
): KnownValues | undefined => {
  const { column } = rightOfHeader(columns);
  return !known || known.has(column) ? known : new Map([...known, [column, new Map([['', 'seen']])]]);
};

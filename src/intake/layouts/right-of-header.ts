import type { DetectedColumn, RawRow } from '../types.ts';
import type { KnownValues } from './answers.ts';

/** All cells right of the header's last name, as one column: in a workbook a row can be wider than the header. Pure. */
export const rightOfHeader = (columns: readonly DetectedColumn[]) => {
  const header = `column ${columns.length + 1}`;
  return { at: columns.length, header, column: header };
};

/** The text of a row in a column; for the column above, that of all its cells. Pure. */
export const textAt = ({ cells }: RawRow, at: number, width: number): string => {
  if (at < width || cells.length <= width) return cells[at] ?? '';
  return cells
    .slice(width)
    .filter((cell) => cell.trim() !== '')
    .join(' | ');
};

/** The known values of a layout. If its files had no text there, any text that a later file has there is new. Pure. */
export const withRightOfHeader = (
  known: KnownValues | undefined,
  columns: readonly DetectedColumn[],
): KnownValues | undefined => {
  const { column } = rightOfHeader(columns);
  return !known || known.has(column) ? known : new Map([...known, [column, new Map([['', 'seen']])]]);
};

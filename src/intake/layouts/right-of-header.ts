import type { DetectedColumn, RawRow } from '../types.ts';

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

/** What a formula is called that nothing has calculated: it can say anything, so it is no blank cell. */
const withoutValue = '(a formula without a value)';

/** The text of a row in a column of which nothing is read. Pure. */
export const unreadAt = (row: RawRow, at: number, width: number): string => {
  const isFormula = row.annotations?.some(({ column, kind }) => column === at && kind === 'unevaluated');
  return isFormula ? withoutValue : textAt(row, at, width);
};

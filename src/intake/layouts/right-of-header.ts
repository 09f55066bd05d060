import type { DetectedColumn, RawRow } from '../types.ts';

/** All cells right of the header's last name, as one column: in a workbook a row can be wider than the header. Pure. */
export const rightOfHeader = (columns: readonly DetectedColumn[]) => {
  const header = `column ${columns.length + 1}`;
  return { at: columns.length, header, column: header };
};

/** What a formula is called that nothing has calculated: it can say anything, so it is no blank cell. */
const withoutValue = '(a formula without a value)';

/** The text of a row in a column of which nothing is read; for the column above, that of all its cells. Pure. */
export const textAt = ({ cells, annotations }: RawRow, at: number, width: number): string => {
  if (annotations?.some(({ column, kind }) => column === at && kind === 'unevaluated')) return withoutValue;
  if (at < width || cells.length <= width) return cells[at] ?? '';
  return cells
    .slice(width)
    .filter((cell) => cell.trim() !== '')
    .join(' | ');
};

import type { DetectedColumn, RawRow } from '../types.ts';

/** All cells right of the header's last name, as one column: in a workbook a row can be wider than the header. Pure. */
export const rightOfHeader = (columns: readonly DetectedColumn[]) => {
  const header = `column ${columns.length + 1}`;
  return { at: columns.length, header, column: header };
};

/** Text for a formula without a calculated value: it could be anything, so it does not count as blank. */
const withoutValue = '(a formula without a value)';

/** The text of a row in an ignored column; for the column above, the text of all its cells. Pure. */
export const textAt = ({ cells, annotations = [] }: RawRow, at: number, width: number): string => {
  const textOf = (place: number): string =>
    annotations.some(({ column, kind }) => column === place && kind === 'unevaluated')
      ? withoutValue
      : (cells[place] ?? '');
  if (at < width) return textOf(at);
  const end = Math.max(cells.length, ...annotations.map(({ column }) => column + 1));
  return Array.from({ length: Math.max(0, end - width) }, (_, place) => textOf(width + place))
    .filter((text) => text.trim() !== '')
    .join(' | ');
};

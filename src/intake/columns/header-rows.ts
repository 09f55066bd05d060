import type { IntakeOptions } from '../options.ts';
import { isAnswerHeader } from '../own-columns.ts';
import type { RawRow } from '../types.ts';
import { headerKey } from './fields.ts';

/**
 * The header texts of a row: its cells, or with `headerRows: 2` each below the text of the row above it ("Ship To" above "City" is "Ship To
 * City"). A text of the upper row also applies to the blank cells to its right, as in a merged cell. Pure.
 */
export const headerTexts = (
  rows: readonly RawRow[],
  row: RawRow,
  { headerRows }: Pick<IntakeOptions, 'headerRows'>,
): string[] => {
  const above = headerRows === 2 ? rows.find(({ rowNumber }) => rowNumber === row.rowNumber - 1) : undefined;
  if (!above) return row.cells;
  const width = Math.max(row.cells.length, above.cells.length);
  let group = '';
  return Array.from({ length: width }, (_, at) => {
    const upper = (above.cells[at] ?? '').trim();
    const lower = (row.cells[at] ?? '').trim();
    if (upper !== '') group = upper;
    if (lower === '') return upper;
    // A result file sent again has complete headers in the lower row, with our columns on the right.
    if (isAnswerHeader(lower)) return lower;
    return headerKey(lower).startsWith(headerKey(group)) ? lower : `${group} ${lower}`;
  });
};

import { isItem } from '../columns/fields.ts';
import type { DetectedColumn, RawRow } from '../types.ts';

const hasDigit = (text: string) => /\p{N}/u.test(text);
const wholeNumber = /^[1-9]\d{0,5}(?:[.,]0+)?$/;

/**
 * Whether a row above the header has all that a line needs in the columns of the table: somebody sorted the sheet with its header, for example.
 * Titles and labels do not have a number as their PO, a text as their item and a whole number as their quantity. Pure.
 */
export const looksLikeLine = (
  { cells, from }: Pick<RawRow, 'cells' | 'from'>,
  columns: readonly DetectedColumn[],
): boolean => {
  if (from !== undefined) return false;
  const cellsOf = (fits: (field: DetectedColumn['field']) => boolean): string[] =>
    columns.flatMap(({ field }, at) => (fits(field) ? [(cells[at] ?? '').trim()] : []));
  const numbers = cellsOf((field) => field === 'po_number');
  const items = cellsOf(isItem);
  const quantities = cellsOf((field) => field === 'quantity');
  const isOfPo = numbers.length === 0 ? items.some(hasDigit) : numbers.every(hasDigit);
  return isOfPo && items.some((text) => text !== '') && quantities.some((text) => wholeNumber.test(text));
};

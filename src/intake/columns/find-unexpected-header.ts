import type { DetectedColumn, RawRow } from '../types.ts';
import { fieldOfHeader, isRequired } from './fields.ts';
import { guessHeaders } from './guess-header.ts';
import { show } from './header-sentences.ts';

/** A header in a file of an account whose files have none. */
export type UnexpectedHeader =
  | { kind: 'agrees'; row: RawRow }
  | { kind: 'contradicts'; row: RawRow; message: string };

/** Two names of PO number, item and quantity. */
const leastScore = 8;

/**
 * Looks for a header although the account's files have none (`header: none`), because reading reordered columns by position would order the
 * wrong things. A header that matches the numbering is just skipped. Pure.
 * @param columns the account's numbered columns
 */
export const findUnexpectedHeader = (
  rows: readonly RawRow[],
  columns: readonly DetectedColumn[],
): UnexpectedHeader | undefined => {
  const numbered = columns.flatMap(({ field }, at) => (isRequired(field) ? [{ at, field }] : []));
  // A line contains digits, at least in its quantity.
  const row = guessHeaders(rows).find(
    ({ row: { cells }, score }) =>
      score >= leastScore && !numbered.some(({ at }) => /\d/.test(cells[at] ?? '')),
  )?.row;
  if (!row) return undefined;
  const other = numbered.find(({ at, field }) => fieldOfHeader(row.cells[at] ?? '') !== field);
  if (!other) return { kind: 'agrees', row };
  const name = show([row.cells[other.at] ?? '']) || '(blank)';
  const message = `Row ${row.rowNumber} is a header: ${show(row.cells)}. The account's files have no header (intake.header: none), and column ${other.at + 1} is ${other.field} there, but ${name} in this file. If files with this header come again, give the account a layout for them (intake.layouts); otherwise put the columns into the order of the account's other files and remove the header.`;
  return { kind: 'contradicts', row, message };
};

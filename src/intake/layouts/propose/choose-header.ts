import { FileRefused } from '../../../errors.ts';
import { headerKey } from '../../columns/fields.ts';
import { guessHeaders, otherHeader } from '../../columns/guess-header.ts';
import type { IntakeOptions } from '../../options.ts';
import type { RawRow, Table } from '../../types.ts';

/** A table with its probable header row. */
export interface ChosenHeader {
  table: Table;
  header: RawRow;
  score: number;
}

/** Words in every cell: a header, but without the fields that an order needs. */
const looksLikeHeader = ({ cells }: RawRow) => {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return (
    filled.length >= 2 && filled.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell) && cell.length <= 60)
  );
};

/** The row with the most names that a person has mapped; undefined: none has at least two. */
const namedRow = (
  rows: readonly RawRow[],
  { columns }: Pick<IntakeOptions, 'columns'>,
): RawRow | undefined => {
  const names = new Set(Object.keys(columns).map(headerKey));
  const count = ({ cells }: RawRow) => cells.filter((cell) => names.has(headerKey(cell))).length;
  return rows.filter((row) => count(row) > 1).sort((one, other) => count(other) - count(one))[0];
};

/** @throws FileRefused `two_headers` */
export const chooseHeader = (table: Table, options: IntakeOptions): ChosenHeader | undefined => {
  const rows = table.head.filter((row) => row.rowNumber > options.skipRows);
  const named = namedRow(rows, options);
  const asked = rows.find((row) => row.rowNumber === options.header) ?? named;
  const guesses = guessHeaders(asked ? [asked] : rows);
  const best = guesses[0];
  if (!best) {
    const header = asked ?? rows.find(looksLikeHeader);
    return header && { table, header, score: header === named ? 1 : 0 };
  }
  const other = otherHeader(guesses, best.row);
  if (other)
    throw new FileRefused(
      'two_headers',
      `Rows ${Math.min(best.row.rowNumber, other.rowNumber)} and ${Math.max(best.row.rowNumber, other.rowNumber)} are both headers: the file has two kinds of rows, and the PO number is in other rows than the items. Export the order lines as one table with a PO number in each row.`,
    );
  return { table, header: best.row, score: best.score };
};

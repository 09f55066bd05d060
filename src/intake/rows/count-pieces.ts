import type { Pack } from '../layouts/watch-columns.ts';
import { maxQuantity } from '../options.ts';
import type { CheckedRow, RowIssue } from '../types.ts';
import { issueAt } from './row-issue.ts';

/** A price of one piece where the file has that of a pack; rounded to four decimals, as a guard compares it. */
const priceOfPiece = (price: string, pieces: number): string =>
  String(Number((Number(price) / pieces).toFixed(4)));

/**
 * Counts the quantity of a line in pieces, as a person said how its items are packed, and adds a note. The line is changed: its price is that of a
 * piece, too, so that a guard never takes the price of a pack for it.
 *
 * @param packs what its columns say: the same number of pieces each, otherwise the line is an issue
 */
export const countPieces = (line: CheckedRow, packs: readonly Pack[]): RowIssue[] => {
  const { rowNumber, poNumber, quantity, expectedPrice } = line;
  const [pack] = packs;
  if (!pack || quantity === undefined) return [];
  const { header, text, pieces } = pack;
  const other = packs.find((one) => one.pieces !== pieces);
  if (other) {
    const message = `A person said that one is ${pieces} pieces where "${header}" says ${JSON.stringify(text)}, and ${other.pieces} where "${other.header}" says ${JSON.stringify(other.text)}. Change one of these answers in the layout, and send the file again.`;
    return [{ ...issueAt(rowNumber, poNumber, other.header, 'pieces_counted', message), found: other.text }];
  }
  line.quantity = quantity * pieces;
  if (expectedPrice !== undefined) line.expectedPrice = priceOfPiece(expectedPrice, pieces);
  const message = `${quantity} × ${pieces} = ${line.quantity} pieces, because "${header}" says ${JSON.stringify(text)} and a person said that one of it is ${pieces} pieces.`;
  const isTooMuch = line.quantity > maxQuantity;
  return [
    {
      ...issueAt(rowNumber, poNumber, header, 'pieces_counted', message),
      severity: isTooMuch ? 'issue' : 'note',
      found: text,
      expected: isTooMuch ? `at most ${maxQuantity} pieces` : undefined,
    },
  ];
};

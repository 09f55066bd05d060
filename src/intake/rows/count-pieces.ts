import type { Pack } from '../layouts/watch-columns.ts';
import { maxQuantity } from '../options.ts';
import type { CheckedRow, RowIssue } from '../types.ts';
import { issueAt } from './row-issue.ts';

/** The price of a piece from that of a pack; rounded to four decimals, as in the guard's comparison. */
const priceOfPiece = (price: string, pieces: number): string =>
  String(Number((Number(price) / pieces).toFixed(4)));

/**
 * Converts the quantity of a line to pieces, according to a person's answer about the packing, and adds a note. Also converts the price to
 * that of a piece, so that a guard never compares it with a pack's price. Changes the line.
 *
 * @param packs from its columns: all must have the same number of pieces, otherwise the line gets an issue
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

import type { CheckedRow, RawRow } from '../types.ts';
import type { RowVerdict } from './check-row.ts';
import { isTotal, totalAtEnd } from './sums-and-charges.ts';

/** Recognises rows that are the sum of other rows. */
export const createTotalsWatch = () => {
  // The rows of a PO mostly have the same first cell, so the last result is cached.
  let lastFirst = '';
  let lastIsTotal = false;
  const startsWithTotal = ({ cells }: RawRow) => {
    let first = cells[0] ?? '';
    if (first === '' || first.trim() === '') first = cells.find((cell) => cell.trim() !== '') ?? '';
    if (first !== lastFirst) {
      lastFirst = first;
      lastIsTotal = isTotal(first);
    }
    return lastIsTotal;
  };

  const isWord = (text: string | undefined) => text !== undefined && isTotal(text);
  const endsWithTotal = (text: string) => totalAtEnd.test(text);

  let poNumber: string | undefined;
  let pieces = 0;
  let piecesOfFile = 0;
  let piecesSinceTotal = 0;
  let hasUnread = false;
  /** The quantity equals the sum of the lines above: of the PO, since the last total, or of the file. */
  const isSum = (quantity: number | undefined): boolean =>
    quantity !== undefined && [pieces, piecesSinceTotal, piecesOfFile].includes(quantity);
  /** For a row that names its PO, only the sum of that PO: a different sum would mean that a line is missing. */
  const isSumOfPo = (quantity: number | undefined) =>
    quantity === pieces || quantity === Math.min(pieces, piecesSinceTotal);
  /**
   * Whether the item column contains a totals word, and the quantity is blank or the sum of its PO's lines above. Must be called once for
   * each line, in order.
   */
  const isTotalLine = (row: CheckedRow): boolean => {
    const isFirst = row.poNumber !== poNumber;
    if (isFirst) {
      poNumber = row.poNumber;
      pieces = 0;
    }
    const { itemSku, quantity } = row;
    if (quantity === undefined) hasUnread = true;
    if (isWord(itemSku) && !isFirst && (quantity === undefined || isSumOfPo(quantity))) return true;
    pieces += quantity ?? 0;
    piecesOfFile += quantity ?? 0;
    piecesSinceTotal += quantity ?? 0;
    return false;
  };

  /**
   * Whether the row is labelled as a total and nothing in it could be ordered: it does not have both a PO number and an item, and its
   * quantity, if any, is the sum above: of its PO, if it names one. A brand or shop can be called Total, so a row with PO number, item and
   * quantity is a line, whatever else it says.
   * @param continues the row has the PO number of the row above
   */
  const isTotalRow = (row: RawRow, verdict: RowVerdict, continues = false): boolean => {
    const { row: checked, itemBlank, quantityBlank } = verdict;
    // `P-1 Total` in the column of the PO number.
    const endsPo = itemBlank && checked.poNumber !== undefined && endsWithTotal(checked.poNumber);
    if (!endsPo && !(verdict.optionsBlank && startsWithTotal(row))) return false;
    const hasItem = !itemBlank && !isWord(checked.itemSku);
    const hasPo = !verdict.poBlank && !isWord(checked.poNumber);
    if (hasItem && (hasPo || continues || quantityBlank)) return false;
    if (hasPo && !endsPo && !quantityBlank && checked.poNumber !== poNumber) return false;
    // A value that is not a quantity is an amount; and if a quantity above was unreadable, the sum is unknown.
    const isNoQuantity = checked.quantity === undefined || hasUnread;
    return (
      quantityBlank || (itemBlank && isNoQuantity) || (hasPo && !endsPo ? isSumOfPo : isSum)(checked.quantity)
    );
  };

  return {
    isTotalRow,
    isSum,
    /** The row is only a sum: a label and otherwise numbers, and its quantity, if any, is the sum. */
    isPlainSum: ({ cells }: RawRow, quantity: number | undefined): boolean => {
      const texts = cells.filter((cell) => /\p{L}/u.test(cell));
      if (quantity === undefined) return texts.length === 1 && isTotal(texts[0]!);
      return texts.length <= 1 && isSum(quantity);
    },
    /** The index of the cell that contains the label; undefined: no single cell does. */
    wordAt: ({ cells }: RawRow): number | undefined => {
      const at = cells.findIndex((cell) => isTotal(cell) || endsWithTotal(cell));
      return at < 0 ? undefined : at;
    },
    /** A row was skipped as a total, so the next total may sum the rows after it. */
    leftOut: (): void => {
      piecesSinceTotal = 0;
    },
    isTotalLine,
  };
};

import type { CheckedRow, RawRow } from '../types.ts';
import type { RowVerdict } from './check-row.ts';
import { isTotal, totalAtEnd } from './sums-and-charges.ts';

/** Recognises rows that are the sum of other rows. */
export const createTotalsWatch = () => {
  // The rows of a PO mostly have the same first cell, so the last result is kept.
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
  /** The quantity is that of the lines above it together: of the PO, since the last total, or of the file. */
  const isSum = (quantity: number | undefined): boolean =>
    quantity !== undefined && [pieces, piecesSinceTotal, piecesOfFile].includes(quantity);
  /** Of a row that names its PO, only that of this PO: another one would say that the PO lacks something. */
  const isSumOfPo = (quantity: number | undefined) =>
    quantity === pieces || quantity === Math.min(pieces, piecesSinceTotal);
  /**
   * Whether a totals word is in the column of the item, and the quantity is blank or the sum of the lines of its PO above it. Must be called once
   * for each line, in order.
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
   * The row says that it is a total, and nothing of it could be ordered: it names no item beside a PO number, and its quantity, if
   * it has one, is the sum of what is above it: of its PO, if it names one. A brand or a shop can be called Total: a row with a PO number,
   * an item and a quantity is a line, whatever else it says.
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
    // What cannot be a quantity is an amount, and where a quantity above could not be read, nobody knows the sum.
    const isNoQuantity = checked.quantity === undefined || hasUnread;
    return (
      quantityBlank || (itemBlank && isNoQuantity) || (hasPo && !endsPo ? isSumOfPo : isSum)(checked.quantity)
    );
  };

  return {
    isTotalRow,
    isSum,
    /** The row says nothing but that it is a sum: it has a label, and otherwise numbers alone, of which the quantity is the sum, if it has one. */
    isPlainSum: ({ cells }: RawRow, quantity: number | undefined): boolean => {
      const texts = cells.filter((cell) => /\p{L}/u.test(cell));
      if (quantity === undefined) return texts.length === 1 && isTotal(texts[0]!);
      return texts.length <= 1 && isSum(quantity);
    },
    /** The cell that says so: its index; undefined: none alone does. */
    wordAt: ({ cells }: RawRow): number | undefined => {
      const at = cells.findIndex((cell) => isTotal(cell) || endsWithTotal(cell));
      return at < 0 ? undefined : at;
    },
    /** A row was left out as a total: the next one may sum up what comes after it. */
    leftOut: (): void => {
      piecesSinceTotal = 0;
    },
    isTotalLine,
  };
};

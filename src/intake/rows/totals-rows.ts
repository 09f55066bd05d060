import { headerKey } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import type { CheckedRow, RawRow } from '../types.ts';

/** Recognises rows that hold a total and no line. */
export interface TotalsWatch {
  /** The first filled cell of the row is a totals word. */
  startsWithTotal(row: RawRow): boolean;
  /** `P-1 Total` in the column of the PO number. */
  endsWithTotal(poNumber: string | undefined): boolean;
  /**
   * `total`: a totals word is in the column of the item, and the quantity is blank or the sum of the lines above it.
   * `unclear`: the word is there, but the quantity is another one. `worded`: it is one of several words, or begins a longer
   * one (`Order total`, `Gesamtmenge`). Must be called once for each line, in order.
   */
  itemIsTotal(row: CheckedRow): 'total' | 'unclear' | 'worded' | 'line';
}

export const createTotalsWatch = ({ totalsWords }: Pick<IntakeOptions, 'totalsWords'>): TotalsWatch => {
  const totals = new Set(totalsWords.map(headerKey));
  const digitsInTotals = totalsWords.some((word) => /\d/.test(word));
  // A cell with a digit is never one of the default totals words, and this test is faster than headerKey.
  const isTotal = (text: string) =>
    text.length <= 40 && (digitsInTotals || !/\d/.test(text)) && totals.has(headerKey(text));

  const longWords = [...totals].filter((word) => word.length >= 6);
  const hasTotal = (text: string) =>
    text.length <= 80 &&
    !/\d/.test(text) &&
    text
      .split(/\s+/)
      .map(headerKey)
      .some((word) => totals.has(word) || longWords.some((total) => word.startsWith(total)));

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

  let poNumber: string | undefined;
  let pieces = 0;
  let piecesOfFile = 0;
  const itemIsTotal = (row: CheckedRow) => {
    if (row.poNumber !== poNumber) {
      poNumber = row.poNumber;
      pieces = 0;
    }
    const { itemSku, quantity } = row;
    if (itemSku !== undefined && isTotal(itemSku))
      return quantity === undefined || quantity === pieces || quantity === piecesOfFile ? 'total' : 'unclear';
    if (itemSku !== undefined && hasTotal(itemSku)) return 'worded';
    pieces += quantity ?? 0;
    piecesOfFile += quantity ?? 0;
    return 'line';
  };

  return {
    startsWithTotal,
    endsWithTotal: (po) => po !== undefined && /\s(?:sub\s?)?total:?$/i.test(po),
    itemIsTotal,
  };
};

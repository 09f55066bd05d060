import { headerKey } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import type { CheckedRow, RawRow, RowIssue } from '../types.ts';
import type { RowVerdict } from './check-row.ts';

/** Why the item of a line is probably none. */
export type NoItem = Pick<RowIssue, 'severity' | 'code' | 'message'>;

/** Recognises rows that hold a total or a charge and no item. */
export interface TotalsWatch {
  /**
   * The row says that it is a total, and nothing of it could be ordered: it names no item beside a PO number, and its quantity, if
   * it has one, is the sum of what is above it: of its PO, if it names one. A brand or a shop can be called Total: a row with a PO number,
   * an item and a quantity is a line, whatever else it says.
   * @param continues the row has the PO number of the row above
   */
  isTotalRow(row: RawRow, verdict: RowVerdict, continues?: boolean): boolean;
  /** The cell that says so: its index; undefined: none alone does. */
  wordAt(row: RawRow): number | undefined;
  /** The quantity is that of the lines above it together: of the PO, since the last total, or of the file. */
  isSum(quantity: number | undefined): boolean;
  /** The row says nothing but that it is a sum: it has a label, and otherwise numbers alone, of which the quantity is the sum, if it has one. */
  isPlainSum(row: RawRow, quantity: number | undefined): boolean;
  /** A row was left out as a total: the next one may sum up what comes after it. */
  leftOut(): void;
  /**
   * `total`: a totals word is in the column of the item, and the quantity is blank or the sum of the lines above it. A reason: it is the
   * first row of its PO, the quantity is another one, the word is one of several (`Order total`, `Gesamtmenge`) or the PO number (`Total lines`), or the item is a
   * charge (`SHIPPING`).
   * Must be called once for each line, in order.
   */
  judgeItem(row: CheckedRow): 'total' | 'line' | NoItem;
}

/** What stands behind a charge: `Discount 10%`, `SHIPPING 12.50`. In DISCOUNT-10 it is a part of the item number. */
const rate = /(?:\s+[-(]?\s*[$€£]?\s*\d+(?:[.,]\d+)?\s*[$€£]?|\s*\d+(?:[.,]\d+)?\s*%)\)?$/;

const totalAtEnd = /\s(?:sub\s?)?totals?:?$/i;
const endsWithTotal = (text: string) => totalAtEnd.test(text);

/** `2 items`, `Units`, `Carried forward`: the label of a sum. */
const besideSum =
  /^(?:(?:\d+\s+)?(?:items?|units?|pieces|pcs|lines?|each|stück|positionen|artikel|articles|pièces)|(?:(?:sum|total|amount)\s+)?(?:carried|brought)\s+(?:forward|over|down)|[bc]\/f|übertrag|report\s+à\s+nouveau|à\s+reporter)[:.]?$/iu;

export const createTotalsWatch = ({
  totalsWords,
  chargeWords,
}: Pick<IntakeOptions, 'totalsWords' | 'chargeWords'>): TotalsWatch => {
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

  /** `Total lines`, `Summe: Positionen`. */
  const isTotalInWords = (text: string) =>
    !/\d/.test(text) && /^\p{L}+[\s:]+\p{L}/u.test(text) && hasTotal(text.split(/[\s:]/)[0]!);

  const charges = new Set(chargeWords.map(headerKey));
  const longestCharge = Math.max(0, ...chargeWords.map((word) => word.length)) + 10;
  const digitsInCharges = chargeWords.some((word) => /\d/.test(word));
  const isCharge = (text: string) => {
    if (text.length > longestCharge + 10) return false;
    if (digitsInCharges || !/\d/.test(text)) return charges.has(headerKey(text));
    return /[\s%]/.test(text) && rate.test(text) && charges.has(headerKey(text.replace(rate, '')));
  };

  const isBesideSum = (text: string) => text.length <= 40 && besideSum.test(text);

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
  let poBefore: string | undefined;
  /** `P-1 Total` below P-1. `Annual Total` may be the number of a PO. */
  const isTotalOf = (text: string) =>
    endsWithTotal(text) && (/\d/.test(text) || text.replace(totalAtEnd, '') === poBefore);
  let pieces = 0;
  let piecesOfFile = 0;
  let piecesSinceTotal = 0;
  let hasUnread = false;
  const isSum = (quantity: number | undefined) =>
    quantity !== undefined && [pieces, piecesSinceTotal, piecesOfFile].includes(quantity);
  /** Of a row that names its PO, only that of this PO: another one would say that the PO lacks something. */
  const isSumOfPo = (quantity: number | undefined) =>
    quantity === pieces || quantity === Math.min(pieces, piecesSinceTotal);
  const asTotal = (item: string, but: string): NoItem => ({
    severity: 'issue',
    code: 'total_as_item',
    message: `The item is "${item}", as in a totals row${but}. Remove the row, or the word from intake.totalsWords if it is an item.`,
  });
  const asCharge = (item: string, quantity: number | undefined): NoItem =>
    quantity === undefined || quantity === 1
      ? {
          severity: 'issue',
          code: 'charge_as_item',
          message: `The item is "${item}", which is a charge and no item. Remove the row, or the word from intake.chargeWords if it is an item.`,
        }
      : {
          severity: 'note',
          code: 'charge_as_item',
          message: `The item is "${item}", which is usually a charge, but it is read as any other item, with the quantity ${quantity}. Remove the row if it is a charge.`,
        };
  const judgeItem = (row: CheckedRow) => {
    const isFirst = row.poNumber !== poNumber;
    if (isFirst) {
      poBefore = poNumber;
      poNumber = row.poNumber;
      pieces = 0;
    }
    const { itemSku, quantity } = row;
    if (quantity === undefined) hasUnread = true;
    if (poNumber !== undefined && (isTotal(poNumber) || isTotalInWords(poNumber) || isTotalOf(poNumber)))
      return {
        severity: 'issue' as const,
        code: 'total_as_po',
        message: `"${poNumber}" is a total and no PO number. Remove the row.`,
      };
    if (itemSku !== undefined && isTotal(itemSku)) {
      if (isFirst) return asTotal(itemSku, `, but ${poNumber} has no line above it`);
      if (quantity === undefined || isSumOfPo(quantity)) return 'total';
      return asTotal(itemSku, ', but the quantity is not the sum of the lines above it');
    }
    if (itemSku !== undefined && (hasTotal(itemSku) || endsWithTotal(itemSku) || isBesideSum(itemSku)))
      return asTotal(itemSku, '');
    if (itemSku !== undefined && isCharge(itemSku)) return asCharge(itemSku, quantity);
    pieces += quantity ?? 0;
    piecesOfFile += quantity ?? 0;
    piecesSinceTotal += quantity ?? 0;
    return 'line';
  };

  const isWord = (text: string | undefined) => text !== undefined && isTotal(text);
  const isTotalRow = (row: RawRow, verdict: RowVerdict, continues = false) => {
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
    isPlainSum: ({ cells }, quantity) => {
      const texts = cells.filter((cell) => /\p{L}/u.test(cell));
      if (quantity === undefined) return texts.length === 1 && isTotal(texts[0]!);
      return texts.length <= 1 && isSum(quantity);
    },
    wordAt: ({ cells }) => {
      const at = cells.findIndex((cell) => isTotal(cell) || endsWithTotal(cell));
      return at < 0 ? undefined : at;
    },
    leftOut: () => {
      piecesSinceTotal = 0;
    },
    judgeItem,
  };
};

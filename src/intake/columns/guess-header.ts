import type { RawRow } from '../types.ts';
import { rankName, rankOthers, vendorsNumber } from './name-ranks.ts';

/** A row that could be the header, by the names in it. */
export interface HeaderGuess {
  row: RawRow;
  /** How well its cells name PO number, item and quantity, plus a little for other fields. */
  score: number;
}

/** Below this, no cell of the row names a PO number, an item or a quantity. */
const leastScore = 4;

const scoreRow = ({ cells }: RawRow): number => {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const named = filled.filter((cell) => /\p{L}/u.test(cell) && cell.length <= 80);
  if (filled.length < 2 || named.length < filled.length * 0.7) return 0;
  const best = { po_number: 0, item_sku: 0, quantity: 0 };
  let others = 0;
  for (const cell of named) {
    const ranks = rankName(cell);
    // Only values show whether `Vendor #` is an item number.
    if (ranks.item_sku === vendorsNumber) ranks.item_sku = 0;
    for (const field of ['po_number', 'item_sku', 'quantity'] as const)
      best[field] = Math.max(best[field], Math.min(ranks[field], 6));
    others += rankOthers(cell).length > 0 ? 0.5 : 0;
  }
  const required = best.po_number + best.item_sku + best.quantity;
  return required < leastScore ? 0 : required + others;
};

/** `PO-1001` beside `PO-1002` in the same column is a value, although its letters name a PO number. */
const isLike = (row: RawRow, other: RawRow | undefined): boolean => {
  const mask = (cell: string | undefined) => (cell ?? '').trim().replace(/\d+/g, '0');
  return row.cells.some(
    (cell, at) => /\d/.test(cell) && /\p{L}/u.test(cell) && mask(cell) === mask(other?.cells[at]),
  );
};

/** Possible header rows, best first. Pure. */
export const guessHeaders = (rows: readonly RawRow[]): HeaderGuess[] =>
  rows
    .map((row, at) => {
      const isValue = isLike(row, rows[at + 1]) || isLike(row, rows[at - 1]);
      return { row, score: isValue ? 0 : scoreRow(row) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.row.rowNumber - b.row.rowNumber);

/** A second header directly above or below the header: two kinds of rows with different columns. Pure. */
export const otherHeader = (guesses: readonly HeaderGuess[], header: RawRow): RawRow | undefined =>
  guesses.find(
    ({ row, score }) =>
      score >= leastScore &&
      Math.abs(row.rowNumber - header.rowNumber) === 1 &&
      row.cells.filter((cell) => cell.trim() !== '').length >= 4 &&
      row.cells[0]?.trim() === header.cells[0]?.trim(),
  )?.row;

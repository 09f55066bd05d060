import type { IntakeOptions } from '../options.ts';
import { withoutPieces } from '../rows/piece-count.ts';
import type { DetectedColumn, RawRow } from '../types.ts';
import { headerKey, isItem } from './fields.ts';
import type { Meaning } from './header-words.ts';
import { rankName } from './name-ranks.ts';
import { isOfWords, isOnly, readHeader } from './read-header.ts';

const longestName = 40;
/** A row of at least this many names, and nothing else, is not a line. */
const leastNames = 4;
const cellAt = (row: RawRow | undefined, at: number) => (row?.cells[at] ?? '').trim();

const isTotal = (text: string): boolean => isOnly(readHeader(text), 'amount');

/** Whether the lower name adds nothing to the upper one: `orderNumber` below `Order no.`. */
const saysTheSame = (lower: string, upper: string): boolean => {
  const [one, other] = [readHeader(lower).meanings, readHeader(upper).meanings];
  return other.size > 0 && [...one].every((meaning) => other.has(meaning));
};

/** A header word; not a unit or total, which may appear alone below a header. */
const isName = (text: string): boolean => isOfWords(readHeader(text)) && !isTotal(text);

/**
 * The row directly below a header that is a part of it: it has only names, at least one of them below a column that stands for
 * several ("Ordered" and "Shipped" below "Qty" and a blank cell, or below "Qty" twice). Undefined if there is none. Pure.
 */
export const namesBelow = (
  rows: readonly RawRow[],
  header: RawRow,
  columns: readonly DetectedColumn[],
): RawRow | undefined => {
  const lower = rows.find(({ rowNumber }) => rowNumber === header.rowNumber + 1);
  if (!lower) return undefined;
  // A cell merged with the one above it has the same text.
  const parts = lower.cells.flatMap((cell, at) =>
    cell.trim() !== '' && cell.trim() !== cellAt(header, at) ? [{ text: cell.trim(), at }] : [],
  );
  const fieldAt = (at: number) => columns[at]?.field;
  // "East" and "West" below "Qty" and a blank cell: words that are known to nobody here, but no line either.
  const isSplit =
    parts.every(({ text }) => text.length <= longestName && /^\p{L}{2}/u.test(text)) &&
    parts.some(({ at }) => fieldAt(at) === 'quantity' && parts.some((one) => one.at === at + 1)) &&
    parts.every(
      ({ at }) => fieldAt(at) === 'quantity' || (fieldAt(at) === null && cellAt(header, at) === ''),
    );
  if (isSplit) return lower;
  if (parts.some(({ text }) => text.length > longestName || !/\p{L}/u.test(text) || /\d/.test(text)))
    return undefined;
  if (parts.every(({ text }) => withoutPieces(`1 ${text}`) !== undefined)) return undefined;
  const names = parts.filter(({ text }) => isName(text));
  // Below "Purchase order", "No." is the rest of its name if every other cell is a name as well.
  const isSame =
    parts.filter(({ text, at }) => saysTheSame(text, cellAt(header, at))).length * 2 > parts.length;
  if (isSame) return undefined;
  const areNames = parts.length >= leastNames && parts.every(({ text }) => isName(text) || isTotal(text));
  if (!areNames && parts.some(({ at }) => fieldAt(at) === 'po_number')) return undefined;
  if (names.length * 2 <= parts.length) return undefined;
  if (parts.some((part) => isItem(fieldAt(part.at)) && !names.includes(part))) return undefined;
  const keys = header.cells.map(headerKey);
  const isGroup = (at: number) => {
    const key = keys[at] ?? '';
    if (key === '') return keys.slice(0, at).some((one) => one !== '');
    return fieldAt(at) === 'quantity' || keys.indexOf(key) !== keys.lastIndexOf(key);
  };
  return names.some(({ at }) => isGroup(at)) ? lower : undefined;
};

/** Meanings that make a quantity different from the ordered one. */
const otherAmounts: readonly Meaning[] = ['done', 'gone', 'billed', 'open', 'stock', 'limit', 'share'];

/**
 * The text above a header that makes it a different quantity, such as "Shipped" above "Qty"; it also applies to the blank cells to its
 * right. Undefined if there is none, or if the account maps the column itself. Pure.
 */
export const otherQuantityAbove = (
  rows: readonly RawRow[],
  header: RawRow,
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'columns' | 'headerRows'>,
): { above: string; quantity: string } | undefined => {
  const at = columns.findIndex(({ field }) => field === 'quantity');
  const upper = rows.find(({ rowNumber }) => rowNumber === header.rowNumber - 1);
  if (at < 1 || !upper || options.headerRows === 2) return undefined;
  const quantity = columns[at]!.header;
  if (Object.keys(options.columns).some((name) => headerKey(name) === headerKey(quantity))) return undefined;
  if (upper.cells.some((cell) => /\d/.test(cell))) return undefined;
  let group = at;
  while (group > 0 && cellAt(upper, group) === '') group -= 1;
  // In the first column it is the title of the table.
  const above = group === 0 ? '' : cellAt(upper, group);
  if (above === '' || above.length > longestName) return undefined;
  const { meanings, unknown } = readHeader(above);
  if (unknown > 0 || !otherAmounts.some((one) => meanings.has(one))) return undefined;
  return rankName(`${above} ${quantity}`).quantity === 0 ? { above, quantity } : undefined;
};

import type { RawRow } from '../types.ts';
import { saysNotToOrder } from './says-not-to-order.ts';

const orderWord =
  /(?:^|[^\p{L}])(?:purchase|p\.?\s?o|po|order|customer|no|nr|number|bestellung|auftrag|commande|pedido|ordine)(?=$|[^\p{L}])/giu;

/** Several words, or one without a number: `Page 1 of 2`, `left side only`, `Fragile`. `PO 4711` and `Order no. 4711` are numbers. */
const isInWords = (text: string): boolean => {
  const rest = text.replace(orderWord, ' ').trim();
  return /\p{L}{2,}/u.test(rest) && (/\s|:/.test(rest) || !/\d/.test(rest));
};

/** A row with a single text, such as a title. */
export const hasOneCell = ({ cells }: RawRow): boolean => {
  let filled = 0;
  for (const cell of cells) if (cell !== '' && cell.trim() !== '' && ++filled > 1) return false;
  return filled === 1;
};

/** The text of a row that is not a line, if it says not to order something. Pure. */
export const remarkOf = ({ cells }: RawRow): string | undefined =>
  cells
    .find((cell) => cell !== '' && saysNotToOrder(cell))
    ?.trim()
    .slice(0, 60)
    .toWellFormed();

/**
 * Whether the PO number of a row without item and quantity is a remark, because the rows above have numbers. Must be called for each PO
 * number, in order, with `alone` for such rows.
 */
export const createRemarkWatch = (): ((poNumber: string, alone: boolean) => boolean) => {
  let last: string | undefined;
  let numbers = 0;
  let words = 0;
  return (poNumber, alone) => {
    if (poNumber === last) return false;
    const inWords = isInWords(poNumber);
    if (alone && inWords && numbers > 0 && words === 0) return true;
    last = poNumber;
    if (inWords) words += 1;
    else numbers += 1;
    return false;
  };
};

import type { ColumnContent } from './column-content.ts';
import { clearName, vendorsNumber } from './name-ranks.ts';

/** What the values of a column add to its name's rank, or what contradicts it. */
export type Weight = { weight: number; why: string } | { against: string };

/** Below this sample size, a clear name decides and not the values. */
const few = 3;

const dates =
  'it holds dates (if a spreadsheet made them of PO numbers, format the column as text, enter the numbers again and export the file again)';

/** The letter prefix of a value such as PO00417. */
const prefixOf = (value: string): string => /^(\p{Lu}[\p{Lu}_/-]*)\d+(?:[-/]\d+)*$/u.exec(value)?.[1] ?? '';

/** Has the length of a GTIN-12, -13 or -14. */
const isBarcode = (value: string): boolean => /^\d{12,14}$/.test(value);

/** @see Weight for a PO number whose name has this rank. Pure. */
export const weighPo = (content: ColumnContent, rank: number): Weight => {
  const { values, distinct, runs } = content;
  if (values === 0) return { against: 'it is empty' };
  // Even with few values, because all orders of a day would become one PO.
  if (content.datesInWords > 0.2) return { against: dates };
  // Y and N in a column such as Order Y/N.
  if (rank < 8 && values > 1 && content.longest === 1 && content.digits === 0)
    return { against: 'its values are single letters' };
  if (rank >= clearName && values < few) return { weight: 1, why: 'its values fit' };
  if (content.decimals > 0.5) return { against: 'it holds amounts' };
  // PO Buyer names a person unless the values are numbers.
  if (rank >= 8 || (rank >= clearName && content.texts < 0.5)) return { weight: 1, why: 'its values fit' };
  // Such as ZAKFNYRDG: all of one length, in capitals.
  const areKeys = content.codes === 1 && content.shortest === content.longest && content.shortest >= 6;
  if (content.digits < 0.9 && !areKeys) return { against: 'its values are words' };
  if (content.texts > 0.1 || content.longest > 60) return { against: 'its values are texts' };
  if (content.longest <= 2 || content.steps) return { against: 'its values are line numbers or codes' };
  const inRuns = runs <= distinct * 1.1;
  if (!inRuns) return { against: 'its values come back further down' };
  if (rank >= 4) return { weight: 0.5, why: 'its values look like order numbers' };
  const repeated = distinct >= 2 && (distinct < values || content.filled < 1);
  const hashes = content.cells.filter((cell) => /^#\w*\d/.test(cell)).length === values;
  // Such as PUR-ORD-2026-00087 and 00088, each in several rows.
  const [start] = content.cells.filter((cell) => cell !== '').map(prefixOf);
  const alike =
    repeated && start !== '' && content.cells.every((cell) => cell === '' || prefixOf(cell) === start);
  if (hashes || alike) return { weight: 2.5, why: 'its values look like order numbers' };
  return repeated
    ? { weight: 1.5, why: 'its values repeat from row to row as those of an order' }
    : { against: 'its values differ in every row or never' };
};

/** Rank of `product_id`; below it the values outweigh the name. */
const numbered = 3.5;

/** @see Weight for an item number whose name has this rank. Pure. */
export const weighItem = (content: ColumnContent, rank: number, twiceInPo: number | undefined): Weight => {
  const { values, distinct } = content;
  if (values === 0) return { against: 'it is empty' };
  if (rank >= clearName && values < few && !content.steps) return { weight: 0.5, why: 'its values fit' };
  if (content.dates > 0.2) return { against: 'it holds dates' };
  if (content.steps) return { against: 'its values count the lines' };
  if (content.texts > 0.5) return { against: 'its values are names, not item numbers' };
  if (content.decimals > 0.5 && rank < 7 && rank !== vendorsNumber) return { against: 'it holds amounts' };
  if (rank === vendorsNumber) {
    // A supplier number repeats in all rows of an order, an item number does not.
    const isItems =
      content.digits >= 0.9 &&
      twiceInPo !== undefined &&
      twiceInPo <= 0.1 &&
      values >= few &&
      distinct > values * 0.6;
    return isItems && content.longest > 2
      ? { weight: 3.5, why: 'its values look like item numbers' }
      : { against: 'its values repeat, as the number of a supplier does' };
  }
  if (rank >= clearName && values >= few && content.cells.every((cell) => cell === '' || isBarcode(cell)))
    return { weight: -1.5, why: 'its values are barcodes' };
  if (rank >= clearName) {
    const areRecords =
      rank < 7 &&
      distinct === values &&
      content.codes === 1 &&
      content.cells.every((cell) => cell === '' || /^\d{11,}$/.test(cell));
    return areRecords
      ? { weight: -2.5, why: 'its values are long numbers that never repeat, as those of records are' }
      : { weight: 0.5, why: 'its values fit' };
  }
  const counting = content.cells.every((cell) => cell === '' || /^\d+$/.test(cell));
  if ((counting && content.longest <= 2 && rank < numbered) || (values > 3 && distinct === 1))
    return { against: 'its values are too short or always the same' };
  if ((twiceInPo ?? 0) > (rank < 3 ? 0.4 : 0.8)) return { against: 'its values repeat within an order' };
  if (content.codes < 0.95) return { against: 'its values are not item numbers' };
  // Zero-padded numbers are item numbers (SAP: 000000000010001234).
  const padded = content.cells.every((cell) => cell === '' || cell.startsWith('0'));
  if (counting && content.shortest >= 11 && !padded)
    return { weight: -2, why: 'its values are long numbers' };
  const strict = content.codes === 1 && content.texts === 0 && content.digits > 0.9;
  if (rank < 2)
    return strict && !counting && distinct > 1
      ? { weight: 3, why: 'all its values are item numbers' }
      : { against: 'it is a name' };
  return {
    weight: strict && !counting && rank < numbered ? 3 : 1.5,
    why: 'its values look like item numbers',
  };
};

/** @see Weight for a quantity whose name has this rank. Pure. */
export const weighQuantity = (content: ColumnContent, rank: number): Weight => {
  if (content.values === 0) return { against: 'it is empty' };
  const { cells } = content;
  // `2 Stück` is a piece count despite the word.
  const texts = content.counts >= 0.9 ? 0 : content.texts;
  if (content.values > 1 && cells.every((cell) => cell === '' || /^\d{5,}$/.test(cell)))
    return { against: 'all its values are long numbers, as postcodes are' };
  // Under such a name, a value that is not a whole number is a mistake in its row and is refused there.
  if (rank >= clearName && (content.values < few || texts + content.dates === 0))
    return { weight: content.counts >= 0.9 ? 1 : 0, why: 'its values are numbers' };
  if (content.dates > 0.2) return { against: 'it holds dates' };
  if (content.decimals > 0.5) return { against: 'it holds amounts or fractions' };
  if (texts > 0.5) return { against: 'it holds texts' };
  const { counts } = content;
  if (counts < 0.9 && rank < clearName) return { against: 'its values are not whole numbers' };
  if (rank < clearName && content.steps) return { against: 'its values count the lines' };
  if (rank < clearName && content.shortest >= 5) return { against: 'its values are long numbers' };
  if (counts === 0 && content.values > 1) return { against: 'none of its values is a whole number' };
  return {
    weight: counts >= 0.9 ? 1 : 0,
    why: counts >= 0.9 ? 'its values are whole numbers' : 'most of its values fit',
  };
};

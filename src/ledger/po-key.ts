// Characters and the ASCII character that they look like, after `toLowerCase`: dashes, and Cyrillic and Greek letters. Letters are matched
// by their capitals, because PO numbers use capitals.
const lookAlikes: readonly (readonly [string, string])[] = [
  ['\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-------'],
  [
    '\u0430\u0432\u0441\u0435\u043d\u0456\u0458\u043a\u043c\u043e\u0440\u0455\u0442\u0443\u0445',
    'abcehijkmopstyx',
  ],
  ['\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7', 'abezhikmnoptyx'],
];
const plainSigns = new Map(
  lookAlikes.flatMap(([odd, plain]) => [...odd].map((sign, at) => [sign, plain[at]!])),
);
const anyOdd = new RegExp(`[${[...plainSigns.keys()].join('')}]`, 'g');

const plainAlready = /^(?!.* {2})[\x00-\x7f]*$/;

/**
 * The key of a PO number (purchase_orders.po_key): equal for numbers that differ only in case, look-alike characters, or the number of
 * blanks between words, which readers cannot tell apart. It is stored, so this function must never return another key for the same number.
 * Undefined if Postgres's `lower` gives the same key, which it does for ASCII with single blanks.
 */
export const foldedPoKey = (poNumber: string): string | undefined =>
  plainAlready.test(poNumber)
    ? undefined
    : poNumber
        .normalize('NFKC')
        .toLowerCase()
        .replace(anyOdd, (sign) => plainSigns.get(sign)!)
        .replace(/ {2,}/g, ' ');

/** The key of any PO number, for lookups. */
export const poKeyOf = (poNumber: string): string => foldedPoKey(poNumber) ?? poNumber.toLowerCase();

/** SQL: the PO key of a row or an issue, which stores one only where `lower` is not enough. */
export const rowPoKey = (row: string): string =>
  `coalesce(${row}.po_key, lower(${row}.po_number collate "C"))`;

/** How two numbers with one key differ, for use in a sentence. */
export const keyDifference = 'only in case, or in characters that look the same';

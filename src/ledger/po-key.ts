// Signs that look like an ASCII one, each with that one: dashes, and letters of Cyrillic and Greek, after `toLowerCase`. A letter counts by its
// capital, because PO numbers have capitals, and each of one alphabet looks like another sign.
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
 * The key of a PO number (purchase_orders.po_key): equal for numbers that differ only in case, in characters that look the same, or in how many
 * blanks are between two words. Nobody who reads such numbers tells them apart. It is stored, so this function must never return another key for the same number.
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

/** SQL: the key of the PO of a row or of an issue, which have a key of their own only where `lower` is not enough. */
export const rowPoKey = (row: string): string =>
  `coalesce(${row}.po_key, lower(${row}.po_number collate "C"))`;

/** What two numbers with one key differ in, within a sentence. */
export const keyDifference = 'only in case, or in characters that look the same';

import { readHeader } from '../../columns/read-header.ts';
import type { IntakeOptions } from '../../options.ts';
import type { RawRow } from '../../types.ts';

/** Excludes `1,000` and `1.000`, which are ambiguous: thousands or three decimals. */
const comma = /^-?(?:\d{1,3}(?:[.\s]\d{3})+,\d{1,4}|\d+,(?:\d{1,2}|\d{4}))$/;
const point = /^-?(?:\d{1,3}(?:[,\s]\d{3})+\.\d{1,4}|\d+\.(?:\d{1,2}|\d{4}))$/;
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

const numeric = ['quantity', 'pieces', 'price', 'unitprice', 'cost', 'amount'] as const;
const notNumeric = ['currency', 'uom', 'name', 'description', 'date'] as const;

/** The columns whose names indicate numbers, whether or not they are read. */
const numberColumns = (headers: readonly string[]): number[] =>
  headers.flatMap((header, at) => {
    const { meanings } = readHeader(header);
    const fits = numeric.some((one) => meanings.has(one)) && !notNumeric.some((one) => meanings.has(one));
    return fits ? [at] : [];
  });

/**
 * The decimal sign evident from the numbers of a file, if it must be set to read them; undefined if there is no evidence. Pure.
 *
 * @param read the columns that are read as numbers
 * @param asText the cells are text and never numbers of a spreadsheet, which always have a point
 */
export const guessDecimal = (
  headers: readonly string[],
  rows: readonly RawRow[],
  read: readonly number[],
  asText: boolean,
): IntakeOptions['decimal'] => {
  const valuesOf = (columns: Iterable<number>) =>
    [...columns].flatMap((at) => rows.map((row) => (row.cells[at] ?? '').replace(/[$€£]/g, '').trim()));
  const all = valuesOf(new Set([...read, ...numberColumns(headers)]));
  const [commas, points] = [comma, point].map((sign) => all.some((value) => sign.test(value)));
  if (commas === points) return undefined;
  // With either sign, one of 1.000 and 1,000 would become 1.
  const values = valuesOf(read);
  if ([/^\d{1,3}\.\d{3}$/, /^\d{1,3},\d{3}$/].every((form) => values.some((value) => form.test(value))))
    return undefined;
  if (commas) return 'comma';
  // 5.000 beside a price of 44.89, in a column where every number has three decimals.
  const areDecimals = read.some((at) => {
    const own = valuesOf([at]).filter((value) => value !== '');
    return own.length > 1 && own.every((value) => /^\d+\.\d00$/.test(value));
  });
  if (areDecimals) return 'point';
  return asText && values.some((value) => grouped.test(value)) ? 'point' : undefined;
};

import { type FieldName, headerKey } from '../columns/fields.ts';
import type { DetectedColumn } from '../types.ts';

const namesOf = (...groups: string[]): ReadonlySet<string> =>
  new Set(groups.flatMap((group) => group.split(' ')));

/** Names of ignored columns that describe the item, as `headerKey`. */
const descriptions = namesOf(
  'description itemdescription productdescription partdescription desc itemdesc productdesc partdesc productname itemname brand manufacturer buyer',
);
/** Names of ignored columns with a price, a number or a day in each row. */
const measures = namesOf(
  'price unitprice cost unitcost extendedprice extendedcost amount lineamount linetotal currency',
  'line lineno linenumber row rowno rownumber date orderdate podate',
);

/** Whether a column, by its name, only describes items and so cannot say whether to order a row. Pure. @param column as `headerKey` */
export const describesItems = (column: string): boolean => descriptions.has(column);

/**
 * Whether a column, by its name, holds prices, numbers or days, so that only other values can say whether to order a row. Pure.
 * @param column as `headerKey`
 */
export const hasMeasures = (column: string): boolean => measures.has(column);

/** The keys of the columns mapped to `ignore`. */
export const ignoredKeys = (columns: Readonly<Record<string, FieldName | 'ignore'>>): Set<string> =>
  new Set(Object.entries(columns).flatMap(([name, field]) => (field === 'ignore' ? headerKey(name) : [])));

/** The positions of ignored columns that describe the items. */
export const describingColumns = (
  detected: readonly DetectedColumn[],
  columns: Readonly<Record<string, FieldName | 'ignore'>>,
): Set<number> => {
  const ignored = ignoredKeys(columns);
  const isOne = ({ header, field }: DetectedColumn) =>
    field === null && describesItems(headerKey(header)) && !ignored.has(headerKey(header));
  return new Set(detected.flatMap((column, at) => (isOne(column) ? [at] : [])));
};

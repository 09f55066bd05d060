import { type FieldName, headerKey } from '../columns/fields.ts';
import type { DetectedColumn } from '../types.ts';

const namesOf = (...groups: string[]): ReadonlySet<string> =>
  new Set(groups.flatMap((group) => group.split(' ')));

/** Names of columns that are not read and describe the item, in the form of `headerKey`. */
const descriptions = namesOf(
  'description itemdescription productdescription partdescription desc itemdesc productdesc partdesc productname itemname brand manufacturer buyer',
);
/** Names of columns that are not read and have a price, a number or a day in each row. */
const measures = namesOf(
  'price unitprice cost unitcost extendedprice extendedcost amount lineamount linetotal currency',
  'line lineno linenumber row rowno rownumber date orderdate podate',
);

/** Whether a column can say nothing about whether a row is to be ordered, by its name. Pure. @param column in the form of `headerKey` */
export const describesItems = (column: string): boolean => descriptions.has(column);

/** Whether a column can say so only where it has something else than a price, a number or a day. Pure. @param column in the form of `headerKey` */
export const hasMeasures = (column: string): boolean => measures.has(column);

/** The keys of the columns that somebody said are to be ignored. */
export const ignoredKeys = (columns: Readonly<Record<string, FieldName | 'ignore'>>): Set<string> =>
  new Set(Object.entries(columns).flatMap(([name, field]) => (field === 'ignore' ? headerKey(name) : [])));

/** The positions of the columns that are not read and describe the items. */
export const describingColumns = (
  detected: readonly DetectedColumn[],
  columns: Readonly<Record<string, FieldName | 'ignore'>>,
): Set<number> => {
  const ignored = ignoredKeys(columns);
  const isOne = ({ header, field }: DetectedColumn) =>
    field === null && describesItems(headerKey(header)) && !ignored.has(headerKey(header));
  return new Set(detected.flatMap((column, at) => (isOne(column) ? [at] : [])));
};

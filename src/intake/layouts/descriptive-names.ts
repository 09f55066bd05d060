import { type FieldName, headerKey } from '../columns/fields.ts';
import type { DetectedColumn } from '../types.ts';

/**
 * Names of columns that are not read and can say nothing about whether a row is to be ordered: they describe its item, its price, its
 * number or its day. In the form of `headerKey`.
 */
const names = new Set(
  [
    'description itemdescription productdescription partdescription productname itemname brand manufacturer',
    'price unitprice cost unitcost extendedprice extendedcost amount lineamount linetotal currency',
    'line lineno linenumber row rowno rownumber',
    'date orderdate podate buyer',
  ].flatMap((group) => group.split(' ')),
);

/** @param column in the form of `headerKey` */
export const describesItems = (column: string): boolean => names.has(column);

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

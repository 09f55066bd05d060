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

import type { ColumnContent } from './column-content.ts';

/** The positions of the rows of each order. A blank PO number continues the order above it. */
const rowsByOrder = (po: ColumnContent): Map<string, number[]> => {
  const orders = new Map<string, number[]>();
  let order = '';
  for (const [at, cell] of po.cells.entries()) {
    if (cell !== '') order = cell;
    if (order === '') continue;
    const rows = orders.get(order);
    if (rows) rows.push(at);
    else orders.set(order, [at]);
  }
  return orders;
};

/** The share of rows whose value occurs again in the same order; undefined if no order has several rows. Pure. */
export const twiceInOrders = (po: ColumnContent | undefined, content: ColumnContent): number | undefined => {
  if (!po) return undefined;
  const orders = rowsByOrder(po);
  if (orders.size === po.values && po.filled === 1) return undefined;
  let rows = 0;
  let different = 0;
  for (const positions of orders.values()) {
    const values = positions.map((at) => content.cells[at] ?? '').filter((value) => value !== '');
    rows += values.length;
    different += new Set(values).size;
  }
  return (rows - different) / Math.max(1, rows);
};

/**
 * Whether a column is constant within each order, so that it can be a total of the order. `sumOf`: the first other column whose sum it is
 * in each order. Undefined if it is not constant, or if no order has several rows. Pure.
 */
export const orderTotal = (
  po: ColumnContent | undefined,
  content: ColumnContent,
  others: readonly ColumnContent[],
): { sumOf: ColumnContent | undefined } | undefined => {
  if (!po) return undefined;
  const orders = [...rowsByOrder(po).values()];
  const long = orders.filter((rows) => rows.length > 1);
  const valuesOf = (rows: readonly number[]) => new Set(rows.map((at) => content.cells[at] ?? ''));
  // A total of two lines is at least 2.
  const canBeTotal = (rows: readonly number[]) =>
    valuesOf(rows).size === 1 && Number(content.cells[rows[0]!]) >= rows.length;
  if (long.length === 0 || !long.every(canBeTotal)) return undefined;
  const isSum = (other: ColumnContent) =>
    orders.every(
      (rows) =>
        rows.reduce((sum, at) => sum + Number(other.cells[at] || 'x'), 0) === Number(content.cells[rows[0]!]),
    );
  return { sumOf: others.find((other) => other !== content && isSum(other)) };
};

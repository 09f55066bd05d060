import type { ColumnContent } from './column-content.ts';

/** Every pair of columns is compared, so a table of thousands must not cost minutes. */
const comparedColumns = 200;

/** Pairs of columns, price p and line amount t, with p × quantity = t, where not all quantities are 1. Pure. */
export const findProducts = (
  columns: readonly { content: ColumnContent }[],
  quantity: ColumnContent,
): { prices: Set<number>; totals: Set<number> } => {
  const numbers = columns
    .slice(0, comparedColumns)
    .map(({ content }) =>
      content.cells.map((cell) => Number(cell.replace(/[$€£\s]/g, '').replace(/^(\d+),(\d{1,4})$/, '$1.$2'))),
    );
  const counts = quantity.cells.map((cell) =>
    Number(cell.replace(/[.,]0{1,2}$/, '').replace(/\s*\p{L}+\.?$/u, '')),
  );
  const rows = counts.flatMap((count, at) => (count > 1 ? [at] : []));
  const prices = new Set<number>();
  const totals = new Set<number>();
  if (rows.length < 2) return { prices, totals };
  for (const [price, unit] of numbers.entries()) {
    // A price unit of 1 proves nothing: each number is itself times one.
    if (unit.every((value) => !(value > 0) || value === 1)) continue;
    for (const [total, sum] of numbers.entries()) {
      if (price === total) continue;
      const good = rows.filter(
        (at) => unit[at]! > 0 && Math.abs(unit[at]! * counts[at]! - sum[at]!) < 0.02 + sum[at]! / 1000,
      ).length;
      if (good < rows.length * 0.9 || good < 2) continue;
      prices.add(price);
      totals.add(total);
    }
  }
  return { prices, totals };
};

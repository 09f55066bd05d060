import type { CartView, OrderAnswer } from '../dealer-api/answers.ts';
import type { Line } from './types.ts';

/** How the quantities at the service compare with those of the file. */
export type Match = 'equal' | 'more' | 'less' | 'unreadable';

/** The new orders under the PO number: none, or how their quantities together compare with the file. */
export type OrdersComparison = 'none' | Match;

/** The cart under the PO number: missing, with less than was added, as expected, otherwise different, or not comparable. */
export type CartComparison = 'absent' | 'incomplete' | 'equal' | 'different' | 'unreadable';

type Quantities = Map<string, number>;

const sum = (entries: Iterable<readonly [string, number]>): Quantities => {
  const total: Quantities = new Map();
  for (const [sku, quantity] of entries) total.set(sku, (total.get(sku) ?? 0) + quantity);
  return total;
};

/** Quantities by the SKU that the service answered for each line; undefined when one is not known. */
const askedQuantities = (lines: readonly Line[]): Quantities | undefined => {
  const entries = lines.map((line) => [line.answer?.sku ?? line.itemSku, line.quantity] as const);
  return entries.every((entry): entry is [string, number] => entry[0] !== undefined)
    ? sum(entries)
    : undefined;
};

/** A SKU without the case and surrounding blanks, which a service may change when it shows it. */
const asShown = (code: string): string => code.trim().toUpperCase();

/** One SKU whose quantity at the service is not what was asked for. */
export interface QuantityDifference {
  sku: string;
  asked: number;
  seen: number;
}

const differencesOf = (asked: Quantities, seen: Quantities): QuantityDifference[] =>
  [...new Set([...asked.keys(), ...seen.keys()])]
    .map((sku) => ({ sku, asked: asked.get(sku) ?? 0, seen: seen.get(sku) ?? 0 }))
    .filter((one) => one.asked !== one.seen);

/**
 * A service may show a SKU in another case or with blanks around it. That is the same SKU, unless two SKUs of the file differ only in
 * this. Undefined: not comparable.
 */
const findDifferences = (
  asked: Quantities | undefined,
  seen: Quantities | undefined,
): QuantityDifference[] | undefined => {
  if (!asked || !seen) return undefined;
  const exact = differencesOf(asked, seen);
  if (exact.length === 0) return exact;
  const folded = sum([...asked].map(([sku, quantity]) => [asShown(sku), quantity] as const));
  const shown = sum([...seen].map(([sku, quantity]) => [asShown(sku), quantity] as const));
  return folded.size === asked.size ? differencesOf(folded, shown) : exact;
};

/** `more` wins over `less`: a unit too many is the more expensive mistake. */
const matchOf = (differences: readonly QuantityDifference[] | undefined): Match => {
  if (!differences) return 'unreadable';
  if (differences.some(({ asked, seen }) => seen > asked)) return 'more';
  return differences.length > 0 ? 'less' : 'equal';
};

/** Orders that are not in the record of rule 2. */
export const ordersSince = (orders: readonly OrderAnswer[], baseline: readonly string[]): OrderAnswer[] =>
  orders.filter((order) => !baseline.includes(order.orderNumber));

/**
 * All quantities of these orders together, by SKU; undefined when the items of one order cannot be read. An order without
 * items is one whose items are not shown: every order has items (rule 8).
 */
const orderedQuantities = (orders: readonly OrderAnswer[]): Quantities | undefined =>
  orders.every((order) => order.lines !== undefined && order.lines.length > 0)
    ? sum(orders.flatMap((order) => order.lines!.map((line) => [line.sku, line.quantity] as const)))
    : undefined;

/** Rule 7: compares the orders that are new since `baseline`, all together, with the file. */
export const compareOrders = (
  orders: readonly OrderAnswer[],
  baseline: readonly string[],
  lines: readonly Line[],
): OrdersComparison => {
  const newOrders = ordersSince(orders, baseline);
  return newOrders.length === 0
    ? 'none'
    : matchOf(findDifferences(askedQuantities(lines), orderedQuantities(newOrders)));
};

/** The differences between the file and the orders that are new since `baseline`, all together, as far as they can be read. Pure. */
export const orderDifferences = (
  orders: readonly OrderAnswer[],
  baseline: readonly string[],
  lines: readonly Line[],
): QuantityDifference[] =>
  findDifferences(askedQuantities(lines), orderedQuantities(ordersSince(orders, baseline))) ?? [];

/**
 * The lines for which the service put another SKU into the cart than the file asks for. The comparisons cannot see this: they use the
 * SKU that the service answered, because it may have its own name for an item. Pure.
 */
export const otherSkus = (lines: readonly Line[]): { rowNumber: number; asked: string; got: string }[] =>
  lines.flatMap(({ rowNumber, itemSku, answer }) =>
    itemSku !== undefined && answer?.sku !== undefined && asShown(itemSku) !== asShown(answer.sku)
      ? [{ rowNumber, asked: itemSku, got: answer.sku }]
      : [],
  );

/** Rule 6: compares the cart with the file's lines, as far as its items can be read. */
export const compareCart = (cart: CartView | undefined, lines: readonly Line[]): CartComparison => {
  if (!cart) return 'absent';
  const asked = askedQuantities(lines);
  if (!cart.lines || !asked) return 'unreadable';
  // A cart may show only the ID of an item, and not the SKU that the service answered for it.
  const bySku = new Map(lines.map((line) => [line.itemId, line.answer?.sku]));
  const named = cart.lines.map((line) => [line.sku ?? bySku.get(line.itemId), line.quantity] as const);
  if (!named.every((entry): entry is [string, number] => entry[0] !== undefined)) return 'unreadable';
  const match = matchOf(findDifferences(asked, sum(named)));
  return match === 'equal' ? 'equal' : match === 'less' ? 'incomplete' : 'different';
};

import type { CartView, OrderAnswer } from '../dealer-api/answers.ts';
import type { Line } from './types.ts';

/** How the quantities at the service compare with those of the file. */
export type Match = 'equal' | 'more' | 'less' | 'unreadable';

/** The new orders under the PO number: none, or how their quantities together compare with the file. */
export type OrdersComparison = 'none' | Match;

/** The cart under the PO number: missing, with less than was added, as it should be, otherwise different, or not comparable. */
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

/** A SKU without what a service may change when it shows it: its case, and blanks around it. */
const asShown = (code: string): string => code.trim().toUpperCase();

/**
 * A service may show a SKU in another case than it was asked for, or with blanks around it. That is the same SKU, unless the file itself
 * tells two SKUs apart only by that.
 */
const compareQuantities = (asked: Quantities | undefined, seen: Quantities | undefined): Match => {
  if (!asked || !seen) return 'unreadable';
  const exact = compareExactly(asked, seen);
  if (exact === 'equal') return exact;
  const folded = sum([...asked].map(([sku, quantity]) => [asShown(sku), quantity] as const));
  const shown = sum([...seen].map(([sku, quantity]) => [asShown(sku), quantity] as const));
  return folded.size === asked.size ? compareExactly(folded, shown) : exact;
};

/** `more` wins over `less`: a unit too many is the more expensive mistake. */
const compareExactly = (asked: Quantities, seen: Quantities): Match => {
  let less = false;
  for (const sku of new Set([...asked.keys(), ...seen.keys()])) {
    const difference = (seen.get(sku) ?? 0) - (asked.get(sku) ?? 0);
    if (difference > 0) return 'more';
    if (difference < 0) less = true;
  }
  return less ? 'less' : 'equal';
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
    : compareQuantities(askedQuantities(lines), orderedQuantities(newOrders));
};

/** Rule 6: compares the cart with the file's lines, as far as its items can be read. */
export const compareCart = (cart: CartView | undefined, lines: readonly Line[]): CartComparison => {
  if (!cart) return 'absent';
  const asked = askedQuantities(lines);
  if (!cart.lines || !asked) return 'unreadable';
  // A cart may show only the ID of an item, and not the SKU that the service answered for it.
  const bySku = new Map(lines.map((line) => [line.itemId, line.answer?.sku]));
  const named = cart.lines.map((line) => [line.sku ?? bySku.get(line.itemId), line.quantity] as const);
  if (!named.every((entry): entry is [string, number] => entry[0] !== undefined)) return 'unreadable';
  const match = compareQuantities(asked, sum(named));
  return match === 'equal' ? 'equal' : match === 'less' ? 'incomplete' : 'different';
};

import type { CartView, OrderAnswer } from '../dealer-api/answers.ts';
import type { Line } from './types.ts';

/** How quantities seen at the service stand to those of the file. */
export type Match = 'equal' | 'more' | 'less' | 'unreadable';

/** Orders under the PO that were not there before: none, or how their quantities together match the file. */
export type NewOrders = 'none' | Match;

/** The cart under the PO: not there, with less than was added, as it should be, with anything else, or not comparable. */
export type CartSight = 'absent' | 'incomplete' | 'equal' | 'different' | 'unreadable';

type Quantities = Map<string, number>;

const sum = (entries: Iterable<readonly [string, number]>): Quantities => {
  const total: Quantities = new Map();
  for (const [sku, quantity] of entries) total.set(sku, (total.get(sku) ?? 0) + quantity);
  return total;
};

/** Quantities by the SKU that the service answered for each line, or undefined when one is not known. */
const askedQuantities = (lines: readonly Line[]): Quantities | undefined => {
  const entries = lines.map((line) => [line.answer?.sku ?? line.itemSku, line.quantity] as const);
  return entries.every((entry): entry is [string, number] => entry[0] !== undefined)
    ? sum(entries)
    : undefined;
};

/** `more` wins over `less`: a unit too many is the more expensive mistake. */
const compareQuantities = (asked: Quantities | undefined, seen: Quantities | undefined): Match => {
  if (!asked || !seen) return 'unreadable';
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
 * All quantities of some orders together, by SKU; undefined when the items of one cannot be read. An order without
 * items is one whose items are not shown: every order has some (rule 8).
 */
const orderedQuantities = (orders: readonly OrderAnswer[]): Quantities | undefined =>
  orders.every((order) => order.lines !== undefined && order.lines.length > 0)
    ? sum(orders.flatMap((order) => order.lines!.map((line) => [line.sku, line.quantity] as const)))
    : undefined;

/** Rule 7: what the orders that are new since `baseline` make of the file's quantities. */
export const sightOfOrders = (
  orders: readonly OrderAnswer[],
  baseline: readonly string[],
  lines: readonly Line[],
): NewOrders => {
  const fresh = ordersSince(orders, baseline);
  return fresh.length === 0 ? 'none' : compareQuantities(askedQuantities(lines), orderedQuantities(fresh));
};

/** Rule 6: whether the cart holds the file's lines, as far as its items can be read. */
export const sightOfCart = (cart: CartView | undefined, lines: readonly Line[]): CartSight => {
  if (!cart) return 'absent';
  const asked = askedQuantities(lines);
  if (!cart.lines || !asked) return 'unreadable';
  // A cart may name an item by its id only; then the SKU under which the service took it is not to be seen.
  const bySku = new Map(lines.map((line) => [line.itemId, line.answer?.sku]));
  const named = cart.lines.map((line) => [line.sku ?? bySku.get(line.itemId), line.quantity] as const);
  if (!named.every((entry): entry is [string, number] => entry[0] !== undefined)) return 'unreadable';
  const match = compareQuantities(asked, sum(named));
  return match === 'equal' ? 'equal' : match === 'less' ? 'incomplete' : 'different';
};

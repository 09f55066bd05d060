import type { CartView, ItemAnswer, OrderAnswer } from '../../src/dealer-api/answers.ts';
import { order as orderAnswer } from '../placing/lines.ts';

/** The part of a PO's answer that this service leaves empty. */
export const noAddress = {
  shipName: undefined,
  shipAddress: undefined,
  shipCity: undefined,
  shipState: undefined,
  shipZip: undefined,
};

/** Choices of a service where the spec is open (docs/spec-decisions.md). */
export interface Variant {
  /** A cart still exists after it was submitted. */
  cartKept: boolean;
  /** One SKU added twice is one line. */
  merged: boolean;
  /** A PO number may be ordered again. */
  reuse: boolean;
  /** Reads lag behind writes by up to this time. */
  readLagMs: number;
  /** Creating a cart replaces an existing one. */
  replacing: boolean;
  /** Show cart gives no items. */
  itemsUnreadable: boolean;
  /** An unknown item is answered 404. */
  unknownItemNotFound: boolean;
  /** Each line becomes a separate order. */
  split: boolean;
  /** A PO number may be ordered again, but the account's configuration does not say so. */
  overOrders: boolean;
  /** Answers 422 to a creation that a cart or an order prevents. */
  refusing: boolean;
  /** A proxy sends some calls twice, and returns the second answer. */
  doubling: boolean;
}

interface ModelLine {
  sku: string;
  quantity: number;
}
interface ModelCart {
  number: string;
  ours: boolean;
  lines: ModelLine[];
}
interface ModelOrder {
  orderNumber: string;
  /** The submission that created it; 0: it existed before. */
  submission: number;
  ours: boolean;
  lines: ModelLine[];
  /** When somebody else ordered it. */
  at: number;
}
interface Records {
  cart: ModelCart | undefined;
  orders: ModelOrder[];
}

export type Effect<T> = { kind: 'ok'; value: T } | { kind: 'not_found' | 'refused' | 'conflict' };

export interface LogEntry {
  at: number;
  poNumber: string;
  what: string;
}

/** The service as the judge sees it: what really happened, independent of the answers. */
export interface ModelService {
  log: LogEntry[];
  /** Events that must never happen. */
  violations: string[];
  plant(poNumber: string, existing: { cart?: ModelLine[]; orders?: ModelLine[][] }): void;
  /** Another client orders under the number. */
  orderByHand(poNumber: string, lines: ModelLine[]): void;
  ordersUnder(poNumber: string): Records;
  createCart(poNumber: string): Effect<{ cartNumber: string; shipmentType: undefined }>;
  addItem(
    poNumber: string,
    item: { itemSku?: string | undefined; itemId?: string | undefined; quantity: number },
  ): Effect<ItemAnswer>;
  deleteCart(poNumber: string): Effect<undefined>;
  createOrder(poNumber: string): Effect<{ orderNumber: string }>;
  /** Reads show the state of `agoMs` ago. */
  showCart(poNumber: string, agoMs: number): CartView | undefined;
  showOrders(poNumber: string, agoMs: number): OrderAnswer[];
}

/** The SKUs that the service knows, by the IDs that also order them. */
export const skuOfId = (itemId: string): string => itemId.replace('id-', '');
export const unknownSku = 'UNKNOWN';

/** Maximum time after somebody else's order in which one of ours may still be submitted. */
const noticedMs = 15_000;

export const createModelService = (variant: Variant, now: () => number): ModelService => {
  const history = new Map<string, { at: number; records: Records }[]>();
  const log: LogEntry[] = [];
  const violations: string[] = [];
  const mayOrderAgain = variant.reuse || variant.overOrders;
  let carts = 0;
  let orders = 0;
  let submissions = 0;

  const versions = (poNumber: string) => {
    let found = history.get(poNumber);
    if (!found) {
      found = [{ at: Number.NEGATIVE_INFINITY, records: { cart: undefined, orders: [] } }];
      history.set(poNumber, found);
    }
    return found;
  };
  const ordersUnder = (poNumber: string, agoMs = 0): Records =>
    versions(poNumber).findLast(({ at }) => at <= now() - agoMs)!.records;
  const write = (poNumber: string, next: Records, what: string): void => {
    versions(poNumber).push({ at: now(), records: next });
    log.push({ at: now(), poNumber, what });
  };
  const numbered = (lines: ModelLine[], submission: number, ours: boolean): ModelOrder => {
    orders += 1;
    return { orderNumber: `O-${orders}`, submission, ours, lines, at: now() };
  };

  return {
    log,
    violations,
    ordersUnder,
    plant: (poNumber, { cart, orders: planted = [] }) => {
      carts += 1;
      versions(poNumber)[0]!.records = {
        cart: cart && { number: `C-${carts}`, ours: false, lines: cart },
        orders: planted.map((lines) => ({ ...numbered(lines, 0, false), at: Number.NEGATIVE_INFINITY })),
      };
    },
    orderByHand: (poNumber, lines) => {
      const { cart, orders: placed } = ordersUnder(poNumber);
      write(poNumber, { cart, orders: [...placed, numbered(lines, 0, false)] }, 'ordered by hand');
    },
    createCart: (poNumber) => {
      const { cart, orders: placed } = ordersUnder(poNumber);
      const kind = variant.refusing ? 'refused' : 'conflict';
      if (placed.length > 0 && !mayOrderAgain) return { kind };
      if (cart && !variant.replacing) return { kind };
      if (cart && !cart.ours) violations.push(`${poNumber}: somebody else's cart was replaced`);
      carts += 1;
      const number = `C-${carts}`;
      write(poNumber, { cart: { number, ours: true, lines: [] }, orders: placed }, `cart ${number}`);
      return { kind: 'ok', value: { cartNumber: number, shipmentType: undefined } };
    },
    addItem: (poNumber, { itemSku, itemId, quantity }) => {
      const { cart, orders: placed } = ordersUnder(poNumber);
      if (!cart) return { kind: 'not_found' };
      const sku = itemSku ?? skuOfId(itemId!);
      if (sku === unknownSku) return { kind: variant.unknownItemNotFound ? 'not_found' : 'refused' };
      if (!cart.ours) violations.push(`${poNumber}: somebody else's cart was added to`);
      const same = variant.merged ? cart.lines.find((line) => line.sku === sku) : undefined;
      const lines = same
        ? cart.lines.map((line) => (line === same ? { sku, quantity: line.quantity + quantity } : line))
        : [...cart.lines, { sku, quantity }];
      write(
        poNumber,
        { cart: { ...cart, lines }, orders: placed },
        `item ${quantity} ${sku} in ${cart.number}`,
      );
      const value = { sku, name: sku, availableQuantity: 99, backorderQuantity: 0, dealerPrice: '1.00' };
      return { kind: 'ok', value };
    },
    deleteCart: (poNumber) => {
      const { cart, orders: placed } = ordersUnder(poNumber);
      if (!cart) return { kind: 'not_found' };
      if (!cart.ours) violations.push(`${poNumber}: somebody else's cart was deleted`);
      write(poNumber, { cart: undefined, orders: placed }, `deleted ${cart.number}`);
      return { kind: 'ok', value: undefined };
    },
    createOrder: (poNumber) => {
      const { cart, orders: placed } = ordersUnder(poNumber);
      if (!cart) return { kind: 'not_found' };
      if (placed.some((order) => order.submission > 0) && !mayOrderAgain) return { kind: 'conflict' };
      const seen = placed.filter(({ ours, at }) => !ours && at < now() - noticedMs);
      if (seen.length > 0 && !variant.reuse)
        violations.push(`${poNumber}: submitted although somebody else had ordered under the number`);
      if (cart.lines.length === 0) return { kind: 'refused' };
      if (!cart.ours) violations.push(`${poNumber}: somebody else's cart was submitted`);
      submissions += 1;
      const parts = variant.split ? cart.lines.map((line) => [line]) : [cart.lines];
      const made = parts.map((lines) => numbered(lines, submissions, true));
      const text = cart.lines.map((line) => `${line.quantity} ${line.sku}`).join(', ');
      write(
        poNumber,
        { cart: variant.cartKept ? cart : undefined, orders: [...placed, ...made] },
        `ORDERED ${cart.number}: ${text}`,
      );
      return { kind: 'ok', value: { orderNumber: made[0]!.orderNumber } };
    },
    showCart: (poNumber, agoMs) => {
      const { cart } = ordersUnder(poNumber, agoMs);
      if (!cart) return undefined;
      const lines = cart.lines.map(({ sku, quantity }) => ({ sku, itemId: undefined, quantity }));
      return { cartNumber: cart.number, lines: variant.itemsUnreadable ? undefined : lines };
    },
    showOrders: (poNumber, agoMs) =>
      ordersUnder(poNumber, agoMs).orders.map(({ orderNumber, lines }) => orderAnswer(orderNumber, lines)),
  };
};

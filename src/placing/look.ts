import type { DealerApi, FailedCall, Gate, OrderAnswer, PoAnswer } from '../dealer-api/answers.ts';
import type { CallKind, Observation, Step } from './decide.ts';
import { listRange, shiftDay } from './list-range.ts';
import { type NewOrders, ordersSince, sightOfCart, sightOfOrders } from './observe.ts';
import type { TakenPurchaseOrder } from './types.ts';

/** What a lookup asks for, one after the other. */
export type Lookup = 'order' | 'date_range' | 'cart';

export interface Looked {
  observation: Observation;
  /** All order numbers that stand under the PO: the record of rule 2 on the first look. */
  orderNumbers: string[];
  /** The orders that are new since that record. */
  fresh: OrderAnswer[];
  /** Why a lookup failed, and which. */
  failed?: FailedCall;
  failedAt?: Lookup;
}

/** Orders of a PO out of a date range; a service may give one PO object an order or one for all. */
const ordersOf = (pos: readonly PoAnswer[], poNumber: string): OrderAnswer[] =>
  pos.filter((po) => po.poNumber === poNumber).flatMap((po) => po.orders);

/**
 * On the first lookup any order may be this very PO's, placed before the ledger was restored from a backup, by
 * itself or as one of several parts. All are `more` only if each of them shows something that this PO does not ask
 * for; one that can't be read, or shows less, may be ours.
 */
const judgeOrders = (po: TakenPurchaseOrder, orders: readonly OrderAnswer[]): NewOrders => {
  const together = sightOfOrders(orders, po.baseline ?? [], po.lines);
  if (po.baseline !== undefined || together === 'none') return together;
  const each = orders.map((order) => sightOfOrders([order], [], po.lines));
  if (each.includes('equal') || together === 'equal') return 'equal';
  return each.find((sight) => sight !== 'more') ?? 'more';
};

/**
 * Reads what stands under a PO at the service; changes nothing. `everywhere` also asks the date range,
 * which some services answer from another store than the single look-up.
 */
export const look = async (
  api: DealerApi,
  po: TakenPurchaseOrder,
  at: Extract<Step, { do: 'look' }>['at'],
  gate: Gate,
  now: Date,
): Promise<Looked> => {
  const failed = (result: FailedCall, failedAt: Lookup): Looked => ({
    observation: { saw: 'failed_look', kind: result.kind as Exclude<CallKind, 'ok' | 'not_found'> },
    orderNumbers: [],
    fresh: [],
    failed: result,
    failedAt,
  });
  const found = new Map<string, OrderAnswer>();

  const direct = await api.showOrder(po.poNumber, gate);
  if (direct.kind === 'ok') for (const order of direct.value.orders) found.set(order.orderNumber, order);
  else if (direct.kind !== 'not_found') return failed(direct, 'order');

  if (at === 'everywhere') {
    const range = await listRange(api, { first: shiftDay(po.createdAt, -1), last: shiftDay(now, 1) }, gate);
    if (range.kind === 'failed') return failed(range.failed, 'date_range');
    for (const order of ordersOf(range.value, po.poNumber)) {
      if (!found.has(order.orderNumber)) found.set(order.orderNumber, order);
    }
  }

  const cart = at === 'orders' ? undefined : await api.showCart(po.poNumber, gate);
  if (cart && cart.kind !== 'ok' && cart.kind !== 'not_found') return failed(cart, 'cart');

  const orders = [...found.values()];
  return {
    observation: {
      saw: 'standing',
      orders: judgeOrders(po, orders),
      cart: sightOfCart(cart?.kind === 'ok' ? cart.value : undefined, po.lines),
    },
    orderNumbers: [...found.keys()],
    fresh: ordersSince(orders, po.baseline ?? []),
  };
};

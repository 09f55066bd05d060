import type { OrderAnswer, PoAnswer } from '../dealer-api/answers.ts';
import { compareCart, compareOrders, type OrdersComparison, ordersSince } from './compare.ts';
import type { Step } from './decision.ts';
import { dayOf, type FailedLookup, listRange } from './list-range.ts';
import { noteLag } from './note-lag.ts';
import { type Findings, kindOf, type Performed, type PlacingRun } from './placing-run.ts';
import type { LookupCall, TakenPurchaseOrder } from './types.ts';

/**
 * Reads what exists under a PO number at the service; changes nothing. `everywhere` also reads the date range, which
 * some services answer from another store than a single order.
 *
 */
export const performLookup = async (
  run: PlacingRun,
  po: TakenPurchaseOrder,
  at: Extract<Step, { do: 'lookup' }>['at'],
): Promise<Performed> => {
  const { deps, lease, rules } = run;
  const isSubmitted = po.state === 'submitting' || po.state === 'verifying';
  if (isSubmitted) await deps.checkpoint?.('verifying', po.poNumber);
  const found = await (at === 'cart' ? lookUpCart(run, po) : lookUp(run, po, at));
  if (!lease.holds()) return { kind: 'lost' };
  if (found.kind === 'ok') await noteLag(deps, po, rules, found.findings.observation);
  const findings = found.kind === 'ok' ? found.findings : await findingsOfFailure(run, found);
  return { kind: 'done', po, findings };
};

interface LookupFailure {
  kind: 'failed';
  failed: FailedLookup & { call: LookupCall };
}

const findingsOfFailure = async (run: PlacingRun, { failed }: LookupFailure): Promise<Findings> => ({
  observation: { saw: 'failed_lookup', kind: await kindOf(run, failed) },
  reached: false,
  failed,
});

type Found = { kind: 'ok'; findings: Findings } | LookupFailure;

/** Rules 2 and 6: the lookup for cases in which the cart alone can prove enough. */
const lookUpCart = async ({ api, lease }: PlacingRun, po: TakenPurchaseOrder): Promise<Found> => {
  const cart = await api.showCart(po.poNumber, lease.holds);
  if (cart.kind !== 'ok' && cart.kind !== 'not_found') {
    return { kind: 'failed', failed: { ...cart, call: 'cart' } };
  }
  const view = cart.kind === 'ok' ? cart.value : undefined;
  const ours = view?.cartNumber !== undefined && view.cartNumber === po.cartNumber;
  return {
    kind: 'ok',
    findings: { observation: { saw: 'cart', cart: compareCart(view, po.lines), ours }, reached: true },
  };
};

const lookUp = async (
  { api, lease, deps }: PlacingRun,
  po: TakenPurchaseOrder,
  at: Exclude<Extract<Step, { do: 'lookup' }>['at'], 'cart'>,
): Promise<Found> => {
  const gate = lease.holds;
  const now = deps.clock.date();
  const found = new Map<string, OrderAnswer>();

  const direct = await api.showOrder(po.poNumber, gate);
  if (direct.kind === 'ok') for (const order of direct.value.orders) found.set(order.orderNumber, order);
  else if (direct.kind !== 'not_found') return { kind: 'failed', failed: { ...direct, call: 'order' } };

  if (at === 'everywhere') {
    const created = dayOf(po.createdAt);
    // This machine's clock may be behind the ledger's: a range without a day would prove nothing.
    const range = await listRange(api, { first: created - 1, last: Math.max(created, dayOf(now)) + 1 }, gate);
    if (range.kind === 'failed') return { kind: 'failed', failed: { ...range.failed, call: 'date_range' } };
    for (const order of ordersOf(range.value, po.poNumber)) {
      if (!found.has(order.orderNumber)) found.set(order.orderNumber, order);
    }
  }

  const cart = at === 'orders' ? undefined : await api.showCart(po.poNumber, gate);
  if (cart && cart.kind !== 'ok' && cart.kind !== 'not_found') {
    return { kind: 'failed', failed: { ...cart, call: 'cart' } };
  }

  const orders = [...found.values()];
  const view = cart?.kind === 'ok' ? cart.value : undefined;
  return {
    kind: 'ok',
    findings: {
      observation: {
        saw: 'lookup',
        orders: judgeOrders(po, orders),
        cart: compareCart(view, po.lines),
        emptyCart: view?.lines?.length === 0,
      },
      reached: true,
      orderNumbers: [...found.keys()],
      newOrders: ordersSince(orders, po.baseline ?? []),
    },
  };
};

/** A PO's orders in the answer to a date range; a service may answer one PO object for each order or one for all. */
const ordersOf = (pos: readonly PoAnswer[], poNumber: string): OrderAnswer[] =>
  pos.filter((po) => po.poNumber === poNumber).flatMap((po) => po.orders);

/**
 * On the first lookup any order may be this very PO's, placed before the ledger was restored from a backup, as a whole
 * or as one of several parts. All are `more` only if each of them shows something that this PO does not ask for; one
 * that cannot be read, or shows less, may be ours.
 */
const judgeOrders = (po: TakenPurchaseOrder, orders: readonly OrderAnswer[]): OrdersComparison => {
  const together = compareOrders(orders, po.baseline ?? [], po.lines);
  if (po.baseline !== undefined || together === 'none') return together;
  const each = orders.map((order) => compareOrders([order], [], po.lines));
  if (each.includes('equal') || together === 'equal') return 'equal';
  return each.find((comparison) => comparison !== 'more') ?? 'more';
};

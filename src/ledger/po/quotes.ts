import { isActive, isLive } from '../purchase-order-sql.ts';
import { updatePos } from './write.ts';

// A quote and an order of one PO number use the same cart at the service, so they take turns (docs/decisions/014).
// PO numbers with one key count as the same, because a service may not distinguish them.
const samePo = (one: string, other: string) =>
  `${one}.account = ${other}.account and ${one}.po_key = ${other}.po_key`;

/** Interval at which an order checks whether the quote has ended. */
export const quoteLooksAgainMs = 1000;

/** SQL: the PO is a quote and an order of its PO number is live, so the quote deletes its cart and ends. */
export const orderIsLive = (po: string): string => `(${po}.quote_only and exists (
  select from purchase_orders o where ${samePo('o', po)} and not o.quote_only and ${isLive('o')}))`;

/** SQL: the PO is an order and a quote of its PO number may be using the cart. */
export const quoteIsActive = (po: string): string => `(not ${po}.quote_only and exists (
  select from purchase_orders q where ${samePo('q', po)} and q.quote_only and ${isActive('q')}))`;

/**
 * SQL: makes held quotes of the PO numbers of `orders` (columns account and po_key) delete their carts, if they have
 * one, and end: an order never waits for an operator action on a quote.
 */
export const endHeldQuotes = (orders: string): string =>
  updatePos({
    by: 'end a quote',
    as: 'q',
    from: `${orders} s`,
    set: {
      state: `'ready'`,
      cancelling: 'true',
      reason_code: 'null',
      reason_text: 'null',
      dispatch: `'backlog'`,
      next_at: 'clock_timestamp()',
    },
    newRun: true,
    where: `${samePo('q', 's')} and q.quote_only and q.state = 'held' and ${isLive('q')}`,
  });

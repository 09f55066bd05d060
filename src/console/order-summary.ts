import type { OrderSummary } from '../api-contract/orders.ts';
import type { Account } from '../config/config.ts';
import type { ListedOrder } from '../ledger/orders/list-orders.ts';
import type { OrderAccount } from '../ledger/orders/order-filter.ts';
import { orderStatusMeaning } from '../reports/order-status-meaning.ts';
import { daysLate } from '../reports/report-sheets.ts';
import { trackingLink } from '../reports/tracking-link.ts';

/** The accounts of these names, with their rule for late orders; an account no longer configured has no late orders. */
export const orderAccounts = (names: readonly string[], known: readonly Account[]): OrderAccount[] =>
  names.map((account) => {
    const one = known.find(({ name }) => name === account);
    return {
      account,
      lateAfterMs: one?.lateAfterMs ?? Number.POSITIVE_INFINITY,
      finalStatuses: one?.finalStatuses ?? [],
    };
  });

/** An order of a list, with explanations of its numbers and status. Pure. */
export const summariseOrder = (
  { trackingNumbers, waitingSince, key: _, ...order }: ListedOrder & { key: string },
  accounts: readonly OrderAccount[],
  now: Date,
): OrderSummary => {
  const rule = accounts.find(({ account }) => account === order.account)!;
  return {
    ...order,
    statusMeaning: orderStatusMeaning(order.status),
    tracking: trackingNumbers.map((number) => ({ number, href: trackingLink(number)?.url ?? null })),
    lateDays:
      order.goneAt !== null
        ? null
        : (daysLate(
            { ...order, orderStatus: order.status, waitingSince: new Date(waitingSince) },
            now,
            rule,
          ) ?? null),
  };
};

import type { TrackingDeps } from './types.ts';

const hourMs = 3_600_000;

/**
 * Raises an alarm for POs that the service accepted at `since` or later and has never shown: neither in the date range nor in a lookup,
 * which it may refuse or not answer. The alarm ends when the order appears and equals its file. Returns the number of new alarms.
 */
export const noteNeverSeen = async (
  account: string,
  { ledger, rules, logger }: TrackingDeps,
  since: Date,
): Promise<number> => {
  const forMs = rules.seenWithinMs;
  const alarm = `The service accepted this order, and no status check has shown it for ${Math.round((forMs / hourMs) * 10) / 10} hours. Check with the service.`;
  const found = await ledger.markNeverSeen(account, { since, forMs, alarm });
  for (const { id, poNumber } of found) {
    logger.error({ account, poNumber, purchaseOrderId: id, code: 'order_never_seen' }, alarm);
  }
  return found.length;
};

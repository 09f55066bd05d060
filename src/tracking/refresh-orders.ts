import { takeAnswers } from './take-answers.ts';
import type { TrackingDeps } from './types.ts';

/** The outcome of refreshing the orders of some POs. */
export type Refreshed =
  | {
      kind: 'read';
      /** POs that the service showed, and changes of their orders. */
      seen: number;
      changes: number;
      /** PO numbers for which the service shows no order. */
      missing: string[];
    }
  /** Nothing is sent while the account is paused (rule 13). */
  | { kind: 'paused'; message: string }
  /** The POs before this one were read. */
  | { kind: 'failed'; poNumber: string; message: string };

/**
 * Fetches the orders of some POs now, with one call each within the account's limits, and records them. Returns a failure of the service
 * instead of throwing it; draws no conclusion from a missing order.
 */
export const refreshOrders = async (
  account: string,
  poNumbers: readonly string[],
  deps: TrackingDeps,
): Promise<Refreshed> => {
  const { ledger, api } = deps;
  const { pausedForMs, pauseReason } = await ledger.readPollFacts(account);
  if (pausedForMs > 0)
    return { kind: 'paused', message: `account is paused (${pauseReason ?? 'no reason is known'})` };
  const total = { seen: 0, changes: 0, missing: [] as string[] };
  for (const poNumber of poNumbers) {
    const direct = await api.showOrder(poNumber);
    if (direct.kind === 'ok') {
      const { seenIds, changes } = await takeAnswers(
        deps,
        account,
        [{ ...direct.value, poNumber }],
        undefined,
      );
      total.seen += seenIds.length > 0 ? 1 : 0;
      total.changes += changes;
    } else if (direct.kind === 'not_found') total.missing.push(poNumber);
    else return { kind: 'failed', poNumber, message: direct.message };
  }
  return { kind: 'read', ...total };
};

/** The outcome as a sentence. Pure. */
export const refreshedSentence = (refreshed: Refreshed): string => {
  switch (refreshed.kind) {
    case 'paused':
      return `Nothing was asked: ${refreshed.message}.`;
    case 'failed':
      return `The service could not be asked for PO ${refreshed.poNumber}: ${refreshed.message}`;
    case 'read': {
      const { seen, changes, missing } = refreshed;
      const orders = `${seen} ${seen === 1 ? 'PO' : 'POs'} read, ${changes === 0 ? 'nothing has changed' : `${changes} ${changes === 1 ? 'change' : 'changes'}`}.`;
      return missing.length === 0
        ? orders
        : `${orders} The service shows no order of ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}.`;
    }
  }
};

import type { DealerApi, PoAnswer } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import { compactDay } from '../placing/look.ts';
import type { PlacingRules } from '../placing/options.ts';
import { pauseFor } from '../placing/pauses.ts';
import { checkOrders } from './check-orders.ts';
import type { TrackingLedger } from './types.ts';

export interface TrackingRules {
  finalStatuses: readonly string[];
  /** Orders that have not changed for this long are closed. */
  unchangedMs: number;
}

export interface TrackingDeps {
  ledger: TrackingLedger;
  api: DealerApi;
  rules: TrackingRules;
  placing: PlacingRules;
  logger: Logger;
  now: () => Date;
}

export type Polled =
  | { kind: 'nothing_open' }
  | {
      kind: 'polled';
      seen: number;
      changes: number;
      adopted: number;
      alarms: number;
      closed: number;
      lookedUp: number;
    }
  | { kind: 'failed'; message: string };

const chunk = 1000;
/** Direct look-ups in one poll: for POs that the range should have shown; the others wait for the next. */
const lookUpsAPoll = 50;

/**
 * One poll of an account: one date-range call covers every open PO, however many there are; those that it
 * should have shown but did not are looked up one by one. Records what changed and closes what is final.
 * Idempotent. A failing service is noted and answered as `failed`, never thrown.
 */
export const pollAccount = async (account: string, deps: TrackingDeps): Promise<Polled> => {
  const { ledger, api, rules, placing, logger, now } = deps;
  const oldest = await ledger.oldestOpen(account);
  if (!oldest) return { kind: 'nothing_open' };

  // A day more on both ends: the service's calendar day may differ from ours.
  const range = await api.listOrders(compactDay(oldest, -1), compactDay(now(), 1));
  if (range.kind !== 'ok') {
    const pausing = range.kind === 'limited' || range.kind === 'denied' || range.kind === 'misdirected';
    if (pausing) await ledger.pauseAccount(account, pauseFor(range, 0, placing));
    await ledger.notePoll(account, range.message);
    logger.warn(
      { account, reason: range.message },
      'the status poll failed; it is tried again at the next turn',
    );
    return { kind: 'failed', message: range.message };
  }

  const total = { seen: 0, changes: 0, adopted: 0, alarms: 0 };
  const seenIds: string[] = [];
  const take = async (answers: readonly PoAnswer[]): Promise<void> => {
    const { seenIds: ids, changes } = await ledger.recordOrders(account, answers);
    const checked = await checkOrders(ledger, account, answers, logger);
    seenIds.push(...ids);
    total.seen += ids.length;
    total.changes += changes;
    total.adopted += checked.adopted;
    total.alarms += checked.alarms;
  };
  const grouped = onePerPo(range.value);
  for (let at = 0; at < grouped.length; at += chunk) await take(grouped.slice(at, at + chunk));

  const unseen = await ledger.listUnseen(account, seenIds, lookUpsAPoll);
  for (const { poNumber } of unseen) {
    const direct = await api.showOrder(poNumber);
    if (direct.kind === 'ok') await take([{ ...direct.value, poNumber }]);
    else if (direct.kind !== 'not_found') break;
  }

  const closed = await ledger.closeFinished(account, rules.finalStatuses, rules.unchangedMs);
  await ledger.notePoll(account, undefined);
  return { kind: 'polled', ...total, closed, lookedUp: unseen.length };
};

/** Some services list a PO once for each of its orders. */
const onePerPo = (answers: readonly PoAnswer[]): PoAnswer[] => {
  const merged = new Map<string, PoAnswer>();
  for (const answer of answers) {
    const before = merged.get(answer.poNumber!);
    merged.set(
      answer.poNumber!,
      before ? { ...before, orders: [...before.orders, ...answer.orders] } : answer,
    );
  }
  return [...merged.values()];
};

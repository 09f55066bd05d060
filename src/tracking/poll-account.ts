import type { FailedCall, PoAnswer } from '../dealer-api/answers.ts';
import { listRange, shiftDay } from '../placing/list-range.ts';
import { continueAndLog, pauseAndLog, pauseFor } from '../placing/pauses.ts';
import { checkOrders } from './check-orders.ts';
import { lookUpUnseen } from './look-up-unseen.ts';
import { noteNeverSeen } from './note-never-seen.ts';
import type { TrackingDeps } from './types.ts';

export interface PollCounts {
  /** POs that the service showed. */
  seen: number;
  changes: number;
  adopted: number;
  alarms: number;
}

export type Polled =
  | { kind: 'nothing_open' }
  | ({ kind: 'polled'; closed: number; lookedUp: number } & PollCounts)
  /** `waitMs`: when to try again. */
  | { kind: 'failed'; message: string; waitMs: number }
  /** Nothing was sent: the account is paused (rule 13). */
  | { kind: 'paused'; message: string; waitMs: number }
  /** Another process is polling this account. */
  | { kind: 'busy' };

const chunk = 1000;
const failedWaitMs = 60_000;

/**
 * One poll of an account: one date-range call covers every open PO (`listRange`); POs that it should have shown but did
 * not are looked up one by one. Records changes and closes POs whose orders are final. Idempotent. A failing service is
 * noted and returned as `failed`, never thrown.
 */
export const pollAccount = async (account: string, deps: TrackingDeps): Promise<Polled> =>
  (await deps.ledger.withPollLock(account, () => poll(account, deps))) ?? { kind: 'busy' };

const poll = async (account: string, deps: TrackingDeps): Promise<Polled> => {
  const { ledger, api, rules, placing, logger, now } = deps;
  const { at, oldestOpen, pausedForMs, pauseReason } = await ledger.readPollFacts(account);
  if (!oldestOpen) {
    await ledger.notePoll(account, undefined);
    return { kind: 'nothing_open' };
  }
  if (pausedForMs > 0) {
    const message = `account is paused (${pauseReason ?? 'no reason is known'})`;
    await ledger.notePoll(account, message);
    return { kind: 'paused', message, waitMs: pausedForMs };
  }
  /** Rule 13: an answer about the account pauses it. Returns when to try again. */
  const noteFailure = async (failed: FailedCall): Promise<number> => {
    const pausedMs = isAboutTheAccount(failed)
      ? await pauseAndLog(deps, account, pauseFor(failed, placing))
      : undefined;
    await ledger.notePoll(account, failed.message);
    logger.warn({ account, reason: failed.message }, 'The status poll failed; it will be retried');
    return pausedMs ?? failedWaitMs;
  };

  // A day more on both ends: the service's calendar day may differ from ours.
  const range = await listRange(api, { first: shiftDay(oldestOpen, -1), last: shiftDay(now(), 1) });
  if (range.kind === 'failed') {
    return { kind: 'failed', message: range.failed.message, waitMs: await noteFailure(range.failed) };
  }
  if (pauseReason !== undefined) await continueAndLog(deps, account);

  const total: PollCounts = { seen: 0, changes: 0, adopted: 0, alarms: 0 };
  const seenIds: string[] = [];
  const take = async (answers: readonly PoAnswer[]): Promise<void> => {
    const recorded = await ledger.recordOrders(account, answers);
    const checked = await checkOrders(ledger, account, answers, logger);
    // A PO that was held until now had nothing recorded.
    const more = checked.adopted > 0 ? await ledger.recordOrders(account, answers) : undefined;
    const { seenIds: ids } = more ?? recorded;
    seenIds.push(...ids);
    total.seen += ids.length;
    total.changes += recorded.changes + (more?.changes ?? 0);
    total.adopted += checked.adopted;
    total.alarms += checked.alarms;
  };
  const grouped = onePerPo(range.value);
  for (let from = 0; from < grouped.length; from += chunk) await take(grouped.slice(from, from + chunk));

  // A PO submitted since then, or so shortly before that it cannot be read yet, is not missing.
  const submittedBefore = new Date(at.getTime() - placing.readLagMs);
  const lookups = await lookUpUnseen(account, deps, { seenIds, submittedBefore, take });
  total.alarms += lookups.alarms + (await noteNeverSeen(account, deps));

  const closed = await ledger.closeFinished(account, rules.finalStatuses, rules.unchangedMs);
  if (lookups.failed) await noteFailure(lookups.failed);
  else await ledger.notePoll(account, undefined);
  return { kind: 'polled', ...total, closed, lookedUp: lookups.count };
};

/** A single redirect or web page says nothing about the account: the poll is retried, and placing notices a series. */
const isAboutTheAccount = ({ kind }: FailedCall): boolean =>
  kind === 'limited' || kind === 'denied' || kind === 'unsupported' || kind === 'not_sent';

/**
 * Some services list a PO once for each of its orders, and a range that was read in parts may show a PO with all its
 * orders in each part: every order counts once.
 */
const onePerPo = (answers: readonly PoAnswer[]): PoAnswer[] => {
  const merged = new Map<string, PoAnswer>();
  for (const answer of answers) {
    const before = merged.get(answer.poNumber!);
    const known = new Set(before?.orders.map((order) => order.orderNumber));
    const more = answer.orders.filter((order) => !known.has(order.orderNumber));
    merged.set(answer.poNumber!, before ? { ...before, orders: [...before.orders, ...more] } : answer);
  }
  return [...merged.values()];
};

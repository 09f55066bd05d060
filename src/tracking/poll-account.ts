import type { FailedCall, PoAnswer } from '../dealer-api/answers.ts';
import { listRange, shiftDay } from '../placing/list-range.ts';
import { continueAndLog, pauseAndLog, pauseFor } from '../placing/pauses.ts';
import { checkOrders } from './check-orders.ts';
import { lookUpUnseen } from './look-up-unseen.ts';
import type { TrackingDeps } from './types.ts';

export interface PollCounts {
  /** POs that were shown. */
  seen: number;
  changes: number;
  adopted: number;
  alarms: number;
}

export type Polled =
  | { kind: 'nothing_open' }
  | ({ kind: 'polled'; closed: number; lookedUp: number } & PollCounts)
  /** `waitMs`: when it is worth another try. */
  | { kind: 'failed'; message: string; waitMs: number }
  /** Nothing was asked: the account pauses (rule 13). */
  | { kind: 'paused'; message: string; waitMs: number }
  /** Another process polls this account at this moment. */
  | { kind: 'busy' };

const chunk = 1000;
const failedWaitMs = 60_000;

/**
 * One poll of an account: one date-range call covers every open PO, however many there are (`listRange`); those that
 * it should have shown but did not are looked up one by one. Records what changed and closes what is final.
 * Idempotent. A failing service is noted and answered as `failed`, never thrown.
 */
export const pollAccount = async (account: string, deps: TrackingDeps): Promise<Polled> =>
  (await deps.ledger.withPollLock(account, () => poll(account, deps))) ?? { kind: 'busy' };

const poll = async (account: string, deps: TrackingDeps): Promise<Polled> => {
  const { ledger, api, rules, placing, logger, now } = deps;
  const { at, oldestOpen, pausedForMs, pauseReason } = await ledger.readStanding(account);
  if (!oldestOpen) {
    await ledger.notePoll(account, undefined);
    return { kind: 'nothing_open' };
  }
  if (pausedForMs > 0) {
    const message = `the account pauses: ${pauseReason ?? 'no reason is known'}`;
    await ledger.notePoll(account, message);
    return { kind: 'paused', message, waitMs: pausedForMs };
  }
  /** Rule 13: an answer about the account makes it pause, whoever asked. Answers when to try again. */
  const noteFailure = async (failed: FailedCall): Promise<number> => {
    const pausedMs = isAboutTheAccount(failed)
      ? await pauseAndLog(deps, account, pauseFor(failed, placing))
      : undefined;
    await ledger.notePoll(account, failed.message);
    logger.warn({ account, reason: failed.message }, 'the status poll failed; it is tried again');
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
    // What was held until now had nothing recorded.
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

  // What was submitted since, or so shortly before that it cannot be read yet, is not missed.
  const submittedBefore = new Date(at.getTime() - placing.readLagMs);
  const looked = await lookUpUnseen(account, deps, { seenIds, submittedBefore, take });
  total.alarms += looked.alarms;

  const closed = await ledger.closeFinished(account, rules.finalStatuses, rules.unchangedMs);
  if (looked.failed) await noteFailure(looked.failed);
  else await ledger.notePoll(account, undefined);
  return { kind: 'polled', ...total, closed, lookedUp: looked.count };
};

/** A redirect or a web page may be a lone one: the poll is tried again, and placing notices where it is not. */
const isAboutTheAccount = ({ kind }: FailedCall): boolean =>
  kind === 'limited' || kind === 'denied' || kind === 'unsupported' || kind === 'not_sent';

/**
 * Some services list a PO once for each of its orders, and one that was read in parts may come with all its orders
 * in each: every order counts once.
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

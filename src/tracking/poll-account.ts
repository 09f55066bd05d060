import type { FailedCall, PoAnswer } from '../dealer-api/answers.ts';
import { concernsItsDays, dayOf, readRange, startOfDay } from '../placing/list-range.ts';
import { continueAndLog, pauseAndLog, pauseFor } from '../placing/pauses.ts';
import { untraced } from '../tracing/trace.ts';
import { learnLongest, longestToAsk } from './learn-range.ts';
import { lookUpUnseen } from './look-up-unseen.ts';
import { noteNeverSeen } from './note-never-seen.ts';
import { planPoll, turnSince } from './plan-poll.ts';
import { takeAnswers } from './take-answers.ts';
import type { TrackingDeps } from './types.ts';
import { daysToLeaveOut, learnUnreadDays } from './unread-days.ts';

export interface PollCounts {
  /** POs that the service showed. */
  seen: number;
  changes: number;
  adopted: number;
  alarms: number;
}

export type Polled =
  | { kind: 'nothing_open' }
  /** `waitMs`: when to try again, if some orders could not be read. */
  | ({ kind: 'polled'; closed: number; lookedUp: number; waitMs?: number } & PollCounts)
  /** `waitMs`: when to try again. */
  | { kind: 'failed'; message: string; waitMs: number }
  /** Nothing was sent: the account is paused (rule 13). */
  | { kind: 'paused'; message: string; waitMs: number }
  /** Another process is polling this account. */
  | { kind: 'busy' };

const chunk = 1000;
const failedWaitMs = 60_000;
/** Longer than after a failure: the newest orders were read, and some days may have more orders than the service can list. */
const partlyFailedWaitMs = 15 * 60_000;
/** Days per poll that may fail for the first time, for example with too many orders to list; their POs are looked up one by one. */
const unreadableDays = 2;

/**
 * One poll of an account: a range of days covers every open PO whose age is due (`planPoll`), or every open PO if a person asked
 * (`all`); POs that it should have shown but did not are looked up one by one. Records changes and closes POs whose orders are
 * final. Idempotent. A failure of the service is recorded and returned as `failed`, never thrown.
 */
export const pollAccount = async (
  account: string,
  deps: TrackingDeps,
  { all = false }: { all?: boolean } = {},
): Promise<Polled> => {
  const { ledger, trace = untraced } = deps;
  return trace('poll', { account }, async (note) => {
    const polled: Polled = (await ledger.withPollLock(account, () => poll(account, deps, all))) ?? {
      kind: 'busy',
    };
    const { kind: result } = polled;
    note(polled.kind === 'polled' ? { result, seen: polled.seen, changes: polled.changes } : { result });
    return polled;
  });
};

const poll = async (account: string, deps: TrackingDeps, all: boolean): Promise<Polled> => {
  const { ledger, api, rules, placing, logger, now } = deps;
  const facts = await ledger.readPollFacts(account);
  const { at, openDays, askedAt, knownRange, pausedForMs, pauseReason } = facts;
  if (openDays.length === 0) {
    const over = facts.unreadDays.map(({ day }) => day);
    if (over.length > 0) await ledger.noteUnreadDays(account, { unread: [], over, at });
    await ledger.notePoll(account, undefined);
    return { kind: 'nothing_open' };
  }
  if (pausedForMs > 0) {
    // The poll is postponed and has not failed; the pause itself is shown.
    const message = `account is paused (${pauseReason ?? 'no reason is known'})`;
    return { kind: 'paused', message, waitMs: pausedForMs };
  }
  /** Rule 13: an answer about the account pauses it. Returns the length of the pause. */
  const noteFailure = async (failed: FailedCall): Promise<number | undefined> => {
    const pausedMs = isAboutTheAccount(failed)
      ? await pauseAndLog(deps, account, pauseFor(failed, placing))
      : undefined;
    await ledger.notePoll(account, failed.message);
    logger.warn({ account, reason: failed.message }, 'The status poll failed; it will be retried');
    return pausedMs;
  };

  const plan = planPoll({ today: dayOf(now()), openDays, ages: rules.pollOlder, askedAt, at, all });
  const longest = longestToAsk(knownRange, at);
  const leaveOut = daysToLeaveOut(facts.unreadDays, at, all);
  const range = await readRange(api, plan.range, { longest, unreadable: unreadableDays, leaveOut });
  const learned = learnLongest(knownRange, longest, range);
  if (learned !== undefined) await ledger.noteLongestRange(account, learned);
  if (range.failed && range.longestRead === 0) {
    const pausedMs = await noteFailure(range.failed);
    return { kind: 'failed', message: range.failed.message, waitMs: pausedMs ?? failedWaitMs };
  }
  const asked = { range: plan.range, oldestOpen: openDays[0]!, leftOut: leaveOut };
  const { unread, over } = learnUnreadDays(facts.unreadDays, asked, range);
  if (unread.length > 0 || over.length > 0) await ledger.noteUnreadDays(account, { unread, over, at });
  for (const { day, why } of unread) {
    const reason = `${startOfDay(day).toISOString().slice(0, 10)}: ${why}`;
    logger.warn({ account, reason }, 'The orders of a day cannot be read; they are looked up one by one');
  }
  if (pauseReason !== undefined) await continueAndLog(deps, account);

  const total: PollCounts = { seen: 0, changes: 0, adopted: 0, alarms: 0 };
  const seenIds: string[] = [];
  const record = async (answers: readonly PoAnswer[], allSince: Date | undefined): Promise<void> => {
    const taken = await takeAnswers(deps, account, answers, allSince);
    seenIds.push(...taken.seenIds);
    total.seen += taken.seenIds.length;
    total.changes += taken.changes;
    total.adopted += taken.adopted;
    total.alarms += taken.alarms;
  };
  // For POs submitted earlier, the range may show only some of their orders.
  const allSince = startOfDay((range.unreadSince ?? plan.range.first - 1) + 2);
  const grouped = onePerPo(range.answers);
  for (let from = 0; from < grouped.length; from += chunk)
    await record(grouped.slice(from, from + chunk), allSince);

  // A PO submitted since then, or so recently that it cannot be read yet, is not missing.
  const submittedBefore = new Date(at.getTime() - placing.readLagMs);
  const ages = plan.ages.map(({ first, last, everyMs }) => ({
    first,
    last,
    lookedUpBefore: all || everyMs === 0 ? undefined : turnSince(everyMs, at),
  }));
  const lookups =
    range.failed && !concernsItsDays(range.failed)
      ? { count: 0, alarms: 0, more: true, failed: undefined }
      : await lookUpUnseen(account, deps, {
          seenIds,
          submittedBefore,
          ages,
          take: (answers) => record(answers, undefined),
        });
  total.alarms += lookups.alarms + (await noteNeverSeen(account, deps, allSince));

  const closed = await ledger.closeFinished(account, rules.finalStatuses, rules.unchangedMs);
  const polled = { kind: 'polled' as const, ...total, closed, lookedUp: lookups.count };
  const failed = range.failed ?? lookups.failed;
  if (failed) {
    const pausedMs = await noteFailure(failed);
    return { ...polled, waitMs: pausedMs ?? partlyFailedWaitMs };
  }
  await ledger.notePoll(account, undefined);
  // Unread days have a retry time of their own. If one poll may not look up all POs, the next one continues.
  const older = plan.ages.flatMap(({ olderThanDays }) => (olderThanDays > 0 ? olderThanDays : []));
  if (older.length > 0 && !lookups.more) await ledger.noteAsked(account, older, at);
  return polled;
};

/** A single redirect or web page says nothing about the account: the poll is retried, and placing detects a series. */
const isAboutTheAccount = ({ kind }: FailedCall): boolean =>
  kind === 'limited' || kind === 'denied' || kind === 'unsupported' || kind === 'not_sent';

/**
 * Merges the answers for each PO, counting every order once: some services list a PO once for each of its orders, and a
 * range read in parts may show a PO with all its orders in each part.
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

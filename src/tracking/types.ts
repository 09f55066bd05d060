import type { DealerApi, PoAnswer } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import type { Days } from '../placing/list-range.ts';
import type { PlacingRules } from '../placing/options.ts';
import type { PauseLedger, Resumed } from '../placing/pauses.ts';
import type { Line, TakenPurchaseOrder } from '../placing/types.ts';
import type { Trace } from '../tracing/trace.ts';
import type { KnownRange } from './learn-range.ts';
import type { PollAge } from './plan-poll.ts';
import type { KnownUnreadDay } from './unread-days.ts';

/** A PO whose orders are to be compared with its file: what they show has changed, or it is held after a submission. */
export interface UncheckedPurchaseOrder {
  id: string;
  poNumber: string;
  state: 'ordered' | 'closed' | 'held';
  epoch: number;
  submittedAt: Date;
  baseline: string[];
  options: TakenPurchaseOrder['options'];
  lines: Line[];
}

/** A PO that the date range should have shown. */
export interface UnseenPurchaseOrder {
  id: string;
  poNumber: string;
  /** Its last submission is so long ago that its order must exist. */
  overdue: boolean;
}

/** An account as a poll finds it, read in one moment of the ledger's clock. */
export interface PollFacts {
  at: Date;
  /** The days of UTC, since 1970, on which POs that are still open were submitted, ascending. */
  openDays: number[];
  /** When the orders of an age were last asked for, by the age's `olderThanDays`. */
  askedAt: ReadonlyMap<number, Date>;
  knownRange: KnownRange;
  unreadDays: KnownUnreadDay[];
  /** Until the account's pause ends; 0 when it is not paused. */
  pausedForMs: number;
  /** Of the current pause, or of the last one while no call has succeeded since. */
  pauseReason: string | undefined;
}

/** What tracking needs of the ledger. */
export interface TrackingLedger extends PauseLedger {
  /** Runs one poll of an account at a time; undefined at once while another one runs. */
  withPollLock<T>(account: string, work: () => Promise<T>): Promise<T | undefined>;
  readPollFacts(account: string): Promise<PollFacts>;
  /**
   * Records orders of POs that are ordered, with a change entry for each field that a person follows.
   * Idempotent: the same answer twice changes nothing. Returns the IDs of the POs that were shown.
   * An order that is not shown beside others of its PO is marked as gone; of POs ordered before `allSince` that is not known.
   */
  recordOrders(
    account: string,
    pos: readonly PoAnswer[],
    allSince?: Date,
  ): Promise<{ seenIds: string[]; changes: number }>;
  /**
   * Takes up to `limit` ordered POs for a lookup: not in `seenIds`, submitted before `submittedBefore` on days of one of the ages,
   * and not looked up since its `lookedUpBefore`. Those that have waited longest come first.
   */
  takeUnseen(
    account: string,
    unseen: {
      seenIds: readonly string[];
      submittedBefore: Date;
      ages: readonly (Days & { lookedUpBefore: Date | undefined })[];
      overdueMs: number;
      limit: number;
    },
  ): Promise<UnseenPurchaseOrder[]>;
  /** POs of these numbers that are to be compared with their file. */
  listUnchecked(account: string, poNumbers: readonly string[]): Promise<UncheckedPurchaseOrder[]>;
  /** Rule 8: notes that the POs were compared; `alarm` names a difference. Without one, what was read and equal withdraws an alarm. */
  markChecked(
    checked: readonly { id: string; alarm: string | undefined; unreadable: boolean }[],
  ): Promise<void>;
  /**
   * Notes whether some of the orders just compared showed no readable items. True when that is new, so that it is logged
   * once and not for each PO; forgotten when a day later all orders show their items.
   */
  noteUnreadableItems(account: string, unreadable: boolean): Promise<boolean>;
  /** Marks an ordered PO without an order: it is compared when one appears. False when the alarm exists already. */
  markMissing(id: string, alarm: string): Promise<boolean>;
  /**
   * Raises this alarm for POs that were ordered at `since` or later, have no alarm, and that no status check has shown for so
   * long. Returns their numbers.
   */
  markNeverSeen(
    account: string,
    never: { since: Date; forMs: number; alarm: string },
  ): Promise<{ id: string; poNumber: string }[]>;
  /** Rule 11: marks a held PO as ordered. Conditional on state and epoch; false when either has changed. */
  adopt(po: UncheckedPurchaseOrder, orderNumbers: readonly string[]): Promise<boolean>;
  /** Closes POs whose orders all have a final status, or have not changed for so long. Returns how many. */
  closeFinished(account: string, finalStatuses: readonly string[], unchangedMs: number): Promise<number>;
  /** Reopens those of these POs that are closed and show an order that has changed since and is not final. Returns their numbers. */
  reopenUnfinished(
    account: string,
    ids: readonly string[],
    finalStatuses: readonly string[],
  ): Promise<string[]>;
  /** Notes when the orders of these ages were asked for. */
  noteAsked(account: string, olderThanDays: readonly number[], at: Date): Promise<void>;
  /** Remembers the longest range of days that the account's service answers. */
  noteLongestRange(account: string, days: number): Promise<void>;
  /** Notes days that could not be read once more, and forgets those that are over. */
  noteUnreadDays(
    account: string,
    days: { unread: readonly { day: number; why: string }[]; over: readonly number[]; at: Date },
  ): Promise<void>;
  /** Notes the time of a successful poll, or why a poll failed. */
  notePoll(account: string, note: string | undefined): Promise<void>;
}

export interface TrackingRules {
  /** Ascending. */
  pollOlder: readonly PollAge[];
  finalStatuses: readonly string[];
  /** Orders that have not changed for this long are closed. */
  unchangedMs: number;
  /** An order that no status check has shown for this long raises an alarm. */
  seenWithinMs: number;
}

export interface TrackingDeps {
  ledger: TrackingLedger;
  api: DealerApi;
  rules: TrackingRules;
  placing: PlacingRules;
  resumed?: Resumed;
  logger: Logger;
  trace?: Trace;
  now: () => Date;
}

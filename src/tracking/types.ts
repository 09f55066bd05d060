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

/** A PO to compare with its orders: these have changed, or it is held after a submission. */
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
  /** Its last submission was so long ago that its order must exist. */
  overdue: boolean;
}

/** The state of an account for a poll, read at one moment of the ledger's clock. */
export interface PollFacts {
  at: Date;
  /** The submission days of open POs (UTC, days since 1970), ascending. */
  openDays: number[];
  /** When the orders of each age were last asked for, by `olderThanDays`. */
  askedAt: ReadonlyMap<number, Date>;
  knownRange: KnownRange;
  unreadDays: KnownUnreadDay[];
  /** Until the account's pause ends; 0 when it is not paused. */
  pausedForMs: number;
  /** The reason of the current pause, or of the last one if no call has succeeded since. */
  pauseReason: string | undefined;
}

/** The part of the ledger for tracking. */
export interface TrackingLedger extends PauseLedger {
  /** Runs one poll of an account at a time; returns undefined at once if another one is running. */
  withPollLock<T>(account: string, work: () => Promise<T>): Promise<T | undefined>;
  readPollFacts(account: string): Promise<PollFacts>;
  /**
   * Records the orders of ordered POs, with a change entry for each tracked field.
   * Idempotent: the same answer twice changes nothing. Returns the IDs of the POs that were shown.
   * Marks an order as gone if it is missing among others of its PO, except for POs ordered before `allSince`.
   */
  recordOrders(
    account: string,
    pos: readonly PoAnswer[],
    allSince?: Date,
  ): Promise<{ seenIds: string[]; changes: number }>;
  /**
   * Takes up to `limit` ordered POs for a lookup: not in `seenIds`, submitted before `submittedBefore` on days of one of the ages,
   * and not looked up since the age's `lookedUpBefore`. POs that have waited longest come first.
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
  /** POs with these numbers that must be compared with their file. */
  listUnchecked(account: string, poNumbers: readonly string[]): Promise<UncheckedPurchaseOrder[]>;
  /** Rule 8: records that the POs were compared; `alarm` names a difference. Without one, a readable and equal order withdraws an alarm. */
  markChecked(
    checked: readonly { id: string; alarm: string | undefined; unreadable: boolean }[],
  ): Promise<void>;
  /**
   * Records whether some of the orders just compared showed no readable items. True if that is new, so that it is logged
   * once and not for each PO; reset a day later when all orders show their items.
   */
  noteUnreadableItems(account: string, unreadable: boolean): Promise<boolean>;
  /** Marks an ordered PO as having no order, to be compared when one appears. False if the alarm exists already. */
  markMissing(id: string, alarm: string): Promise<boolean>;
  /**
   * Raises this alarm for POs that were ordered at `since` or later, have no alarm, and that no status check has shown for this
   * long. Returns their numbers.
   */
  markNeverSeen(
    account: string,
    never: { since: Date; forMs: number; alarm: string },
  ): Promise<{ id: string; poNumber: string }[]>;
  /** Rule 11: marks a held PO as ordered. Conditional on state and epoch; false when either has changed. */
  adopt(po: UncheckedPurchaseOrder, orderNumbers: readonly string[]): Promise<boolean>;
  /** Closes POs whose orders all have a final status, or have not changed for this long. Returns how many. */
  closeFinished(account: string, finalStatuses: readonly string[], unchangedMs: number): Promise<number>;
  /** Reopens closed POs among these that have an order with a newer, non-final status. Returns their numbers. */
  reopenUnfinished(
    account: string,
    ids: readonly string[],
    finalStatuses: readonly string[],
  ): Promise<string[]>;
  /** Records when the orders of these ages were asked for. */
  noteAsked(account: string, olderThanDays: readonly number[], at: Date): Promise<void>;
  /** Stores the longest range of days that the account's service answers. */
  noteLongestRange(account: string, days: number): Promise<void>;
  /** Records another failure of days that could not be read, and removes days that are over. */
  noteUnreadDays(
    account: string,
    days: { unread: readonly { day: number; why: string }[]; over: readonly number[]; at: Date },
  ): Promise<void>;
  /** Records the time of a successful poll, or why a poll failed. */
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

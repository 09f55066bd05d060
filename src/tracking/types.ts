import type { DealerApi, PoAnswer } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import type { PlacingRules } from '../placing/options.ts';
import type { PauseLedger } from '../placing/pauses.ts';
import type { Line } from '../placing/types.ts';

/** A PO whose orders are to be compared with its file: a fresh one, or one held with a submission. */
export interface UncheckedPurchaseOrder {
  id: string;
  poNumber: string;
  state: 'ordered' | 'held';
  epoch: number;
  baseline: string[];
  lines: Line[];
}

/** A PO that the date range should have shown. */
export interface UnseenPurchaseOrder {
  id: string;
  poNumber: string;
  /** Its last submission is so long ago that its order must be there. */
  overdue: boolean;
}

/** An account as a poll finds it, read in one moment of the ledger's clock. */
export interface PollStanding {
  at: Date;
  /** When the oldest PO that is still open was submitted; undefined when none is open. */
  oldestOpen: Date | undefined;
  /** How long the account pauses yet; 0 when it does not. */
  pausedForMs: number;
  /** Of the pause that runs, or of the last one while no call has succeeded since. */
  pauseReason: string | undefined;
}

/** What tracking needs of the ledger. */
export interface TrackingLedger extends PauseLedger {
  /** Lets one poll of an account at a time do `work`; undefined at once when another is at it. */
  withPollLock<T>(account: string, work: () => Promise<T>): Promise<T | undefined>;
  readStanding(account: string): Promise<PollStanding>;
  /**
   * Records orders of POs that are ordered, with a change entry for each field that a person follows.
   * Idempotent: the same answer twice changes nothing. Answers the ids of the POs that were shown.
   */
  recordOrders(account: string, pos: readonly PoAnswer[]): Promise<{ seenIds: string[]; changes: number }>;
  /**
   * Takes up to `limit` ordered POs that are not among the seen and were submitted before `submittedBefore`
   * for a look-up; the one that waited longest for one comes first.
   */
  takeUnseen(
    account: string,
    unseen: { seenIds: readonly string[]; submittedBefore: Date; overdueMs: number; limit: number },
  ): Promise<UnseenPurchaseOrder[]>;
  /** POs of these numbers that are to be compared with their file. */
  listUnchecked(account: string, poNumbers: readonly string[]): Promise<UncheckedPurchaseOrder[]>;
  /** Rule 8: compared; `alarm` tells a difference, undefined clears one. */
  markChecked(checked: readonly { id: string; alarm: string | undefined }[]): Promise<void>;
  /**
   * Whether some of the orders just compared showed no readable items. True when that is new, so that it is said once
   * and not for each PO; forgotten when a day later all of them show their items.
   */
  noteUnreadableItems(account: string, unreadable: boolean): Promise<boolean>;
  /** An ordered PO whose order is not there: it is compared when one shows up. False when the alarm stood already. */
  markMissing(id: string, alarm: string): Promise<boolean>;
  /** Rule 11: a held PO whose order was found. Guarded by state and epoch; false when it moved meanwhile. */
  adopt(po: UncheckedPurchaseOrder, orderNumbers: readonly string[]): Promise<boolean>;
  /** Closes POs whose orders all have a final status, or have not changed for so long. Answers how many. */
  closeFinished(account: string, finalStatuses: readonly string[], unchangedMs: number): Promise<number>;
  /** Notes a poll: a good one with its time, or why it failed. */
  notePoll(account: string, note: string | undefined): Promise<void>;
}

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

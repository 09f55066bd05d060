import type { PoAnswer } from '../dealer-api/answers.ts';
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

/** What tracking needs of the ledger. */
export interface TrackingLedger {
  /** When the oldest PO that is still open was submitted; undefined when none is open. */
  oldestOpen(account: string): Promise<Date | undefined>;
  /**
   * Records orders of POs that are ordered, with a change entry for each field that a person follows.
   * Idempotent: the same answer twice changes nothing. Answers the ids of the POs that were shown.
   */
  recordOrders(account: string, pos: readonly PoAnswer[]): Promise<{ seenIds: string[]; changes: number }>;
  /** Ordered POs that are not among the seen, oldest first. */
  listUnseen(
    account: string,
    seenIds: readonly string[],
    limit: number,
  ): Promise<{ id: string; poNumber: string }[]>;
  /** POs of these numbers that are to be compared with their file. */
  listUnchecked(account: string, poNumbers: readonly string[]): Promise<UncheckedPurchaseOrder[]>;
  /** Rule 8: compared; `alarm` tells a difference, undefined clears one. */
  markChecked(id: string, alarm: string | undefined): Promise<void>;
  /** Rule 11: a held PO whose order was found. Guarded by state and epoch; false when it moved meanwhile. */
  adopt(po: UncheckedPurchaseOrder, orderNumbers: readonly string[]): Promise<boolean>;
  /** Closes POs whose orders all have a final status, or have not changed for so long. Answers how many. */
  closeFinished(account: string, finalStatuses: readonly string[], unchangedMs: number): Promise<number>;
  notePoll(account: string, note: string | undefined): Promise<void>;
  pauseAccount(account: string, pause: { code: string; reason: string; waitMs: number }): Promise<void>;
}

import type { Approvals, Line, PurchaseOrderState } from './types.ts';

/** A PO when a person decides about it. */
export interface ActionTarget {
  id: string;
  account: string;
  poNumber: string;
  importId: string;
  state: PurchaseOrderState;
  /** Rises with each job run and each operator action. */
  run: number;
  reasonCode: string | undefined;
  /** The text that the person reads. */
  reasonText: string | undefined;
  /** A person has cancelled it, and its cart is not deleted yet. */
  cancelling: boolean;
  /** A person wants it held; a worker does that at its next step. */
  holding: boolean;
  /** The text of its open alarm, if any. */
  alarm: string | undefined;
  /** A person has settled its alarm, failure or rejection. Absent: nobody has. */
  settled?: boolean;
  /** It asks for prices only. */
  quoteOnly: boolean;
  /** A worker has a lease on it, or had one and may still have calls in flight. */
  leased: boolean;
  /** A submission may have made an order. */
  mayHaveOrdered: boolean;
  /** No changing call was ever made for it, and no worker has it. Absent: not known. */
  nothingSent?: boolean;
  /** One of its rows has a new value, and nobody has answered what it means. */
  asks?: boolean;
  lines: Line[];
}

/** What the ledger writes, provided that the PO has not changed since it was read. */
export interface ActionPlan {
  state: PurchaseOrderState;
  nextEpoch: boolean;
  approvals: Approvals;
  cancelling: boolean;
  reason: { code: string; text: string } | undefined;
}

export type PlannedAction =
  | { kind: 'plan'; plan: ActionPlan }
  /** Recorded at once, even while a worker has the PO, and carried out at its next step. */
  | { kind: 'wish'; wish: 'cancel' | 'hold' }
  /** Settles the PO, or undoes that. */
  | { kind: 'settle'; takesBack: boolean; alarm: string | undefined }
  /** Records who takes care of it. */
  | { kind: 'assign' }
  | { kind: 'not_possible'; why: string };

export const no = (why: string): PlannedAction => ({ kind: 'not_possible', why });

import type { Approvals, Line, PurchaseOrderState } from './types.ts';

/** A PO as a person finds it. */
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
  /** A person cancelled it before; its cart is still to be deleted. */
  cancelling: boolean;
  /** A person wants it held, which a worker does at its next step. */
  holding: boolean;
  /** The unsettled alarm that the person reads; undefined: none. */
  alarm: string | undefined;
  /** A person has said that it is not needed: its alarm, or that it failed or was rejected. Absent: nobody has. */
  settled?: boolean;
  /** It asks for prices only. */
  quoteOnly: boolean;
  /** A worker has it, or had it and may still have calls in flight. */
  leased: boolean;
  /** A submission may have made an order. */
  mayHaveOrdered: boolean;
  /** No call that changes anything was ever made for it, and no worker has it. Absent: not known. */
  nothingSent?: boolean;
  /** A row of it has a value that is new, and nobody has answered what it means. */
  asks?: boolean;
  lines: Line[];
}

/** What the ledger writes, on condition that the PO has not changed since it was read. */
export interface ActionPlan {
  state: PurchaseOrderState;
  nextEpoch: boolean;
  approvals: Approvals;
  cancelling: boolean;
  reason: { code: string; text: string } | undefined;
}

export type PlannedAction =
  | { kind: 'plan'; plan: ActionPlan }
  /** It is recorded at once, whatever happens to the PO at this moment, and carried out at its next step. */
  | { kind: 'wish'; wish: 'cancel' | 'hold' }
  /** It is not needed, or that is taken back. */
  | { kind: 'settle'; takesBack: boolean; alarm: string | undefined }
  /** Somebody takes care of it. */
  | { kind: 'assign' }
  | { kind: 'not_possible'; why: string };

export const no = (why: string): PlannedAction => ({ kind: 'not_possible', why });

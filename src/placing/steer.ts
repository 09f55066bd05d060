import { approvalsOf, type GuardCode, guardCodes } from './guards.ts';
import type { Approvals, Line, PurchaseOrderState } from './types.ts';

/** What a person can do with a PO. */
export const steerActions = ['release', 'submit_again', 'adopt', 'cancel', 'retry'] as const;
export type SteerAction = (typeof steerActions)[number];

/** A PO as a person finds it. */
export interface SteerablePurchaseOrder {
  id: string;
  account: string;
  poNumber: string;
  importId: string;
  state: PurchaseOrderState;
  /** Rises with whatever is done to it. */
  run: number;
  reasonCode: string | undefined;
  /** What the person reads of the hold. */
  reasonText: string | undefined;
  /** A person cancelled it before; its cart is still to be deleted. */
  cancelling: boolean;
  /** It asks for prices only. */
  quoteOnly: boolean;
  /** A worker is at it at this moment. */
  leased: boolean;
  /** A submission may have made an order. */
  mayHaveOrdered: boolean;
  lines: Line[];
}

/** What the ledger is to write for it; every write is conditional on the PO standing as it was seen. */
export interface SteerPlan {
  state: PurchaseOrderState;
  nextEpoch: boolean;
  approvals: Approvals;
  cancelling: boolean;
  reason: { code: string; text: string } | undefined;
}

export type Steered = { kind: 'plan'; plan: SteerPlan } | { kind: 'not_possible'; why: string };

const guardOf = (code: string | undefined): GuardCode | undefined =>
  guardCodes.find((guard) => guard === code);
/** Holds of POs under whose number the service has, or may have, an order. */
export const ordersToCompare = [
  'already_ordered',
  'duplicate_suspected',
  'cannot_verify',
  'submission_unknown',
];

const no = (why: string): Steered => ({ kind: 'not_possible', why });
const plan = (state: PurchaseOrderState, more: Partial<SteerPlan> = {}): Steered => ({
  kind: 'plan',
  plan: {
    state,
    nextEpoch: true,
    cancelling: false,
    reason: undefined,
    ...more,
    // That orders were adopted holds for the look that it was said of, and for no later attempt.
    approvals: { orders: false, ...more.approvals },
  },
});

const release = (po: SteerablePurchaseOrder): Steered => {
  if (po.state !== 'held') return no(`it is ${po.state}, not held`);
  // Released or not, what a person has cancelled is never ordered.
  const { cancelling } = po;
  const guard = guardOf(po.reasonCode);
  if (guard) return plan('items_added', { approvals: approvalsOf(guard, po.lines), cancelling });
  switch (po.reasonCode) {
    // Looked at again from the start: an order that shows up is adopted, otherwise it is held again.
    case 'submission_unknown':
    case 'cannot_verify':
    case 'duplicate_suspected':
      return plan('verifying', { nextEpoch: false, cancelling });
    case 'already_ordered':
      return po.quoteOnly
        ? no('the service has an order under its number, so it cannot be quoted; cancel this quote')
        : no('an order stands under its number: adopt it, or cancel this PO');
    // Held while it was being verified, perhaps: a submission that may have acted is verified to the end.
    case 'lookup_refused':
    case 'service_unreachable':
      return po.mayHaveOrdered
        ? plan('verifying', { nextEpoch: false, cancelling })
        : plan('ready', { cancelling });
    case 'file_grew':
      return plan('ready', { approvals: { fileGrew: true }, cancelling });
    // All others begin a new attempt, which looks before it does anything (rule 2).
    default:
      return plan('ready', { cancelling });
  }
};

const cancel = (po: SteerablePurchaseOrder): Steered => {
  if (po.leased) return no('a worker is at it at this moment; try again in a minute');
  if (po.state === 'held' && (po.mayHaveOrdered || po.reasonCode === 'conflicting_po')) {
    // Nothing is sent: what stands at the service is for the person to settle there.
    return plan('cancelled', {
      nextEpoch: false,
      reason: {
        code: 'dismissed',
        text: 'Cancelled by a person. Nothing was changed at the service.',
      },
    });
  }
  switch (po.state) {
    case 'held':
    case 'ready':
    case 'cart_created':
    case 'items_added':
      if (po.mayHaveOrdered) {
        return no('a submission of it may have been taken; wait until it is ordered or held');
      }
      return po.cancelling && po.state !== 'held'
        ? no('it is being cancelled already')
        : plan('ready', { nextEpoch: false, cancelling: true });
    default:
      return no(`it is ${po.state}; only a PO that was not submitted can be cancelled`);
  }
};

/**
 * What an action does to a PO (rule 11), or why it cannot. Pure. None of them sends anything itself: the PO
 * goes back to a state whose rules look first.
 */
export const planSteer = (action: SteerAction, po: SteerablePurchaseOrder): Steered => {
  switch (action) {
    case 'release':
      return release(po);
    case 'submit_again':
      return po.state === 'held' && po.reasonCode === 'submission_unknown'
        ? plan('ready')
        : no('only a PO held as submission_unknown can be submitted again');
    // Looked up first: a person may be wrong, and a PO without an order must never count as ordered.
    case 'adopt':
      if (po.state === 'held' && po.quoteOnly)
        return no('it is a quote and orders nothing; cancel it instead');
      return po.state === 'held' && ordersToCompare.includes(po.reasonCode ?? '')
        ? plan('verifying', { nextEpoch: false, approvals: { orders: true } })
        : no('it is not held because of an order at the service');
    case 'cancel':
      return cancel(po);
    case 'retry':
      return po.state === 'failed'
        ? plan('ready')
        : no(`it is ${po.state}; only a failed PO can be tried again`);
  }
};

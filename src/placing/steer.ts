import { approvalsOf, type GuardHold } from './guards.ts';
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
  epoch: number;
  reasonCode: string | undefined;
  /** A worker is at it at this moment. */
  leased: boolean;
  /** A submission may have made an order. */
  mayHaveOrdered: boolean;
  lines: Line[];
}

/** What the ledger is to write for it; every write is conditional on the state and epoch that were seen. */
export interface SteerPlan {
  state: PurchaseOrderState;
  nextEpoch: boolean;
  approvals?: Approvals;
  cancelling?: boolean;
  /** Whatever stands at the service under the PO number is taken as this PO's. */
  ownsAll?: boolean;
  reason?: { code: string; text: string };
}

export type Steered = { kind: 'plan'; plan: SteerPlan } | { kind: 'not_possible'; why: string };

const guardCodes: readonly GuardHold['code'][] = ['backorder', 'price_above', 'order_total', 'unknown_price'];
const isGuard = (code: string | undefined): boolean =>
  (guardCodes as readonly (string | undefined)[]).includes(code);
const ordersToCompare = ['already_ordered', 'duplicate_suspected', 'cannot_verify', 'submission_unknown'];

const no = (why: string): Steered => ({ kind: 'not_possible', why });
const plan = (state: PurchaseOrderState, more: Partial<SteerPlan> = {}): Steered => ({
  kind: 'plan',
  plan: { state, nextEpoch: true, ...more },
});

const release = (po: SteerablePurchaseOrder): Steered => {
  if (po.state !== 'held') return no(`it is ${po.state}, not held`);
  if (isGuard(po.reasonCode)) return plan('items_added', { approvals: approvalsOf(po.lines) });
  switch (po.reasonCode) {
    // Looked at again from the start: an order that shows up is adopted, otherwise it is held again.
    case 'submission_unknown':
    case 'cannot_verify':
    case 'duplicate_suspected':
      return plan('verifying', { nextEpoch: false });
    case 'already_ordered':
      return no('an order stands under its number: adopt it, or cancel this PO');
    // Held while it was being verified, perhaps: a submission that may have acted is verified to the end.
    case 'lookup_refused':
    case 'service_unreachable':
      return po.mayHaveOrdered ? plan('verifying', { nextEpoch: false }) : plan('ready');
    // All others begin a new attempt, which looks before it does anything (rule 2).
    default:
      return plan('ready');
  }
};

const cancel = (po: SteerablePurchaseOrder): Steered => {
  if (po.leased) return no('a worker is at it at this moment; try again in a minute');
  const text = 'Cancelled by a person.';
  if (po.state === 'held' && (po.mayHaveOrdered || po.reasonCode === 'conflicting_po')) {
    // Nothing is sent: what stands at the service is for the person to settle there.
    return plan('cancelled', {
      nextEpoch: false,
      reason: { code: 'dismissed', text: `${text} Nothing was changed at the service.` },
    });
  }
  if (
    po.state === 'held' ||
    po.state === 'ready' ||
    po.state === 'cart_created' ||
    po.state === 'items_added'
  ) {
    return po.mayHaveOrdered
      ? no('a submission of it may have been taken; wait until it is ordered or held')
      : plan('ready', { nextEpoch: false, cancelling: true });
  }
  return no(`it is ${po.state}; only a PO that was not submitted can be cancelled`);
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
    case 'adopt':
      return po.state === 'held' && ordersToCompare.includes(po.reasonCode ?? '')
        ? plan('ordered', { nextEpoch: false, ownsAll: po.reasonCode === 'already_ordered' })
        : no('only a held PO under whose number an order stands can adopt it');
    case 'cancel':
      return cancel(po);
    case 'retry':
      return po.state === 'failed'
        ? plan('ready')
        : no(`it is ${po.state}; only a failed PO can be tried again`);
  }
};

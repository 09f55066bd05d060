import { approvalsOf, type GuardCode, guardCodes } from './guards.ts';
import { endReasons, holdReasonOf } from './hold-reasons.ts';
import { stateWords } from './state-words.ts';
import type { Approvals, Line, PurchaseOrderState } from './types.ts';

/** What a person can do with a PO. */
export const operatorActions = ['release', 'submit_again', 'adopt', 'cancel', 'retry'] as const;
export type OperatorAction = (typeof operatorActions)[number];

/**
 * The states of the POs that an action is offered for. For a cancellation more of them than it can be done to, so that
 * a person who names one reads why not.
 */
export const statesFor: Record<OperatorAction, PurchaseOrderState[]> = {
  release: ['held'],
  submit_again: ['held'],
  adopt: ['held'],
  cancel: ['held', 'ready', 'cart_created', 'items_added', 'submitting', 'verifying', 'ordered', 'closed'],
  retry: ['failed'],
};

/**
 * The states of the POs that a run over all matching POs tries: only those in which the action can be done. Pure.
 * @param asked the states that the person asked for; undefined: all
 */
export const bulkStatesFor = (
  action: OperatorAction,
  asked: readonly PurchaseOrderState[] | undefined,
): PurchaseOrderState[] => {
  const possible: readonly PurchaseOrderState[] =
    action === 'cancel' ? ['held', 'ready', 'cart_created', 'items_added'] : statesFor[action];
  return possible.filter((state) => asked === undefined || asked.includes(state));
};

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
  /** It asks for prices only. */
  quoteOnly: boolean;
  /** A worker is processing it right now. */
  leased: boolean;
  /** A submission may have made an order. */
  mayHaveOrdered: boolean;
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

export type PlannedAction = { kind: 'plan'; plan: ActionPlan } | { kind: 'not_possible'; why: string };

const guardOf = (code: string | undefined): GuardCode | undefined =>
  guardCodes.find((guard) => guard === code);

const no = (why: string): PlannedAction => ({ kind: 'not_possible', why });
const plan = (state: PurchaseOrderState, more: Partial<ActionPlan> = {}): PlannedAction => ({
  kind: 'plan',
  plan: {
    state,
    nextEpoch: true,
    cancelling: false,
    reason: undefined,
    ...more,
    // An adoption applies to the orders that the person saw, and to no later attempt.
    approvals: { orders: false, ...more.approvals },
  },
});

const startOver = (more: Partial<ActionPlan>) => plan('ready', more);
const verifyAgain = (more: Partial<ActionPlan>) => plan('verifying', { ...more, nextEpoch: false });

const release = (po: ActionTarget): PlannedAction => {
  if (po.state !== 'held') return no(`it is ${stateWords[po.state]}, not held`);
  // Released or not, a PO that a person has cancelled is never ordered.
  const { cancelling } = po;
  switch (holdReasonOf(po.reasonCode)?.release ?? 'new_attempt') {
    case 'approve_numbers':
      return plan('items_added', { approvals: approvalsOf(guardOf(po.reasonCode)!, po.lines), cancelling });
    case 'approve_file':
      return startOver({ approvals: { fileGrew: true }, cancelling });
    case 'verify':
      return verifyAgain({ cancelling });
    case 'verify_or_new_attempt':
      return po.mayHaveOrdered ? verifyAgain({ cancelling }) : startOver({ cancelling });
    case 'new_attempt':
      return startOver({ cancelling });
    case 'not_possible':
      return po.quoteOnly
        ? no('the service has an order under its number, so it cannot be quoted; cancel this quote')
        : no('the service has an order under its number: adopt it, or cancel this PO');
  }
};

const cancel = (po: ActionTarget): PlannedAction => {
  if (po.leased) return no('a worker is processing it right now; try again in a minute');
  const reason = po.state === 'held' ? holdReasonOf(po.reasonCode) : undefined;
  if (po.state === 'held' && (po.mayHaveOrdered || reason?.numberTaken)) {
    // Nothing is sent: what exists at the service is for the person to settle there.
    return plan('cancelled', {
      nextEpoch: false,
      reason: { code: 'dismissed', text: endReasons.dismissed.meaning },
    });
  }
  switch (po.state) {
    case 'held':
    case 'ready':
    case 'cart_created':
    case 'items_added':
      if (po.mayHaveOrdered) {
        return no('it may have been submitted already; wait until it is ordered or held');
      }
      return po.cancelling && po.state !== 'held'
        ? no('it is already being cancelled')
        : plan('ready', { nextEpoch: false, cancelling: true });
    default:
      return no(`it is ${stateWords[po.state]}; only a PO that was not submitted can be cancelled`);
  }
};

const adopt = (po: ActionTarget): PlannedAction => {
  if (po.state !== 'held') return no(`it is ${stateWords[po.state]}, not held`);
  if (po.quoteOnly) return no('it is a quote and orders nothing; cancel it instead');
  return holdReasonOf(po.reasonCode)?.orderMayExist
    ? verifyAgain({ approvals: { orders: true } })
    : no(`it is held as ${po.reasonCode}, not because of an order at the service`);
};

/**
 * What an action does to a PO (rule 11), or why it cannot. Pure. No action sends anything: the PO returns to a state
 * whose rules look up first what exists at the service. A person who adopts may be wrong, and a PO without an order
 * must never count as ordered.
 */
export const planOperatorAction = (action: OperatorAction, po: ActionTarget): PlannedAction => {
  switch (action) {
    case 'release':
      return release(po);
    case 'submit_again':
      return po.state === 'held' && holdReasonOf(po.reasonCode)?.submitAgain
        ? startOver({})
        : no(
            po.state === 'held'
              ? `it is held as ${po.reasonCode}, not as submission_unknown`
              : `it is ${stateWords[po.state]}, not held`,
          );
    case 'adopt':
      return adopt(po);
    case 'cancel':
      return cancel(po);
    case 'retry':
      return po.state === 'failed' ? startOver({}) : no(`it is ${stateWords[po.state]}, not failed`);
  }
};

import { approvalsOf, type GuardCode, guardCodes } from './guards.ts';
import { endReasons, holdReasonOf, holdReasons } from './hold-reasons.ts';
import { isSubmitted } from './pending-words.ts';
import { stateWords } from './state-words.ts';
import {
  type ActiveState,
  type Approvals,
  activeStates,
  type Line,
  type PurchaseOrderState,
} from './types.ts';

/** What a person can do with a PO. */
export const operatorActions = [
  'release',
  'submit_again',
  'adopt',
  'hold',
  'cancel',
  'retry',
  'settle',
] as const;
export type OperatorAction = (typeof operatorActions)[number];

/**
 * The states of the POs that an action is offered for. For a cancellation more of them than it can be done to, so that
 * a person who names one reads why not.
 */
export const statesFor: Record<OperatorAction, PurchaseOrderState[]> = {
  release: ['held'],
  submit_again: ['held'],
  adopt: ['held'],
  hold: [...activeStates],
  cancel: [...activeStates, ...['held', 'failed', 'rejected', 'ordered', 'closed']] as PurchaseOrderState[],
  retry: ['failed'],
  // Whatever its state: an alarm is about an order that may exist.
  settle: [...activeStates, 'held', 'ordered', 'closed', 'failed', 'cancelled'],
};

/**
 * The states of the POs that a run over all matching POs tries: only those in which the action can be done. Pure.
 * @param asked the states that the person asked for; undefined: all
 */
export const bulkStatesFor = (
  action: OperatorAction,
  asked: readonly PurchaseOrderState[] | undefined,
): PurchaseOrderState[] => {
  const notSubmitted: readonly PurchaseOrderState[] = ['ready', 'cart_created', 'items_added'];
  const possible: readonly PurchaseOrderState[] =
    action === 'cancel'
      ? ['held', 'failed', 'rejected', ...notSubmitted]
      : action === 'hold'
        ? notSubmitted
        : statesFor[action];
  return possible.filter((state) => asked === undefined || asked.includes(state));
};

/** What a run of an action over all matching POs asks for beyond the person's filter. Pure. */
export const bulkConditionsOf = (action: OperatorAction): { alarm?: true } =>
  action === 'settle' ? { alarm: true } : {};

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
  /** This alarm is no longer counted. */
  | { kind: 'settle'; alarm: string }
  | { kind: 'not_possible'; why: string };

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

const asked = {
  code: 'question',
  text: 'A row of this PO has a value that no file with this header had before. Say what it means, or release the PO to order it as it is.',
};

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

const isActive = (state: PurchaseOrderState): state is ActiveState =>
  (activeStates as readonly string[]).includes(state);

const numberTaken = (po: ActionTarget): boolean => holdReasonOf(po.reasonCode)?.numberTaken ?? false;

const dismissed = plan('cancelled', {
  nextEpoch: false,
  reason: { code: 'dismissed', text: endReasons.dismissed.meaning },
});

const cancel = (po: ActionTarget): PlannedAction => {
  // There is no cart to delete, so nothing has to wait for a worker.
  if (po.nothingSent && (po.state === 'ready' || po.state === 'held') && !numberTaken(po))
    return plan('cancelled', { nextEpoch: false });
  if (isActive(po.state)) {
    return po.cancelling ? no('it is already being cancelled') : { kind: 'wish', wish: 'cancel' };
  }
  // Nothing was ordered, and nobody wants it any more.
  if (po.state === 'failed' || po.state === 'rejected') {
    if (po.reasonCode === 'corrected') return no('a later file has it without mistakes');
    return po.alarm === undefined ? dismissed : no('it has an alarm; settle that first');
  }
  if (po.state !== 'held') {
    return no(`it is ${stateWords[po.state]}; only a PO that was not submitted can be cancelled`);
  }
  if (po.mayHaveOrdered || numberTaken(po)) {
    // Nothing is sent: what exists at the service is for the person to settle there.
    return dismissed;
  }
  return plan('ready', { nextEpoch: false, cancelling: true });
};

const hold = (po: ActionTarget): PlannedAction => {
  if (!isActive(po.state))
    return no(`it is ${stateWords[po.state]}; only a PO that is in progress can be held`);
  if (po.cancelling) return no('it is being cancelled');
  if (po.leased || isSubmitted(po))
    return po.holding ? no('it is already going to be held') : { kind: 'wish', wish: 'hold' };
  const { meaning, advice } = holdReasons.on_hold;
  return plan('held', { nextEpoch: false, reason: { code: 'on_hold', text: `${meaning} ${advice}` } });
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
      // Whoever releases it for another reason has not seen the value.
      return po.state === 'held' && po.asks && po.reasonCode === 'conflicting_po'
        ? plan('held', { nextEpoch: false, reason: asked })
        : release(po);
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
    case 'hold':
      return hold(po);
    case 'cancel':
      return cancel(po);
    case 'settle':
      return po.alarm === undefined
        ? no('it has no alarm, or it is settled already')
        : { kind: 'settle', alarm: po.alarm };
    case 'retry':
      return po.state === 'failed' ? startOver({}) : no(`it is ${stateWords[po.state]}, not failed`);
  }
};

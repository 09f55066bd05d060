import type { OperatorAction } from './action-states.ts';
import { approvalsOf, type GuardCode, guardCodes } from './guards.ts';
import { endReasons, holdReasonOf, holdReasons } from './hold-reasons.ts';
import { isSubmitted } from './pending-words.ts';
import { stateWords } from './state-words.ts';
import { type Approvals, isActiveState, type Line, type PurchaseOrderState } from './types.ts';

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

/** Of a PO that is in another state than the action is for. */
const notIn = ({ state, quoteOnly, cancelling }: ActionTarget, wanted: 'held' | 'failed'): PlannedAction => {
  if (cancelling) return no('it is being cancelled');
  if (quoteOnly)
    return no(
      `it is a quote that is ${stateWords[state]}; for a new quote, import its file with --quote again`,
    );
  return no(
    state === 'cancelled'
      ? 'it is cancelled; to order it after all, import its file again, which asks about it'
      : `it is ${stateWords[state]}, not ${wanted}`,
  );
};

const startOver = (more: Partial<ActionPlan>) => plan('ready', more);
const verifyAgain = (more: Partial<ActionPlan>) => plan('verifying', { ...more, nextEpoch: false });

const release = (po: ActionTarget): PlannedAction => {
  if (po.state !== 'held') return notIn(po, 'held');
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

const numberTaken = (po: ActionTarget): boolean => holdReasonOf(po.reasonCode)?.numberTaken ?? false;

const dismissed = plan('cancelled', {
  nextEpoch: false,
  reason: { code: 'dismissed', text: endReasons.dismissed.meaning },
});

const hasLaterFile = 'a later file has it without mistakes';

const hasEndedBadly = ({ state }: Pick<ActionTarget, 'state'>): boolean =>
  state === 'failed' || state === 'rejected';

/** Nothing is to be decided about a PO any more, unless it is held. */
const isSolved = (po: ActionTarget): boolean =>
  po.alarm === undefined && (!hasEndedBadly(po) || po.settled === true || po.reasonCode === 'corrected');

const settle = (po: ActionTarget): PlannedAction => {
  if (!isSolved(po)) return { kind: 'settle', takesBack: false, alarm: po.alarm };
  if (po.settled) return no('a person has said already that it is not needed');
  if (hasEndedBadly(po)) return no(hasLaterFile);
  return no(
    po.state === 'held'
      ? 'it is held, and waits for a decision'
      : 'it has no alarm, and it has neither failed nor been rejected',
  );
};

const cancel = (po: ActionTarget): PlannedAction => {
  // There is no cart to delete, so nothing has to wait for a worker.
  if (po.nothingSent && (po.state === 'ready' || po.state === 'held') && !numberTaken(po))
    return plan('cancelled', { nextEpoch: false });
  if (isActiveState(po.state)) {
    return po.cancelling ? no('it is already being cancelled') : { kind: 'wish', wish: 'cancel' };
  }
  if (hasEndedBadly(po))
    return no(
      po.reasonCode === 'corrected'
        ? hasLaterFile
        : 'nothing of it is ordered; say that it is not needed instead',
    );
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
  if (po.state === 'held') return no('it is held already');
  if (!isActiveState(po.state))
    return no(`it is ${stateWords[po.state]}; only a PO that is in progress can be held`);
  if (po.cancelling) return no('it is being cancelled');
  if (po.leased || isSubmitted(po))
    return po.holding ? no('it is already going to be held') : { kind: 'wish', wish: 'hold' };
  const { meaning, advice } = holdReasons.on_hold;
  return plan('held', { nextEpoch: false, reason: { code: 'on_hold', text: `${meaning} ${advice}` } });
};

const adopt = (po: ActionTarget): PlannedAction => {
  if (po.state !== 'held') return notIn(po, 'held');
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
        : po.state === 'held'
          ? no(`it is held as ${po.reasonCode}, not as submission_unknown`)
          : notIn(po, 'held');
    case 'adopt':
      return adopt(po);
    case 'hold':
      return hold(po);
    case 'cancel':
      return cancel(po);
    case 'settle':
      return settle(po);
    case 'unsettle':
      return po.settled
        ? { kind: 'settle', takesBack: true, alarm: undefined }
        : no('nobody has said that it is not needed, or something new has happened since');
    case 'assign':
      return po.state === 'held' || !isSolved(po) ? { kind: 'assign' } : no('it needs nobody');
    case 'retry':
      if (po.state !== 'failed') return notIn(po, 'failed');
      return po.reasonCode === 'corrected' ? no(hasLaterFile) : startOver({});
  }
};

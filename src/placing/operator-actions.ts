import { type PoAction, poActions } from '../api-contract/action-words.ts';
import { type ActionPlan, type ActionTarget, no, type PlannedAction } from './action-target.ts';
import { approvalsOf, type GuardCode, guardCodes } from './guards.ts';
import { endReasons, holdReasonOf, holdReasons } from './hold-reasons.ts';
import { hasEndedBadly, hasLaterFile, isSolved, settle, unsettle } from './not-needed.ts';
import { isSubmitted } from './pending-words.ts';
import { stateWords } from './state-words.ts';
import { activeStates, isActiveState, type PurchaseOrderState, poStates } from './types.ts';

/** What a person can do with a PO. */
export type OperatorAction = PoAction;

const guardOf = (code: string | undefined): GuardCode | undefined =>
  guardCodes.find((guard) => guard === code);

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

/** The refusal if the PO is not in the state that the action needs. */
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
  // A person who releases it for another reason has not seen the value.
  if (po.asks && po.reasonCode === 'conflicting_po') return plan('held', { nextEpoch: false, reason: asked });
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
    // Nothing is sent: the person must settle at the service what exists there.
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

const releaseEffects = {
  approve_numbers: 'Approves the numbers that held it, and continues with its cart.',
  approve_file: 'Approves it as it was read, and starts a new attempt.',
  new_attempt: 'Looks up what the service has, then starts a new attempt.',
  verify: 'Looks for its order again: it becomes ordered if the order is found, and is held again if not.',
  verify_or_new_attempt: 'Looks up what the service has, then continues.',
  not_possible: '',
} as const;

const cancelEffect = (po: ActionTarget): string => {
  if (po.state === 'held' && (po.mayHaveOrdered || numberTaken(po)))
    return 'Marks it as cancelled. Nothing is changed at the service.';
  return isSubmitted(po)
    ? 'Records that it is not wanted. Its submission was sent before: if it is ordered, an alarm says so.'
    : 'Deletes its cart, if there is one. Nothing is ordered.';
};

interface ActionRules {
  /** States in which the action is possible. */
  states: readonly PurchaseOrderState[];
  /** More states that are found if a person names the PO, to explain why the action is not possible. */
  explained?: readonly PurchaseOrderState[];
  /** Among POs in these states. `settling`: POs that a person can settle; `person`: these and held ones. */
  needs?: 'settling' | 'person';
  /** Among these, only POs that are settled, or only POs that are not. */
  settled?: boolean;
  plan(po: ActionTarget): PlannedAction;
  /** The effect on this PO, as text for a confirmation. */
  effect(po: ActionTarget): string;
}

const notSubmitted = ['ready', 'cart_created', 'items_added'] as const satisfies PurchaseOrderState[];

/** The rules of each action. A new one needs an entry here and its words. */
export const actionRules: Readonly<Record<OperatorAction, ActionRules>> = {
  release: {
    states: ['held'],
    plan: release,
    effect: ({ reasonCode }) => releaseEffects[holdReasonOf(reasonCode)?.release ?? 'new_attempt'],
  },
  adopt: {
    states: ['held'],
    plan: adopt,
    effect: () =>
      'Says that the order at the service is this PO. Nothing is sent; the order is looked up and compared.',
  },
  submit_again: {
    states: ['held'],
    plan: (po) => {
      if (po.state !== 'held') return notIn(po, 'held');
      return holdReasonOf(po.reasonCode)?.submitAgain
        ? startOver({})
        : no(`it is held as ${po.reasonCode}, not as submission_unknown`);
    },
    effect: () =>
      'Starts a new attempt. Only after the operator of the service has confirmed that no order exists.',
  },
  retry: {
    states: ['failed'],
    // A settled PO is retried only if a person names it.
    settled: false,
    plan: (po) => {
      if (po.state !== 'failed') return notIn(po, 'failed');
      return po.reasonCode === 'corrected' ? no(hasLaterFile) : startOver({});
    },
    effect: () => 'Starts again. The service is first asked whether it has an order under this PO number.',
  },
  settle: {
    // In every state: an alarm is about an order that may exist.
    states: poStates,
    needs: 'settling',
    plan: settle,
    effect: ({ alarm }) =>
      alarm === undefined
        ? 'Says that nothing is to be done about it. It is no longer counted, until a new attempt fails. This can be taken back.'
        : 'Says that nothing is left to do about the difference. It is no longer counted, until a new difference raises it again. This can be taken back.',
  },
  unsettle: {
    states: poStates,
    settled: true,
    plan: unsettle,
    effect: () => 'Takes back that it is not needed: it is counted again as something to do.',
  },
  hold: {
    states: notSubmitted,
    explained: activeStates,
    plan: hold,
    effect: (po) =>
      isSubmitted(po)
        ? 'Holds it before it is submitted again. Its submission was sent before: if it is ordered, an alarm says so.'
        : 'Holds it before it is submitted, at its next step. Nothing is ordered until a person releases it.',
  },
  cancel: {
    states: ['held', ...notSubmitted],
    explained: [...activeStates, 'failed', 'rejected', 'ordered', 'closed'],
    plan: cancel,
    effect: cancelEffect,
  },
  assign: {
    states: poStates,
    needs: 'person',
    plan: (po) => (po.state === 'held' || !isSolved(po) ? { kind: 'assign' } : no('it needs nobody')),
    effect: () => 'Says who takes care of it. That person finds it on Today under Mine.',
  },
};

/**
 * What an action does to a PO (rule 11), or why it cannot. Pure. No action sends anything: the PO returns to a state
 * whose rules look up first what exists at the service. A person who adopts may be wrong, and a PO without an order
 * must never count as ordered.
 */
export const planOperatorAction = (action: OperatorAction, po: ActionTarget): PlannedAction =>
  actionRules[action].plan(po);

/** The actions that a PO allows, in the order of their buttons. Pure. */
export const allowedActions = (po: ActionTarget): OperatorAction[] =>
  poActions.filter((action) => planOperatorAction(action, po).kind !== 'not_possible');

/** The states that are searched for an action if a person names the PO. */
export const statesFor = (action: OperatorAction): PurchaseOrderState[] => {
  const { states, explained = [] } = actionRules[action];
  return [...new Set([...states, ...explained])];
};

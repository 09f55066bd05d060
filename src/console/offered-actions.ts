import { holdReasonOf } from '../placing/hold-reasons.ts';
import { type OperatorAction, planOperatorAction } from '../placing/operator-actions.ts';
import { isSubmitted } from '../placing/pending-words.ts';
import type { PurchaseOrderState } from '../placing/types.ts';
import type { OfferedAction } from './api/schemas/basics.ts';

/** What decides which actions a PO allows. */
export interface Actable {
  state: PurchaseOrderState;
  reasonCode: string | null;
  quoteOnly: boolean;
  cancelling: boolean;
  holding: boolean;
  leased: boolean;
  mayHaveOrdered: boolean;
  /** Null: it has no unsettled alarm. */
  alarm: string | null;
}

/** In the order of the buttons. */
const inOrder: readonly OperatorAction[] = [
  'release',
  'adopt',
  'submit_again',
  'retry',
  'settle',
  'hold',
  'cancel',
];

const labels: Record<OperatorAction, string> = {
  release: 'Release',
  adopt: 'Adopt the order',
  submit_again: 'Submit again',
  retry: 'Retry',
  settle: 'Settle the alarm',
  hold: 'Hold',
  cancel: 'Cancel',
};

const releaseEffects = {
  approve_numbers: 'Approves the numbers that held it, and continues with its cart.',
  approve_file: 'Approves it as it was read, and starts a new attempt.',
  new_attempt: 'Looks up what the service has, then starts a new attempt.',
  verify: 'Looks for its order again: it becomes ordered if the order is found, and is held again if not.',
  verify_or_new_attempt: 'Looks up what the service has, then continues.',
  not_possible: '',
} as const;

const effectOf = (
  action: OperatorAction,
  po: Pick<Actable, 'state' | 'reasonCode' | 'mayHaveOrdered'>,
): string => {
  const reason = holdReasonOf(po.reasonCode ?? undefined);
  switch (action) {
    case 'release':
      return releaseEffects[reason?.release ?? 'new_attempt'];
    case 'adopt':
      return 'Says that the order at the service is this PO. Nothing is sent; the order is looked up and compared.';
    case 'submit_again':
      return 'Starts a new attempt. Only after the operator of the service has confirmed that no order exists.';
    case 'retry':
      return 'Starts again. The service is first asked whether it has an order under this PO number.';
    case 'settle':
      return 'Marks the alarm as handled. It is no longer counted, until a new difference raises it again.';
    case 'hold':
      return isSubmitted(po)
        ? 'Holds it before it is submitted again. Its submission was sent before: if it is ordered, an alarm says so.'
        : 'Holds it before it is submitted, at its next step. Nothing is ordered until a person releases it.';
    case 'cancel':
      if (po.state === 'failed' || po.state === 'rejected')
        return 'Marks it as not needed. Nothing is ordered, and it is no longer counted as something to do.';
      if (po.state === 'held' && (po.mayHaveOrdered || reason?.numberTaken))
        return 'Marks it as cancelled. Nothing is changed at the service.';
      return isSubmitted(po)
        ? 'Records that it is not wanted. Its submission was sent before: if it is ordered, an alarm says so.'
        : 'Deletes its cart, if there is one. Nothing is ordered.';
  }
};

/** The actions that the ledger's rules allow for a PO, with what each does. Pure. */
export const offeredActions = (po: Actable): OfferedAction[] =>
  inOrder.flatMap((action) => {
    const planned = planOperatorAction(action, {
      ...po,
      id: '',
      account: '',
      poNumber: '',
      importId: '',
      run: 0,
      reasonCode: po.reasonCode ?? undefined,
      reasonText: undefined,
      alarm: po.alarm ?? undefined,
      lines: [],
    });
    return planned.kind !== 'not_possible'
      ? [{ action, label: labels[action], effect: effectOf(action, po) }]
      : [];
  });

/** The actions that a group of held POs with this reason can be given. */
export const groupActions = (reasonCode: string): OfferedAction[] =>
  offeredActions({
    state: 'held',
    reasonCode,
    quoteOnly: false,
    cancelling: false,
    holding: false,
    leased: false,
    mayHaveOrdered: false,
    alarm: null,
  });

/** The actions that POs can be given together that ended like this. */
export const endedActions = (state: 'failed' | 'rejected'): OfferedAction[] =>
  offeredActions({
    state,
    reasonCode: null,
    quoteOnly: false,
    cancelling: false,
    holding: false,
    leased: false,
    mayHaveOrdered: false,
    alarm: null,
  });

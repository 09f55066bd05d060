import { actionLabel, poActions } from '../api-contract/action-words.ts';
import type { OfferedAction } from '../api-contract/basics.ts';
import type { ListedPurchaseOrder } from '../ledger/console/purchase-orders.ts';
import type { OperatorAction } from '../placing/action-states.ts';
import { holdReasonOf } from '../placing/hold-reasons.ts';
import { planOperatorAction } from '../placing/operator-actions.ts';
import { isSubmitted } from '../placing/pending-words.ts';
import { type AdvisedAbout, adviseOn } from './advised-actions.ts';

/** What decides which actions a PO allows. */
export type Actable = AdvisedAbout &
  Pick<ListedPurchaseOrder, 'cancelling' | 'holding' | 'leased' | 'mayHaveOrdered'>;

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
  po: Pick<Actable, 'state' | 'reasonCode' | 'mayHaveOrdered' | 'alarm'>,
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
      return po.alarm === null
        ? 'Says that nothing is to be done about it. It is no longer counted, until a new attempt fails. This can be taken back.'
        : 'Says that nothing is left to do about the difference. It is no longer counted, until a new difference raises it again. This can be taken back.';
    case 'unsettle':
      return 'Takes back that it is not needed: it is counted again as something to do.';
    case 'assign':
      return 'Says who takes care of it. That person finds it on Today under Mine.';
    case 'hold':
      return isSubmitted(po)
        ? 'Holds it before it is submitted again. Its submission was sent before: if it is ordered, an alarm says so.'
        : 'Holds it before it is submitted, at its next step. Nothing is ordered until a person releases it.';
    case 'cancel':
      if (po.state === 'held' && (po.mayHaveOrdered || reason?.numberTaken))
        return 'Marks it as cancelled. Nothing is changed at the service.';
      return isSubmitted(po)
        ? 'Records that it is not wanted. Its submission was sent before: if it is ordered, an alarm says so.'
        : 'Deletes its cart, if there is one. Nothing is ordered.';
  }
};

/** The actions that the ledger's rules allow for a PO. Pure. */
const allowedActions = (po: Actable): OperatorAction[] =>
  poActions.filter((action) => {
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
    return planned.kind !== 'not_possible';
  });

const ranks: OfferedAction['rank'][] = ['advised', 'possible', 'unlikely'];

/** The actions that the ledger's rules allow for a PO, with what each does: the advised one first, those that will not help last. Pure. */
export const offeredActions = (po: Actable): OfferedAction[] => {
  const { first, unlikely } = adviseOn(po);
  const allowed = allowedActions(po);
  const main = first.find((action) => allowed.includes(action));
  return allowed
    .map((action): OfferedAction => {
      const why = unlikely[action] ?? null;
      const rank = why !== null ? 'unlikely' : action === main ? 'advised' : 'possible';
      return { action, label: actionLabel(action), effect: effectOf(action, po), rank, why };
    })
    .sort((a, b) => ranks.indexOf(a.rank) - ranks.indexOf(b.rank));
};

const inGroup = { cancelling: false, holding: false, leased: false, mayHaveOrdered: false, settled: false };

/** The actions that a group of held POs with this reason can be given. */
export const groupActions = (reasonCode: string, quoteOnly = false): OfferedAction[] =>
  offeredActions({ ...inGroup, state: 'held', reasonCode, quoteOnly, alarm: null });

/** The actions that POs can be given together that ended like this. */
export const endedActions = (state: 'failed' | 'rejected'): OfferedAction[] =>
  offeredActions({ ...inGroup, state, reasonCode: null, quoteOnly: false, alarm: null });

/** The actions that ordered POs can be given together whose orders differ. */
export const alarmActions = (alarm: string): OfferedAction[] =>
  offeredActions({ ...inGroup, state: 'ordered', reasonCode: null, quoteOnly: false, alarm });

import { actionLabel } from '../api-contract/action-words.ts';
import type { OfferedAction } from '../api-contract/basics.ts';
import type { ListedPurchaseOrder } from '../ledger/console/purchase-orders.ts';
import type { ActionTarget } from '../placing/action-target.ts';
import { holdReasonOf } from '../placing/hold-reasons.ts';
import { actionRules, allowedActions } from '../placing/operator-actions.ts';
import { type AdvisedAbout, adviseOn } from './advised-actions.ts';

/** The fields of a PO that determine its allowed actions. */
export type Actable = AdvisedAbout &
  Pick<ListedPurchaseOrder, 'cancelling' | 'holding' | 'leased' | 'mayHaveOrdered'>;

const targetOf = (po: Actable): ActionTarget => ({
  ...po,
  ...{ id: '', account: '', poNumber: '', importId: '', run: 0, lines: [], reasonText: undefined },
  reasonCode: po.reasonCode ?? undefined,
  alarm: po.alarm ?? undefined,
});

const ranks: OfferedAction['rank'][] = ['advised', 'possible', 'unlikely'];

/** The actions that the ledger's rules allow for a PO, with what each does: the advised one first, those that will not help last. Pure. */
export const offeredActions = (po: Actable): OfferedAction[] => {
  const { first, unlikely } = adviseOn(po);
  const target = targetOf(po);
  const allowed = allowedActions(target);
  const main = first.find((action) => allowed.includes(action));
  return allowed
    .map((action): OfferedAction => {
      const why = unlikely[action] ?? null;
      const rank = why !== null ? 'unlikely' : action === main ? 'advised' : 'possible';
      return { action, label: actionLabel(action), effect: actionRules[action].effect(target), rank, why };
    })
    .sort((a, b) => ranks.indexOf(a.rank) - ranks.indexOf(b.rank));
};

const inGroup = { cancelling: false, holding: false, leased: false, mayHaveOrdered: false, settled: false };

/** The actions for a group of POs held for this reason. */
export const groupActions = (reasonCode: string, quoteOnly = false): OfferedAction[] =>
  offeredActions({
    ...inGroup,
    ...{ state: 'held', reasonCode, quoteOnly, alarm: null },
    mayHaveOrdered: holdReasonOf(reasonCode)?.orderMayExist ?? false,
  });

/** The actions for a group of POs that ended like this. */
export const endedActions = (state: 'failed' | 'rejected'): OfferedAction[] =>
  offeredActions({ ...inGroup, state, reasonCode: null, quoteOnly: false, alarm: null });

/** The actions for a group of ordered POs with this alarm. */
export const alarmActions = (alarm: string): OfferedAction[] =>
  offeredActions({ ...inGroup, state: 'ordered', reasonCode: null, quoteOnly: false, alarm });

import type { ActionTarget } from './action-target.ts';
import { holdReasons } from './hold-reasons.ts';
import { actionRules, type OperatorAction, planOperatorAction } from './operator-actions.ts';
import type { PurchaseOrderState } from './types.ts';

interface BulkConditions {
  /** Absent: any. */
  state?: readonly PurchaseOrderState[] | undefined;
  /** `settling`: POs that a person can settle; `person`: these and held ones. */
  needs?: 'settling' | 'person' | undefined;
  /** A person has settled them. */
  settled?: boolean | undefined;
}

const heldFor = (reasonCode: string): ActionTarget => ({
  ...{
    id: '',
    account: '',
    poNumber: '',
    importId: '',
    run: 0,
    lines: [],
    reasonText: undefined,
    alarm: undefined,
  },
  ...{ state: 'held', reasonCode, quoteOnly: false },
  ...{ cancelling: false, holding: false, leased: false, mayHaveOrdered: false },
});

/** The hold reasons for which an action cannot be applied. Pure. */
const hopelessReasons = (action: OperatorAction): string[] =>
  actionRules[action].states.every((state) => state === 'held')
    ? Object.keys(holdReasons).filter(
        (code) => planOperatorAction(action, heldFor(code)).kind === 'not_possible',
      )
    : [];

/**
 * Narrows the person's filter to the POs that the action applies to. Without a state there are none. Pure.
 */
export const bulkFilterOf = <Filter extends BulkConditions>(
  action: OperatorAction,
  filter: Filter,
): Filter & { state: PurchaseOrderState[]; notReasons?: readonly string[] } => {
  const { needs, settled, states } = actionRules[action];
  const notReasons = hopelessReasons(action);
  const isContradiction = settled !== undefined && filter.settled !== undefined && settled !== filter.settled;
  return {
    ...filter,
    // `settling` is the narrower of the two.
    ...(needs === undefined || filter.needs === 'settling' ? {} : { needs }),
    ...(settled === undefined ? {} : { settled }),
    ...(notReasons.length === 0 ? {} : { notReasons }),
    state: isContradiction
      ? []
      : states.filter((state) => filter.state === undefined || filter.state.includes(state)),
  };
};

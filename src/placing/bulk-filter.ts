import { actionRules, type OperatorAction } from './operator-actions.ts';
import type { PurchaseOrderState } from './types.ts';

interface BulkConditions {
  /** Absent: any. */
  state?: readonly PurchaseOrderState[] | undefined;
  /** Those of which a person can say that they are not needed; or these and held ones. */
  needs?: 'settling' | 'person' | undefined;
  /** A person has said so. */
  settled?: boolean | undefined;
}

/**
 * The POs that a run of an action tries: of those that the person asked for, the ones for which the action is meant. Without a state there
 * are none. Pure.
 */
export const bulkFilterOf = <Filter extends BulkConditions>(
  action: OperatorAction,
  filter: Filter,
): Filter & { state: PurchaseOrderState[]; notReasons?: readonly string[] } => {
  const { needs, settled, states, notReasons } = actionRules[action];
  const isContradiction = settled !== undefined && filter.settled !== undefined && settled !== filter.settled;
  return {
    ...filter,
    // Settling is the narrower one.
    ...(needs === undefined || filter.needs === 'settling' ? {} : { needs }),
    ...(settled === undefined ? {} : { settled }),
    ...(notReasons === undefined ? {} : { notReasons }),
    state: isContradiction
      ? []
      : states.filter((state) => filter.state === undefined || filter.state.includes(state)),
  };
};

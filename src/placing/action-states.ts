import type { PoAction } from '../api-contract/basics.ts';
import { activeStates, type PurchaseOrderState } from './types.ts';

/** What a person can do with a PO. */
export type OperatorAction = PoAction;

const anyState: PurchaseOrderState[] = [
  ...activeStates,
  ...(['held', 'ordered', 'closed', 'failed', 'rejected', 'cancelled'] as const),
];

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
  settle: anyState,
  unsettle: anyState,
  assign: anyState,
};

const notSubmitted: readonly PurchaseOrderState[] = ['ready', 'cart_created', 'items_added'];

/** The states in which the action can be done. */
const possibleStates = (action: OperatorAction): readonly PurchaseOrderState[] =>
  action === 'cancel' ? ['held', ...notSubmitted] : action === 'hold' ? notSubmitted : statesFor[action];

interface BulkConditions {
  /** Absent: any. */
  state?: readonly PurchaseOrderState[] | undefined;
  /** Those of which a person can say that they are not needed; or these and held ones. */
  needs?: 'settling' | 'person' | undefined;
  /** A person has said so. */
  settled?: boolean | undefined;
}

const conditions: Partial<Record<OperatorAction, BulkConditions>> = {
  settle: { needs: 'settling' },
  unsettle: { settled: true },
  assign: { needs: 'person' },
  // What is not needed is tried again only by a person who names it.
  retry: { settled: false },
};

/** What an action asks for where a person names no PO. Pure. */
export const conditionsOf = (action: OperatorAction): Pick<BulkConditions, 'needs' | 'settled'> =>
  conditions[action] ?? {};

/**
 * The POs that a run of an action tries: of those that the person asked for, the ones for which the action is meant. Without a state there
 * are none. Pure.
 */
export const bulkFilterOf = <Filter extends BulkConditions>(
  action: OperatorAction,
  filter: Filter,
): Filter & { state: PurchaseOrderState[] } => {
  const { needs, settled } = conditionsOf(action);
  const isContradiction = settled !== undefined && filter.settled !== undefined && settled !== filter.settled;
  return {
    ...filter,
    // Settling is the narrower one.
    ...(needs === undefined || filter.needs === 'settling' ? {} : { needs }),
    ...(settled === undefined ? {} : { settled }),
    state: isContradiction
      ? []
      : possibleStates(action).filter((state) => filter.state === undefined || filter.state.includes(state)),
  };
};

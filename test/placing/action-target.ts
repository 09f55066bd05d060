import type { ActionTarget } from '../../src/placing/action-target.ts';
import { activeStates, type PurchaseOrderState } from '../../src/placing/types.ts';

export const allStates: PurchaseOrderState[] = [
  ...activeStates,
  ...(['rejected', 'held', 'ordered', 'closed', 'failed', 'cancelled'] as const),
];

/** A held PO as the target of an operator action. */
export const heldTarget = (over: Partial<ActionTarget>): ActionTarget => ({
  id: '1',
  account: 'default',
  poNumber: 'PO-1',
  importId: '1',
  state: 'held',
  run: 1,
  reasonCode: undefined,
  reasonText: undefined,
  alarm: undefined,
  cancelling: false,
  holding: false,
  quoteOnly: false,
  leased: false,
  mayHaveOrdered: false,
  lines: [],
  ...over,
});

import type { SteerResult } from '../../ledger/steer.ts';
import { planSteer, type SteerAction, type SteerablePurchaseOrder } from '../../placing/steer.ts';
import { showText } from './show-text.ts';

/** The POs with which the action can be done, and of the others why not. */
export const divideSteerable = (action: SteerAction, found: readonly SteerablePurchaseOrder[]) => {
  const possible: SteerablePurchaseOrder[] = [];
  const impossible: SteerResult[] = [];
  for (const po of found) {
    const steered = planSteer(action, po);
    if (steered.kind === 'plan') possible.push(po);
    else impossible.push({ poNumber: po.poNumber, id: po.id, outcome: steered });
  }
  return { possible, impossible };
};

const named = 5;

/** One line for each reason: an import may have thousands that are ordered. */
export const listImpossible = (impossible: readonly SteerResult[]): string[] => {
  const byReason = new Map<string, string[]>();
  for (const { poNumber, outcome } of impossible) {
    if (outcome.kind !== 'not_possible') continue;
    byReason.set(outcome.why, [...(byReason.get(outcome.why) ?? []), showText(poNumber)]);
  }
  return [...byReason].map(([why, poNumbers]) =>
    poNumbers.length === 1
      ? `${poNumbers[0]}: ${why}.`
      : `${poNumbers.length} others stay as they are (${poNumbers.slice(0, named).join(', ')}${poNumbers.length > named ? ', …' : ''}): ${why}.`,
  );
};

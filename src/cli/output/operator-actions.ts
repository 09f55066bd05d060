import type { ActionResult } from '../../ledger/po/operator-actions.ts';
import type { ActionTarget } from '../../placing/action-target.ts';
import { type OperatorAction, planOperatorAction } from '../../placing/operator-actions.ts';
import { stateWords } from '../../placing/state-words.ts';
import { count, firstFew, showText } from './show-text.ts';

const notDone = (poNumber: string, why: string): string => `PO ${poNumber} stays as it is: ${why}.`;

/** Why an action does not apply to a named PO. Pure. */
export const whyNoMatch = (action: OperatorAction, po: ActionTarget): string => {
  const planned = planOperatorAction(action, po);
  return planned.kind === 'not_possible'
    ? planned.why
    : `it is ${stateWords[po.state]}, but not chosen by the given options`;
};

/** Divides POs into those that the action can change and the others, with reasons. */
export const divideTargets = (action: OperatorAction, found: readonly ActionTarget[]) => {
  const possible: ActionTarget[] = [];
  const impossible: ActionResult[] = [];
  for (const po of found) {
    const planned = planOperatorAction(action, po);
    if (planned.kind === 'not_possible')
      impossible.push({ poNumber: po.poNumber, id: po.id, outcome: planned });
    else possible.push(po);
  }
  return { possible, impossible };
};

const named = 5;

/** One line per reason, because an import may have thousands of POs that are already ordered. */
export const listNotPossible = (impossible: readonly ActionResult[]): string[] => {
  const byReason = new Map<string, string[]>();
  for (const { poNumber, outcome } of impossible) {
    if (outcome.kind !== 'not_possible') continue;
    byReason.set(outcome.why, [...(byReason.get(outcome.why) ?? []), showText(poNumber)]);
  }
  return [...byReason].map(([why, poNumbers]) =>
    poNumbers.length === 1
      ? notDone(poNumbers[0]!, why)
      : `${count(poNumbers.length, 'PO')} stay as they are (${firstFew(poNumbers, named)}): ${why.replace(/^it /, 'each ')}.`,
  );
};

/** `: G-1, G-2`: PO numbers to append to a sentence. */
export const listNumbers = (poNumbers: readonly string[]): string =>
  `: ${firstFew(poNumbers.map(showText), named)}`;

import type { ActionResult } from '../../ledger/po/operator-actions.ts';
import { type OperatorAction, statesFor } from '../../placing/action-states.ts';
import { type ActionTarget, planOperatorAction } from '../../placing/operator-actions.ts';
import { isPending } from '../../placing/pending-words.ts';
import { stateWords } from '../../placing/state-words.ts';
import type { ActionCommand } from '../action-commands.ts';
import { count, firstFew, showText } from './show-text.ts';

/** What cannot be done to a PO (it cannot be …), and why one is not among those that the action is for. */
const words: Record<OperatorAction, [participle: string, stateNeeded: string]> = {
  release: ['released', ', not held'],
  adopt: ['adopted', ', not held'],
  submit_again: ['resubmitted', ', not held'],
  hold: ['held', ', not in progress'],
  cancel: ['cancelled', ', so nothing is left to cancel'],
  retry: ['retried', ', not failed'],
  settle: ['settled', ', without an alarm'],
  unsettle: ['unsettled', ', not settled'],
  assign: ['assigned', ', and needs nobody'],
};

/**
 * Why an action does not apply to a PO that a person named, and what to do instead. Pure.
 */
export const whyNoMatch = (
  action: OperatorAction,
  po: Pick<ActionTarget, 'poNumber' | 'state' | 'quoteOnly'>,
): string => {
  const name = `PO ${showText(po.poNumber)}`;
  if (po.quoteOnly)
    return `${name} is a quote that is ${stateWords[po.state]}. To get a new quote, import its file with --quote again.`;
  if (action === 'hold' && po.state === 'held') return `${name} is held already.`;
  if (action === 'settle')
    return po.state === 'failed' || po.state === 'rejected'
      ? `${name} is settled already, or a later file has it.`
      : `${name} is ${stateWords[po.state]} and has no unsettled alarm, so there is nothing to settle.`;
  if (action === 'unsettle') return `${name} is ${stateWords[po.state]}, not settled.`;
  // The state fits, but not the other conditions that the person gave.
  if (statesFor[action].includes(po.state))
    return `${name} is ${stateWords[po.state]}, but not chosen by the given options.`;
  const [participle, stateNeeded] = words[action];
  const why = `${name} cannot be ${participle}: it is ${stateWords[po.state]}${stateNeeded}.`;
  if (po.state !== 'cancelled' || action === 'cancel') return why;
  return `${why} To order it after all, import its file again: the PO is then held as was_cancelled, and \`cartwright release ${showText(po.poNumber)}\` orders it.`;
};

/** Divides POs into those that the action can change, and the others with the reason. */
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
export const listNotPossible = (action: OperatorAction, impossible: readonly ActionResult[]): string[] => {
  const byReason = new Map<string, string[]>();
  for (const { poNumber, outcome } of impossible) {
    if (outcome.kind !== 'not_possible') continue;
    byReason.set(outcome.why, [...(byReason.get(outcome.why) ?? []), showText(poNumber)]);
  }
  const [participle] = words[action];
  return [...byReason].map(([why, poNumbers]) =>
    poNumbers.length === 1
      ? `PO ${poNumbers[0]} cannot be ${participle}: ${why}.`
      : `${poNumbers.length} POs cannot be ${participle} (${firstFew(poNumbers, named)}): ${why.replace(/^it /, 'each ')}.`,
  );
};

const listPos = (poNumbers: readonly string[]): string =>
  `${count(poNumbers.length, 'PO')}: ${firstFew(poNumbers.map(showText), named)}.`;

/**
 * `Released 2 POs: G-1, G-2.` What a worker carries out at the next step of a PO is not done yet. Pure.
 * @param pending what is still to happen, in sentences; blank: nothing is
 */
export const summariseActions = (
  { action, done }: Pick<ActionCommand, 'action' | 'done'>,
  results: readonly ActionResult[],
  pending: string,
): string => {
  const changed = results.flatMap(({ poNumber, outcome }) =>
    outcome.kind === 'done' ? [{ poNumber, pending: isPending(action, outcome.state) }] : [],
  );
  const numbers = (wanted: boolean) =>
    changed.filter((one) => one.pending === wanted).map(({ poNumber }) => poNumber);
  const [finished, begun] = [numbers(false), numbers(true)];
  const undone = results.length - changed.length;
  return [
    ...(finished.length > 0 ? [`${done} ${listPos(finished)}`] : []),
    ...(begun.length > 0 ? [`${action === 'cancel' ? 'Cancelling' : 'Holding'} ${listPos(begun)}`] : []),
    ...(pending === '' ? [] : [pending]),
    ...(undone > 0 ? [`${count(undone, 'PO')} could not be changed.`] : []),
  ].join(' ');
};

import type { PoFilter } from '../api-contract/purchase-orders.ts';
import { isPart } from '../ledger/console/sql-parts.ts';
import type { PresentState } from '../ledger/console/targets.ts';
import type { OperatorAction } from '../placing/action-states.ts';
import { isPending } from '../placing/pending-words.ts';
import { stateWords } from '../placing/state-words.ts';
import type { PurchaseOrderState } from '../placing/types.ts';
import { reasonMeaning } from './reason-words.ts';

interface ActionWords {
  verb: string;
  done: string;
  /** What somebody did to one PO. */
  past: string;
  /** What is said behind the POs. */
  behind?: string;
}

const words: Record<OperatorAction, ActionWords> = {
  release: { verb: 'Release', done: 'Released', past: 'released it' },
  adopt: { verb: 'Adopt the orders of', done: 'Adopting the orders of', past: 'adopted the order of it' },
  submit_again: { verb: 'Resubmit', done: 'Resubmitting', past: 'resubmitted it' },
  hold: { verb: 'Hold', done: 'Held', past: 'held it' },
  cancel: { verb: 'Cancel', done: 'Cancelled', past: 'cancelled it' },
  retry: { verb: 'Retry', done: 'Retrying', past: 'retried it' },
  settle: { verb: 'Mark', done: 'Marked', past: 'marked it as not needed', behind: ' as not needed' },
  unsettle: { verb: 'Mark', done: 'Marked', past: 'marked it as needed again', behind: ' as needed again' },
  assign: { verb: 'Assign', done: 'Assigned', past: 'assigned it' },
};

const pastOf = (action: string): string =>
  Object.hasOwn(words, action) ? words[action as OperatorAction].past : `${action} it`;

/** `1 PO`, `2,300 POs`. */
export const pos = (count: number): string => `${count.toLocaleString('en-US')} PO${count === 1 ? '' : 's'}`;

/**
 * `Released 2 POs. 1 PO could not be changed.` Pure.
 * @param states of the POs that were changed, as they are now
 */
export const resultSentence = (
  action: OperatorAction,
  states: readonly PurchaseOrderState[],
  unchanged: number,
): string => {
  const { done, behind = '' } = words[action];
  const begun = states.filter((state) => isPending(action, state)).length;
  const finished = states.length - begun;
  return [
    ...(finished > 0 ? [`${done} ${pos(finished)}${behind}.`] : []),
    ...(begun > 0 ? [`${action === 'cancel' ? 'Cancelling' : 'Holding'} ${pos(begun)}.`] : []),
    ...(unchanged > 0 ? [`${pos(unchanged)} could not be changed.`] : []),
  ].join(' ');
};

/** `2026-11-22 22:03 (Europe/Berlin)` */
const moment = (at: string, timeZone: string): string => {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return `${time.format(new Date(at))} (${timeZone})`;
};

/**
 * Why an action was not done to a PO, with what somebody did meanwhile. Pure.
 * @param timeZone of the account
 * @param seenAt `changedAt` of the PO as the person saw it: older actions explain nothing to them
 */
export const whyNot = (
  why: string,
  present: PresentState | undefined,
  seenAt: string | undefined,
  timeZone: string,
): string => {
  if (!present) return `Not done: ${why}.`;
  const { state, who, action, at } = present;
  const isNews = at !== null && (seenAt === undefined || at >= seenAt);
  const now = `it is ${stateWords[state]} now`;
  const happened = isNews
    ? `${who} ${pastOf(action!)} at ${moment(at, timeZone)}; ${now}.`
    : `${now.charAt(0).toUpperCase()}${now.slice(1)}.`;
  return `${happened} Not done: ${why}.`;
};

/** What a reason means; of one that we do not know its code. */
const meaningOf = (code: string): string => reasonMeaning(code)?.replace(/\.$/, '') ?? code;

/** What a filter selects, in words: `of north that are held with the reason “…” in import 12`. Pure. */
const filterWords = (filter: PoFilter): string =>
  [
    ...(filter.account === undefined ? [] : [`of ${filter.account}`]),
    ...(filter.state === undefined
      ? []
      : [`that are ${[...new Set(filter.state.map((one) => stateWords[one]))].join(' or ')}`]),
    ...(filter.reason === undefined ? [] : [`with the reason “${meaningOf(filter.reason)}”`]),
    ...(filter.message === undefined ? [] : [`with the reason “${filter.message.slice(0, 200)}”`]),
    ...(filter.importId === undefined ? [] : [`in import ${filter.importId}`]),
    ...(filter.po === undefined
      ? []
      : [`whose number ${isPart(filter.po) ? 'contains' : 'begins with'} ${filter.po}`]),
    ...(filter.alarm === undefined ? [] : [filter.alarm ? 'with an alarm' : 'without an alarm']),
    ...(filter.alarmCause === undefined ? [] : [`with the alarm “${filter.alarmCause.slice(0, 200)}”`]),
    ...(filter.needs === undefined ? [] : ['that need a person']),
    ...(filter.settled === undefined ? [] : [filter.settled ? 'that are not needed' : 'that are needed']),
    ...(filter.assignee === undefined ? [] : [`of which ${filter.assignee} takes care`]),
    ...(filter.quote === undefined ? [] : [filter.quote ? 'that are quotes' : 'that are no quotes']),
    ...(filter.changedBefore === undefined ? [] : [`not changed since ${filter.changedBefore}`]),
    ...(filter.changedAfter === undefined ? [] : [`changed after ${filter.changedAfter}`]),
  ].join(' ');

/** `Release 300 POs of north that are held with the reason “…” in import 12.` Pure. */
export const runSentence = (action: OperatorAction, count: number, filter: PoFilter): string =>
  `${words[action].verb} ${pos(count)} ${filterWords(filter)}`
    .trimEnd()
    .concat(words[action].behind ?? '', '.');

/** `Release POs of north that are held.` for a run that has begun, whose number says little. Pure. */
export const filterSentence = (action: OperatorAction, filter: PoFilter): string =>
  `${words[action].verb} ${filterWords(filter) === '' ? 'all POs' : `POs ${filterWords(filter)}`}${words[action].behind ?? ''}.`;

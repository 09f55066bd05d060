import { isPart } from '../ledger/console/sql-parts.ts';
import type { PresentState } from '../ledger/console/targets.ts';
import type { OperatorAction } from '../placing/action-states.ts';
import { endReasons, explainHold } from '../placing/hold-reasons.ts';
import { isPending } from '../placing/pending-words.ts';
import { stateWords } from '../placing/state-words.ts';
import type { PurchaseOrderState } from '../placing/types.ts';
import type { PoFilter } from './api/schemas/purchase-orders.ts';

const past: Record<string, string> = {
  release: 'released',
  adopt: 'adopted the order of',
  submit_again: 'resubmitted',
  hold: 'held',
  cancel: 'cancelled',
  retry: 'retried',
};

/** What is said behind the POs. */
const behind: Partial<Record<string, string>> = { settle: ' as not needed', unsettle: ' as needed again' };

const pastOf = (action: string): string =>
  action in behind
    ? `marked it${behind[action]}`
    : action === 'assign'
      ? 'assigned it'
      : `${past[action] ?? action} it`;

const done: Record<OperatorAction, string> = {
  release: 'Released',
  adopt: 'Adopting the orders of',
  submit_again: 'Resubmitting',
  hold: 'Held',
  cancel: 'Cancelled',
  retry: 'Retrying',
  settle: 'Marked',
  unsettle: 'Marked',
  assign: 'Assigned',
};

const verbs: Record<OperatorAction, string> = {
  release: 'Release',
  adopt: 'Adopt the orders of',
  submit_again: 'Resubmit',
  hold: 'Hold',
  cancel: 'Cancel',
  retry: 'Retry',
  settle: 'Mark',
  unsettle: 'Mark',
  assign: 'Assign',
};

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
  const begun = states.filter((state) => isPending(action, state)).length;
  const finished = states.length - begun;
  return [
    ...(finished > 0 ? [`${done[action]} ${pos(finished)}${behind[action] ?? ''}.`] : []),
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
const meaningOf = (code: string): string =>
  (explainHold(code, false) ?? endReasons[code as keyof typeof endReasons])?.meaning.replace(/\.$/, '') ??
  code;

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
  `${verbs[action]} ${pos(count)} ${filterWords(filter)}`.trimEnd().concat(behind[action] ?? '', '.');

/** `Release POs of north that are held.` for a run that has begun, whose number says little. Pure. */
export const filterSentence = (action: OperatorAction, filter: PoFilter): string =>
  `${verbs[action]} ${filterWords(filter) === '' ? 'all POs' : `POs ${filterWords(filter)}`}${behind[action] ?? ''}.`;

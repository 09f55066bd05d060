import { actOn, didToIt, doneTo, poActions } from '../api-contract/action-words.ts';
import type { PoFilter } from '../api-contract/purchase-orders.ts';
import { isPart } from '../ledger/console/sql-parts.ts';
import type { PresentState } from '../ledger/console/targets.ts';
import type { OperatorAction } from '../placing/operator-actions.ts';
import { isPending } from '../placing/pending-words.ts';
import { stateWords } from '../placing/state-words.ts';
import type { PurchaseOrderState } from '../placing/types.ts';
import { reasonMeaning } from './reason-words.ts';

/** `1 file`, `2,300 files`; with `more`, where counting ended early, `10,000+ files`. Pure. */
export const countOf = (count: number, word: string, more = false): string =>
  `${count.toLocaleString('en-US')}${more ? '+' : ''} ${word}${count === 1 && !more ? '' : 's'}`;

/** `1 PO`, `2,300 POs`. */
export const pos = (count: number): string => countOf(count, 'PO');

/**
 * `Released 2 POs. 1 PO could not be changed.` Pure.
 * @param states the present states of the changed POs
 * @param listed a text to append to a count, for the POs at these positions, such as their numbers
 */
export const resultSentence = (
  action: OperatorAction,
  states: readonly PurchaseOrderState[],
  unchanged: number,
  listed: (places: readonly number[]) => string = () => '',
): string => {
  const sentence = (
    applies: (state: PurchaseOrderState) => boolean,
    say: (what: string, count: number) => string,
  ) => {
    const places = states.flatMap((state, place) => (applies(state) ? place : []));
    return places.length === 0 ? [] : [`${say(pos(places.length), places.length)}${listed(places)}.`];
  };
  const isBegun = (state: PurchaseOrderState) => isPending(action, state);
  // The person has not seen the other hold reason yet, such as an unanswered question about a row.
  const staysHeld = (state: PurchaseOrderState) => action === 'release' && state === 'held';
  return [
    ...sentence(
      (state) => !isBegun(state) && !staysHeld(state),
      (what, count) => doneTo(action, what, count),
    ),
    ...sentence(isBegun, (what) => `${action === 'cancel' ? 'Cancelling' : 'Holding'} ${what}`),
    ...sentence(
      staysHeld,
      (what, count) => `${what} ${count === 1 ? 'stays' : 'stay'} held for another reason`,
    ),
    ...(unchanged > 0 ? [`${pos(unchanged)} could not be changed.`] : []),
  ].join(' ');
};

const didTo = (action: string): string => {
  const known = poActions.find((one) => one === action);
  return known ? didToIt(known) : `${action} it`;
};

/** `2026-11-22 22:03 (Europe/Berlin)` */
const moment = (at: string, timeZone: string): string => {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return `${time.format(new Date(at))} (${timeZone})`;
};

/**
 * Why an action did not apply to a PO, with the action of another person in the meantime. Pure.
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
  // The reason may already say more than the state, such as that it is being cancelled.
  const isSaid = why.includes(now.slice('it '.length));
  const also = isSaid || why.startsWith('it is ') ? '' : `; ${now}`;
  const happened = isNews
    ? `${who} ${didTo(action!)} at ${moment(at, timeZone)}${also}. `
    : isSaid
      ? ''
      : `${now.charAt(0).toUpperCase()}${now.slice(1)}. `;
  return `${happened}Not done: ${why}.`;
};

/** The meaning of a reason; the code itself if unknown. */
const meaningOf = (code: string): string => reasonMeaning(code)?.replace(/\.$/, '') ?? code;

/** A filter in words: `of north that are held with the reason “…” in import 12`. Pure. */
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
  `${actOn(action, `${pos(count)} ${filterWords(filter)}`.trimEnd(), count)}.`;

/** A sentence about the POs that a run does not change; empty: none. Pure. */
export const othersSentence = (count: number): string => {
  if (count === 0) return '';
  return count === 1
    ? ' 1 PO is held for another reason and stays as it is: its page says what can be done.'
    : ` ${pos(count)} are held for other reasons and stay as they are: the page of each says what can be done.`;
};

/** `Release POs of north that are held.` Without a count, for a run that has started. Pure. */
export const filterSentence = (action: OperatorAction, filter: PoFilter): string =>
  `${actOn(action, filterWords(filter) === '' ? 'all POs' : `POs ${filterWords(filter)}`, 2)}.`;

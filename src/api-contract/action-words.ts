import type { PoAction } from './basics.ts';

interface ActionWords {
  /** On a button. */
  label: string;
  /** What is done; `%` is replaced by the POs or files. By default the label before them. */
  act?: string;
  /** What somebody did to them. */
  past: string;
  /** What is said of it at once; by default what somebody did. */
  done?: string;
}

/** What the actions of people are called, in the order of their buttons. */
const words: Record<PoAction, ActionWords> = {
  release: { label: 'Release', past: 'released %' },
  adopt: {
    label: 'Adopt the order',
    act: 'Adopt the orders of %',
    past: 'adopted the orders of %',
    done: 'Adopting the orders of %',
  },
  submit_again: {
    label: 'Submit again',
    act: 'Submit % again',
    past: 'submitted % again',
    done: 'Submitting % again',
  },
  retry: { label: 'Retry', past: 'retried %', done: 'Retrying %' },
  settle: { label: 'Not needed', act: 'Mark % as not needed', past: 'marked % as not needed' },
  unsettle: { label: 'Needed after all', act: 'Mark % as needed again', past: 'marked % as needed again' },
  hold: { label: 'Hold', past: 'asked to hold %', done: 'Held %' },
  cancel: { label: 'Cancel', past: 'asked to cancel %', done: 'Cancelled %' },
  assign: { label: 'Assign', past: 'assigned %' },
};

export const poActions = Object.keys(words) as PoAction[];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const about = (text: string, what: string, count: number): string =>
  text.replace('orders of', count === 1 ? 'order of' : 'orders of').replace('%', () => what);

export const actionLabel = (action: PoAction): string => words[action].label;

/** `Adopt the order of PO 4711`, `Submit 300 POs again`: on a button, in a title, and as a question. */
export const actOn = (action: PoAction, what: string, count = 1): string =>
  about(words[action].act ?? `${words[action].label} %`, what, count);

/** `Released 2 POs`, `Submitting 1 PO again`: what is said of it at once. */
export const doneTo = (action: PoAction, what: string, count = 1): string =>
  capital(about(words[action].done ?? words[action].past, what, count));

/** `released it`: what somebody did to one. */
export const didToIt = (action: PoAction): string => about(words[action].past, 'it', 1);

/** What happened and what was begun, by the codes of the ledger: `Released`, `Adopted the order`, `Started to release many`. */
export const actionEvents: Readonly<Record<string, string>> = Object.fromEntries(
  poActions.flatMap((action) => {
    const begun = actOn(action, 'many', 2);
    return [
      [action, capital(words[action].past.replace(/s? of %| %/, ''))],
      [`bulk_${action}`, `Started to ${begun.charAt(0).toLowerCase()}${begun.slice(1)}`],
    ];
  }),
);

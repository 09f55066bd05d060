interface ActionWords {
  /** Its effect on one PO, for the API documentation. */
  about: string;
  /** Text of the button. */
  label: string;
  /** Imperative; `%` is replaced by the POs or files. Default: the label followed by them. */
  act?: string;
  /** Past tense. */
  past: string;
  /** Immediate confirmation; default: `past`. */
  done?: string;
  /** Its effect on selected POs of different states and reasons. */
  effect: string;
  /** It cannot be undone. */
  isDangerous?: true;
}

/** Operator actions on POs and their texts, in the order of the buttons. */
const words = {
  release: {
    about: 'continue a held PO',
    label: 'Release',
    past: 'released %',
    effect: 'They continue where they were held. What was found is accepted as it was shown.',
  },
  adopt: {
    about: 'the order at the service is this PO',
    label: 'Adopt the order',
    act: 'Adopt the orders of %',
    past: 'adopted the orders of %',
    done: 'Adopting the orders of %',
    effect: 'The order that the service has under the number becomes the order of this purchase order.',
  },
  submit_again: {
    about: 'submit again after an unknown submission',
    label: 'Submit again',
    act: 'Submit % again',
    past: 'submitted % again',
    done: 'Submitting % again',
    effect:
      'They are submitted again. Do this only after the operator of the service has confirmed that no order exists.',
    isDangerous: true,
  },
  retry: {
    about: 'a failed PO',
    label: 'Retry',
    past: 'retried %',
    done: 'Retrying %',
    effect: 'Each starts a new attempt; the service is checked before anything is sent.',
  },
  settle: {
    about: 'its alarm, or that it failed or was rejected, needs nobody; it is no longer counted',
    label: 'Not needed',
    act: 'Mark % as not needed',
    past: 'marked % as not needed',
    effect:
      'Nothing is to be done about them any more: that they failed or were rejected, or differ from their files, is no longer counted. Something new raises them again, and this can be taken back.',
  },
  unsettle: {
    about: 'takes back that it is not needed',
    label: 'Needed after all',
    act: 'Mark % as needed again',
    past: 'marked % as needed again',
    effect: 'They are counted again as something to do.',
  },
  hold: {
    about: 'before it is submitted, at its next step',
    label: 'Hold',
    past: 'asked to hold %',
    done: 'Held %',
    effect:
      'Each is held before it is submitted, at its next step, until a person releases it. If a submission was sent before, an alarm says so.',
  },
  cancel: {
    about: 'before it is ordered, at its next step',
    label: 'Cancel',
    past: 'asked to cancel %',
    done: 'Cancelled %',
    effect:
      'They end without an order, each at its next step. What may already have been submitted stays at the service, and you settle it there.',
    isDangerous: true,
  },
  assign: {
    about: 'somebody takes care of it',
    label: 'Assign',
    past: 'assigned %',
    effect: 'Says who takes care of them. That person finds them on Today under Mine.',
  },
} as const satisfies Record<string, ActionWords>;

export type PoAction = keyof typeof words;
export const poActions = Object.keys(words) as PoAction[];
const wordsOf = (action: PoAction): ActionWords => words[action];

/** `release: continue a held PO. adopt: …` */
export const aboutActions = poActions.map((action) => `${action}: ${words[action].about}.`).join(' ');

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const about = (text: string, what: string, count: number): string =>
  text.replace('orders of', count === 1 ? 'order of' : 'orders of').replace('%', () => what);

export const actionLabel = (action: PoAction): string => wordsOf(action).label;

/** Its effect on selected POs of different states and reasons. */
export const effectOnMany = (action: PoAction): string => wordsOf(action).effect;

export const isDangerous = (action: PoAction): boolean => wordsOf(action).isDangerous === true;

/** `Adopt the order of PO 4711`, `Submit 300 POs again`: for buttons, titles and questions. */
export const actOn = (action: PoAction, what: string, count = 1): string =>
  about(wordsOf(action).act ?? `${wordsOf(action).label} %`, what, count);

/** `Released 2 POs`, `Submitting 1 PO again`: the immediate confirmation. */
export const doneTo = (action: PoAction, what: string, count = 1): string =>
  capital(about(wordsOf(action).done ?? wordsOf(action).past, what, count));

/** `released it`: past tense, about one PO. */
export const didToIt = (action: PoAction): string => about(wordsOf(action).past, 'it', 1);

/** Finished and started actions in words, by the ledger's codes: `Released`, `Adopted the order`, `Started to release many`. */
export const actionEvents: Readonly<Record<string, string>> = Object.fromEntries(
  poActions.flatMap((action) => {
    const begun = actOn(action, 'many', 2);
    return [
      [action, capital(wordsOf(action).past.replace(/s? of %| %/, ''))],
      [`bulk_${action}`, `Started to ${begun.charAt(0).toLowerCase()}${begun.slice(1)}`],
    ];
  }),
);

import type { CallResult } from '../dealer-api/answers.ts';
import type { CartComparison, OrdersComparison } from './compare.ts';
import type { ActiveState, ChangingStep, IntentOutcome } from './types.ts';

/** The facts about a PO and its attempt: all that the decision needs of the ledger. */
export interface AttemptFacts {
  state: ActiveState;
  /** This epoch's create intent; `unknown` when it has no outcome. */
  create: IntentOutcome | 'none';
  /** The last add-items intent of the current cart. */
  items: IntentOutcome | 'none';
  /** This epoch's submit intent. */
  submit: IntentOutcome | 'none';
  /** This epoch's last delete intent. */
  deletion: IntentOutcome | 'none';
  /** A create intent may have made a cart that was not deleted since: it explains a cart that exists. */
  cartMayBeOurs: boolean;
  /** A submit intent of any epoch may have made an order. */
  mayHaveOrdered: boolean;
  /** No lookup has been made under the PO number yet (rule 2). */
  firstLookup: boolean;
  /** Earlier lookups in this state that decided nothing, without the current one. */
  lookups: number;
  rebuildsLeft: number;
  /** How many more submissions with an unknown outcome may be repeated. */
  submissionsLeft: number;
  /** The last call for this PO failed, or the account has paused and no call has succeeded since. */
  troubled: boolean;
  /** The service has been unreachable for longer than the account allows. */
  outOfPatience: boolean;
  cancelling: boolean;
  quoteOnly: boolean;
  /** Its purchase file changed after it was picked up, and no person has compared the PO with it. */
  fileGrew: boolean;
  /** A guard of rule 5 holds the PO. */
  guard: boolean;
  /** A call with an unclear outcome, for any purchase order of this PO number, may still take effect (rule 3). */
  lateEffects: boolean;
  /** A person says that the orders under the PO number are this PO's (rule 11). */
  ordersAdopted: boolean;
  poNumbersReused: boolean;
  submissionConsumesCart: boolean;
}

export type CallKind = CallResult<unknown>['kind'];

export type Observation =
  /** The PO was just taken. */
  | { saw: 'nothing' }
  /** `orders`: those that are not in the record of rule 2; on the first lookup, all orders. */
  | { saw: 'lookup'; orders: OrdersComparison; cart: CartComparison }
  | { saw: 'failed_lookup'; kind: Exclude<CallKind, 'ok' | 'not_found'> }
  | { saw: 'answer'; to: ChangingStep; kind: CallKind };

export type HoldCode =
  | 'already_ordered'
  | 'foreign_cart'
  | 'service_unstable'
  | 'service_unreachable'
  | 'lookup_refused'
  | 'cart_not_deletable'
  | 'po_refused'
  | 'duplicate_suspected'
  | 'cannot_verify'
  | 'submission_unknown'
  | 'file_grew'
  | 'guard';

export type Step =
  | { do: 'lookup'; at: 'orders_and_cart' | 'orders' | 'everywhere' }
  | { do: 'call'; step: ChangingStep }
  | {
      do: 'ready' | 'cart_created' | 'items_added' | 'ordered';
      epoch: 'same' | 'next';
      wait: Wait;
      rebuilt?: true;
    }
  /** `counted`: this lookup counts towards the three of rule 7. */
  | { do: 'verify'; wait: Wait; counted: boolean; pause?: true }
  | { do: 'hold'; code: HoldCode; alarm?: true; cartGone?: true }
  | { do: 'fail' }
  | { do: 'cancel' }
  | { do: 'finish_quote' }
  /** The same state again, after a wait that depends on the reason. */
  | { do: 'retry'; because: RetryReason; epoch: 'same' | 'next' };

/** `reads`: until what was written can be read; `late_effects`: until nothing that was sent can still act (rule 3); `settle`: rule 7. */
export type Wait = 'none' | 'reads' | 'late_effects' | 'settle';

/**
 * `account`: the problem is its credential, address or rate, so it pauses (rule 13). `unreachable`: the call did not reach
 * the service; the account pauses, too, and the time of `unreachableAllowed` runs. `no_answer`: that time runs.
 * `odd_answer`: a single redirect or web page, which costs the PO a retry and the account nothing. `reads`: the answer has
 * to be checked by a lookup once changes can be read. `lag`: our change cannot be read yet; the lookup is repeated with
 * backoff. `late_effects`: an earlier call may still take effect.
 */
export type RetryReason =
  | 'account'
  | 'odd_answer'
  | 'unreachable'
  | 'no_answer'
  | 'reads'
  | 'lag'
  | 'late_effects';

const call = (step: ChangingStep): Step => ({ do: 'call', step });
const hold = (code: HoldCode): Step => ({ do: 'hold', code });
const retry = (because: RetryReason, epoch: 'same' | 'next' = 'same'): Step => ({
  do: 'retry',
  because,
  epoch,
});
const startVerifying: Step = { do: 'verify', wait: 'settle', counted: false };

/** Lookups before an order counts as missing after an unclear submission (rule 7). */
const lookupsNeeded = 3;

/** Repeated lookups before our own cart counts as gone rather than as not readable yet: 31 s in all. */
const lagLookups = 5;

/** Rule 3: our own cart may be unreadable only because reads lag. Waiting for it costs no rebuild. */
const onceReadable = (s: AttemptFacts, step: Step): Step => (s.lookups < lagLookups ? retry('lag') : step);

const whilePatient = (s: AttemptFacts, step: Step): Step =>
  s.outOfPatience ? hold('service_unreachable') : step;

/** Rule 3: a cart is never patched. It is deleted and built again under the next epoch. */
const rebuildCart: Step = { do: 'ready', epoch: 'next', wait: 'late_effects', rebuilt: true };
const rebuild = (s: AttemptFacts): Step =>
  s.rebuildsLeft > 0 ? rebuildCart : { do: 'hold', code: 'service_unstable', cartGone: true };

/** The facts say what the deletion was for, so that a crash in between changes nothing. */
const afterDeletion = (s: AttemptFacts): Step => {
  // A cart whose creation is unknown may still appear: one more lookup follows.
  if (s.cancelling) return s.create === 'unknown' ? rebuildCart : { do: 'cancel' };
  if (s.items === 'refused' || s.items === 'contradicted' || s.submit === 'refused') return { do: 'fail' };
  if (s.quoteOnly && s.items === 'done') return { do: 'finish_quote' };
  return rebuild(s);
};

/** Lines may be missing from a PO whose file changed after it was picked up: before its submission it waits for a person. */
const mayBeIncomplete = (s: AttemptFacts): boolean =>
  s.fileGrew &&
  !s.cancelling &&
  !s.quoteOnly &&
  s.submit === 'none' &&
  (s.state === 'ready' || s.state === 'cart_created' || s.state === 'items_added');

/** What to do with a PO that was just taken. A deletion that was started is always completed. */
const firstStep: Record<ActiveState, (s: AttemptFacts) => Step> = {
  ready: (s) => {
    // No lookup before the deletion: the create call may still take effect.
    const begun = s.create !== 'none' && s.create !== 'contradicted';
    if (begun || s.deletion === 'unknown') return call('delete_cart');
    const nothingOfOurs = !s.cartMayBeOurs && !s.mayHaveOrdered;
    if (s.cancelling && nothingOfOurs) return { do: 'cancel' };
    return s.lateEffects ? retry('late_effects') : { do: 'lookup', at: 'orders_and_cart' };
  },
  cart_created: (s) => {
    if (s.cancelling || s.deletion === 'unknown') return call('delete_cart');
    if (s.items === 'unknown' || s.items === 'refused') return call('delete_cart');
    return s.items === 'contradicted' ? { do: 'lookup', at: 'orders_and_cart' } : call('add_items');
  },
  items_added: (s) => {
    if (s.submit !== 'none') return startVerifying;
    if (s.quoteOnly || s.deletion === 'unknown') return call('delete_cart');
    return { do: 'lookup', at: 'orders_and_cart' };
  },
  submitting: () => startVerifying,
  verifying: (s) => ({ do: 'lookup', at: s.lookups + 1 < lookupsNeeded ? 'orders' : 'everywhere' }),
};

const afterLookup: Record<
  ActiveState,
  (s: AttemptFacts, orders: OrdersComparison, cart: CartComparison) => Step
> = {
  // Rule 2: before an epoch's first change.
  ready: (s, orders, cart) => {
    if (orders !== 'none') {
      if (s.mayHaveOrdered || s.create === 'contradicted') return startVerifying;
      // Where numbers are re-used, an order from before is the baseline only if it shows what this PO does not ask
      // for. Items that are not shown prove nothing (rule 8): it may be this very PO's, forgotten by a restored ledger.
      if (!(s.firstLookup && s.poNumbersReused && orders === 'more')) return hold('already_ordered');
    }
    if (cart !== 'absent' && s.cartMayBeOurs) return call('delete_cart');
    if (s.cancelling) return { do: 'cancel' };
    if (cart !== 'absent') return hold('foreign_cart');
    if (s.create !== 'contradicted') return call('create_cart');
    return onceReadable(s, s.cartMayBeOurs ? call('delete_cart') : hold('po_refused'));
  },
  // The service answered that there is no such cart: that is true, or it means the item.
  cart_created: (s, orders, cart) => {
    if (orders !== 'none') return startVerifying;
    return cart === 'absent' ? onceReadable(s, rebuild(s)) : call('delete_cart');
  },
  // Rule 6: before every submission.
  items_added: (s, orders, cart) => {
    if (orders !== 'none') return startVerifying;
    if (s.cancelling || s.quoteOnly) return call('delete_cart');
    if (cart === 'absent' || cart === 'incomplete') return onceReadable(s, call('delete_cart'));
    if (cart === 'different') return call('delete_cart');
    if (s.fileGrew) return hold('file_grew');
    return s.guard ? hold('guard') : call('submit_order');
  },
  submitting: () => startVerifying,
  // Rule 7.
  verifying: (s, orders, cart) => {
    if (orders === 'equal' || (orders !== 'none' && s.ordersAdopted)) {
      return { do: 'ordered', epoch: 'same', wait: 'none' };
    }
    if (orders === 'more') return { do: 'hold', code: 'duplicate_suspected', alarm: true };
    if (s.lookups + 1 < lookupsNeeded) return { do: 'verify', wait: 'settle', counted: true };
    if (orders !== 'none') return hold('cannot_verify');
    // An adoption never leads to another submission.
    if (s.submit === 'none' || s.ordersAdopted) {
      return hold(s.mayHaveOrdered ? 'submission_unknown' : 'cannot_verify');
    }
    if (s.submit === 'refused') return cart === 'absent' ? { do: 'fail' } : call('delete_cart');
    if (s.submit === 'contradicted') return cart === 'absent' ? rebuild(s) : hold('po_refused');
    const cartIsUnchanged = cart === 'equal' || cart === 'unreadable';
    if (!cartIsUnchanged || !s.submissionConsumesCart) return hold('submission_unknown');
    return s.submissionsLeft > 0
      ? { do: 'items_added', epoch: 'next', wait: 'none' }
      : hold('service_unstable');
  },
};

/**
 * A quote never submits, so an order under its number is never its own. It ignores the order where PO numbers are reused;
 * otherwise it deletes its cart and ends, because the order needs the cart.
 */
const quoteBesideOrder = (s: AttemptFacts): AttemptFacts =>
  s.poNumbersReused ? s : { ...s, cancelling: true };

type AnswerTable = Record<CallKind, (s: AttemptFacts) => Step>;

/** Rule 13: these answers concern the account or the connection, not this PO. */
const accountAnswers = {
  misdirected: (s: AttemptFacts) => retry(s.troubled ? 'account' : 'odd_answer'),
  unsupported: () => retry('account'),
  denied: () => retry('account'),
  limited: () => retry('account'),
  not_sent: (s: AttemptFacts) => whilePatient(s, retry('unreachable')),
};

const afterAnswer: Record<ChangingStep, AnswerTable> = {
  create_cart: {
    ...accountAnswers,
    ok: () => ({ do: 'cart_created', epoch: 'same', wait: 'none' }),
    refused: () => ({ do: 'fail' }),
    conflict: () => retry('reads'),
    not_found: () => retry('account'),
    unknown: () => call('delete_cart'),
  },
  add_items: {
    ...accountAnswers,
    ok: () => ({ do: 'items_added', epoch: 'same', wait: 'reads' }),
    refused: () => call('delete_cart'),
    conflict: () => call('delete_cart'),
    not_found: () => retry('reads'),
    unknown: () => call('delete_cart'),
  },
  delete_cart: {
    ...accountAnswers,
    ok: afterDeletion,
    refused: () => hold('cart_not_deletable'),
    conflict: () => hold('cart_not_deletable'),
    not_found: afterDeletion,
    unknown: (s) => whilePatient(s, retry('no_answer')),
  },
  // Rule 7: a submission that may have acted is verified; one that certainly did not is repeated in a new epoch with the same cart.
  submit_order: {
    ok: () => ({ do: 'ordered', epoch: 'same', wait: 'none' }),
    refused: () => startVerifying,
    conflict: () => startVerifying,
    not_found: () => startVerifying,
    unknown: () => startVerifying,
    misdirected: (s) =>
      s.troubled ? { do: 'verify', wait: 'settle', counted: false, pause: true } : startVerifying,
    unsupported: () => retry('account', 'next'),
    denied: () => retry('account', 'next'),
    limited: () => retry('account', 'next'),
    not_sent: (s) => whilePatient(s, retry('unreachable', 'next')),
  },
};

const afterFailedLookup: Record<Exclude<CallKind, 'ok' | 'not_found'>, (s: AttemptFacts) => Step> = {
  ...accountAnswers,
  refused: () => hold('lookup_refused'),
  conflict: () => hold('lookup_refused'),
  unknown: (s) => whilePatient(s, retry('no_answer')),
};

/** The outcome that the ledger records for an answer. */
export const intentOutcomeOf = (step: ChangingStep, kind: CallKind): IntentOutcome => {
  switch (kind) {
    case 'ok':
      return 'done';
    case 'refused':
      return 'refused';
    case 'not_found':
      return step === 'delete_cart' ? 'done' : step === 'create_cart' ? 'not_acted' : 'contradicted';
    case 'conflict':
      // An item refused with a conflict may or may not be in the cart.
      return step === 'add_items' ? 'unknown' : 'contradicted';
    case 'denied':
    case 'limited':
    case 'unsupported':
    case 'not_sent':
      // It is then known exactly which lines are in the cart.
      return step === 'add_items' ? 'partial' : 'not_acted';
    case 'misdirected':
    case 'unknown':
      return 'unknown';
  }
};

/**
 * The next step of a PO. Pure, and the only place that applies the rules of placing; the code around it performs the step.
 *
 * @see docs/rules.md: rules 2 to 7 and 13, and docs/rules.md#how-each-answer-is-handled
 */
export const decide = (facts: AttemptFacts, observation: Observation): Step => {
  switch (observation.saw) {
    case 'nothing':
      return mayBeIncomplete(facts) ? hold('file_grew') : firstStep[facts.state](facts);
    case 'lookup': {
      const { orders, cart } = observation;
      return facts.quoteOnly && orders !== 'none'
        ? afterLookup[facts.state](quoteBesideOrder(facts), 'none', cart)
        : afterLookup[facts.state](facts, orders, cart);
    }
    case 'failed_lookup':
      return afterFailedLookup[observation.kind](facts);
    case 'answer':
      return afterAnswer[observation.to][observation.kind](facts);
  }
};

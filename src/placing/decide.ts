import type { CallResult } from '../dealer-api/answers.ts';
import type { CartComparison, OrdersComparison } from './compare.ts';
import type { ActiveState, ChangingStep, IntentOutcome } from './types.ts';

/** The facts about a PO and its attempt: all that the decision needs of the ledger. */
export interface AttemptFacts {
  state: ActiveState;
  /** This epoch's create intent; `unknown` when it has no outcome. */
  create: IntentOutcome | 'none';
  /** The cart was created under the present lease, without any wait since. */
  cartIsFresh: boolean;
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
  /** It is not known yet which orders existed under the PO number before our first submission (rule 2). */
  firstLookup: boolean;
  /** The first attempt of a PO of which nothing was sent yet: its orders can be looked up once, before submission (rule 2). */
  untouched: boolean;
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
  /** The present cart was created while such a call could still take effect: it counts only once its items were read. */
  cartBuiltEarly: boolean;
  /** A person says that the orders under the PO number are this PO's (rule 11). */
  ordersAdopted: boolean;
  poNumbersReused: boolean;
  submissionConsumesCart: boolean;
  /** Declared: creation is refused while a cart exists under the PO number. */
  createRefusesExistingCart: boolean;
  /** Declared: creation is refused for a PO number that has an order, and a submission consumes the cart. */
  cartProvesNoOrder: boolean;
}

export type CallKind = CallResult<unknown>['kind'];

export type Observation =
  /** The PO was just taken. */
  | { saw: 'nothing' }
  /** `orders`: those that are not in the record of rule 2; on the first lookup, all orders. */
  | { saw: 'lookup'; orders: OrdersComparison; cart: CartComparison; emptyCart?: boolean }
  /** The cart alone. `ours`: it has the number that creation answered. */
  | { saw: 'cart'; cart: CartComparison; ours: boolean }
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
  | { do: 'lookup'; at: 'cart' | 'orders_and_cart' | 'orders' | 'everywhere' }
  /** `baseline`: the record of rule 2, committed with the intent: the orders that were found, or that there are none. */
  | { do: 'call'; step: ChangingStep; baseline?: 'found' | 'none' }
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

/**
 * `reads`: until what was written can be read; `late_effects`: until nothing that was sent can still act (rule 3); `settle`:
 * rule 7; `spaced`: between the lookups of rule 7.
 */
export type Wait = 'none' | 'reads' | 'late_effects' | 'settle' | 'spaced';

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
/** Rule 2: a call after a lookup of the orders; the first one records them. */
const callAfterLookup = (s: AttemptFacts, step: ChangingStep): Step =>
  s.firstLookup ? { do: 'call', step, baseline: 'found' } : call(step);
const lookUp = (at: Extract<Step, { do: 'lookup' }>['at']): Step => ({ do: 'lookup', at });
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
const rebuildCart: Step = { do: 'ready', epoch: 'next', wait: 'reads', rebuilt: true };
/** Where the lookup has to show what an unclear call made. */
const rebuildLater: Step = { ...rebuildCart, wait: 'late_effects' };
/** A filled cart that an earlier call may have changed says nothing about how stable the service is. */
const rebuildUncounted: Step = { do: 'ready', epoch: 'next', wait: 'reads' };
const rebuild = (s: AttemptFacts): Step => {
  if (s.cartBuiltEarly && s.items === 'done') return rebuildUncounted;
  return s.rebuildsLeft > 0 ? rebuildCart : { do: 'hold', code: 'service_unstable', cartGone: true };
};

/** The facts say what the deletion was for, so that a crash in between changes nothing. */
const afterDeletion = (s: AttemptFacts): Step => {
  // A cart whose creation is unknown may still appear: one more lookup follows.
  if (s.cancelling) return s.create === 'unknown' ? rebuildLater : atTheEnd(s, { do: 'cancel' });
  // An order that was found under the number holds the PO at the lookup of the next attempt (rule 2).
  const mayFail = !s.firstLookup;
  if (mayFail && (s.items === 'refused' || s.items === 'contradicted')) return atTheEnd(s, { do: 'fail' });
  if (s.submit === 'refused') return { do: 'fail' };
  if (s.quoteOnly && s.items === 'done') return atTheEnd(s, { do: 'finish_quote' });
  return rebuild(s);
};

/** No cart of a PO that ends may appear afterwards: the deletion is repeated when none can any more. */
const atTheEnd = (s: AttemptFacts, end: Step): Step =>
  s.lateEffects && s.cartMayBeOurs ? retry('late_effects') : end;

/** The orders under the number are those of the baseline, or may become it (rule 2). */
const noNewOrder = (s: AttemptFacts, orders: OrdersComparison): boolean =>
  // Where numbers are re-used, an order from before is the baseline only if it shows what this PO does not ask for. Items
  // that are not shown prove nothing (rule 8): it may be this very PO's, forgotten by a restored ledger.
  orders === 'none' || (s.firstLookup && s.poNumbersReused && orders === 'more');

/** Rule 2: no lookup has shown whether a cart existed before the first create call. */
const createdUnseen = (s: AttemptFacts): boolean => s.createRefusesExistingCart && s.firstLookup;

/** Rule 6: created when no order existed, by a call of this lease: if it is untouched, nothing was ordered since. */
const cartIsEnough = (s: AttemptFacts): boolean =>
  s.cartProvesNoOrder &&
  s.cartIsFresh &&
  !s.cartBuiltEarly &&
  s.create === 'done' &&
  !s.firstLookup &&
  !s.mayHaveOrdered;

/** Lines may be missing from a PO whose file changed after it was picked up: before its submission it waits for a person. */
const mayBeIncomplete = (s: AttemptFacts): boolean =>
  s.fileGrew &&
  !s.cancelling &&
  !s.quoteOnly &&
  s.submit === 'none' &&
  (s.state === 'ready' || s.state === 'cart_created' || s.state === 'items_added');

/** A PO fails only when it is known that no order exists under its number: a restored ledger may have forgotten it. */
const afterRefusedLine = (s: AttemptFacts): Step =>
  s.firstLookup && s.deletion === 'none' ? lookUp('orders') : call('delete_cart');

/** What to do with a PO that was just taken. A deletion that was started is always completed. */
const firstStep: Record<ActiveState, (s: AttemptFacts) => Step> = {
  ready: (s) => {
    // No lookup before the deletion: the create call may still take effect.
    if (s.create === 'unknown' && s.deletion === 'none' && createdUnseen(s)) return rebuildLater;
    const begun = s.create === 'done' || s.create === 'unknown';
    if (begun || s.deletion === 'unknown') return call('delete_cart');
    const nothingOfOurs = !s.cartMayBeOurs && !s.mayHaveOrdered;
    if (s.cancelling && nothingOfOurs) return { do: 'cancel' };
    // A cart that is built at once may still be changed by an earlier call: it is read before it is submitted.
    if (s.lateEffects && (s.cancelling || createdUnseen(s))) return retry('late_effects');
    if (!s.untouched) return lookUp('orders_and_cart');
    return s.createRefusesExistingCart ? call('create_cart') : lookUp('cart');
  },
  cart_created: (s) => {
    if (s.cancelling || s.deletion === 'unknown') return call('delete_cart');
    if (s.items === 'unknown') return call('delete_cart');
    if (s.items === 'refused') return afterRefusedLine(s);
    if (s.items === 'contradicted') return lookUp('orders_and_cart');
    const provenNone = s.firstLookup && s.cartProvesNoOrder && s.create === 'done';
    return provenNone ? { do: 'call', step: 'add_items', baseline: 'none' } : call('add_items');
  },
  items_added: (s) => {
    if (s.submit !== 'none') return startVerifying;
    if (s.quoteOnly || s.deletion === 'unknown') return call('delete_cart');
    if (s.lateEffects) return retry('late_effects');
    return lookUp(cartIsEnough(s) ? 'cart' : 'orders_and_cart');
  },
  submitting: () => startVerifying,
  verifying: (s) => lookUp(s.lookups + 1 < lookupsNeeded ? 'orders' : 'everywhere'),
};

const beforeSubmission = (s: AttemptFacts, cart: CartComparison): Step => {
  if (s.cancelling || s.quoteOnly) return call('delete_cart');
  if (cart === 'absent' || cart === 'incomplete') return onceReadable(s, call('delete_cart'));
  if (cart === 'different' || (cart === 'unreadable' && s.cartBuiltEarly)) return call('delete_cart');
  if (s.fileGrew) return hold('file_grew');
  if (s.lateEffects) return retry('late_effects');
  return s.guard ? hold('guard') : callAfterLookup(s, 'submit_order');
};

const afterLookup: Record<
  ActiveState,
  (s: AttemptFacts, orders: OrdersComparison, cart: CartComparison, emptyCart: boolean) => Step
> = {
  // Rule 2: before a later epoch's first change, or when a creation was refused.
  ready: (s, orders, cart, emptyCart) => {
    if (!noNewOrder(s, orders)) {
      const mayBeOurs = s.mayHaveOrdered || (s.create === 'contradicted' && !s.firstLookup);
      return mayBeOurs ? startVerifying : hold('already_ordered');
    }
    if (cart !== 'absent' && s.cartMayBeOurs) {
      // What our unclear creation left is empty; lines are somebody else's.
      const explained = emptyCart || !createdUnseen(s);
      return explained ? callAfterLookup(s, 'delete_cart') : hold('foreign_cart');
    }
    if (s.cancelling) return { do: 'cancel' };
    if (cart !== 'absent') return hold('foreign_cart');
    if (s.create === 'refused') return atTheEnd(s, { do: 'fail' });
    if (s.create !== 'contradicted') return callAfterLookup(s, 'create_cart');
    return onceReadable(s, s.cartMayBeOurs ? call('delete_cart') : hold('po_refused'));
  },
  // The service refused a line, or answered that there is no such cart: that is true, or it means the item.
  cart_created: (s, orders, cart) => {
    if (!noNewOrder(s, orders)) return s.firstLookup ? call('delete_cart') : startVerifying;
    if (s.items === 'refused') return callAfterLookup(s, 'delete_cart');
    return cart === 'absent' ? onceReadable(s, rebuild(s)) : callAfterLookup(s, 'delete_cart');
  },
  // Rule 6: before every submission.
  items_added: (s, orders, cart) => {
    if (noNewOrder(s, orders)) return beforeSubmission(s, cart);
    if (!s.firstLookup) return startVerifying;
    // Somebody has submitted our cart, or a restored ledger has forgotten that we did.
    if (orders === 'equal' && cart === 'absent') return onceReadable(s, startVerifying);
    // Otherwise no order is ours: the cart is deleted, and the next attempt holds the PO.
    return call('delete_cart');
  },
  submitting: () => startVerifying,
  // Rule 7.
  verifying: (s, orders, cart) => {
    if (orders === 'equal' || (orders !== 'none' && s.ordersAdopted)) {
      return { do: 'ordered', epoch: 'same', wait: 'none' };
    }
    if (orders === 'more') return { do: 'hold', code: 'duplicate_suspected', alarm: true };
    if (s.lookups + 1 < lookupsNeeded) return { do: 'verify', wait: 'spaced', counted: true };
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

/** Rules 2 and 6: whatever the cart alone does not prove is looked up. */
const afterCart = (s: AttemptFacts, cart: CartComparison, ours: boolean): Step => {
  if (s.state === 'ready' && s.untouched && cart === 'absent') return call('create_cart');
  const provesNoOrder = s.state === 'items_added' && cartIsEnough(s) && cart === 'equal' && ours;
  return provesNoOrder ? beforeSubmission(s, cart) : lookUp('orders_and_cart');
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
    // Somebody may have ordered under the number since the last lookup, and a service may refuse it for that.
    refused: () => retry('reads'),
    conflict: () => retry('reads'),
    not_found: () => retry('account'),
    unknown: (s) => (createdUnseen(s) ? rebuildLater : call('delete_cart')),
  },
  add_items: {
    ...accountAnswers,
    ok: () => ({ do: 'items_added', epoch: 'same', wait: 'reads' }),
    refused: afterRefusedLine,
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
      const { orders, cart, emptyCart = false } = observation;
      return facts.quoteOnly && orders !== 'none'
        ? afterLookup[facts.state](quoteBesideOrder(facts), 'none', cart, emptyCart)
        : afterLookup[facts.state](facts, orders, cart, emptyCart);
    }
    case 'cart':
      return afterCart(facts, observation.cart, observation.ours);
    case 'failed_lookup':
      return afterFailedLookup[observation.kind](facts);
    case 'answer':
      return afterAnswer[observation.to][observation.kind](facts);
  }
};

import type { CartSight, NewOrders } from './observe.ts';
import type { ActiveState, ChangingStep, IntentOutcome } from './types.ts';

/** Where a PO stands in its attempt: all that the decision needs of the ledger. */
export interface Standing {
  state: ActiveState;
  /** This epoch's create intent; `unknown` when it has no outcome. */
  create: IntentOutcome | 'none';
  /** The last add-items intent of the cart that now stands. */
  items: IntentOutcome | 'none';
  /** This epoch's submit intent. */
  submit: IntentOutcome | 'none';
  /** This epoch's last delete intent. */
  deletion: IntentOutcome | 'none';
  /** A create intent may have made a cart that was not deleted since: one that stands there is explained. */
  cartMayBeOurs: boolean;
  /** A submit intent of any epoch may have made an order. */
  mayHaveOrdered: boolean;
  /** Nobody has looked yet what stands under the PO number (rule 2). */
  firstLook: boolean;
  /** Lookups made in this state that did not decide anything yet, not counting the one under way. */
  looks: number;
  rebuildsLeft: number;
  /** Submissions of unknown outcome that may still be tried again. */
  submissionsLeft: number;
  /** The last call for this PO failed, or the account's pauses have been in a row until now. */
  troubled: boolean;
  /** The service has been out of reach for longer than the account allows. */
  outOfPatience: boolean;
  cancelling: boolean;
  quoteOnly: boolean;
  /** Its purchase file changed after it was picked up, and nobody has compared the PO with it. */
  fileGrew: boolean;
  /** A guard of rule 5 holds the PO. */
  guard: boolean;
  /** A call with an unclear outcome, for any purchase order of this PO number, may still take effect (rule 3). */
  lateEffects: boolean;
  /** A person says that whatever stands ordered is this PO's (rule 11). */
  ordersAdopted: boolean;
  poNumbersReused: boolean;
  submissionConsumesCart: boolean;
}

export type CallKind =
  | 'ok'
  | 'not_found'
  | 'refused'
  | 'conflict'
  | 'denied'
  | 'limited'
  | 'unsupported'
  | 'misdirected'
  | 'not_sent'
  | 'unknown';

export type Observation =
  /** Just taken; nothing was asked yet. */
  | { saw: 'nothing' }
  /** `orders`: those that are not in the record of rule 2; on the first look, those that stand there at all. */
  | { saw: 'standing'; orders: NewOrders; cart: CartSight }
  | { saw: 'failed_look'; kind: Exclude<CallKind, 'ok' | 'not_found'> }
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
  | { do: 'look'; at: 'orders_and_cart' | 'orders' | 'everywhere' }
  | { do: 'call'; step: ChangingStep }
  | {
      do: 'ready' | 'cart_created' | 'items_added' | 'ordered';
      epoch: 'same' | 'next';
      wait: Wait;
      rebuilt?: true;
    }
  /** `counted`: this look counts towards the three of rule 7. */
  | { do: 'verify'; wait: Wait; counted: boolean; pause?: true }
  | { do: 'hold'; code: HoldCode; alarm?: true; cartGone?: true }
  | { do: 'fail' }
  | { do: 'cancel' }
  | { do: 'finish_quote' }
  /** The same state again, after a while that follows from the reason. */
  | { do: 'again'; because: Hindrance; epoch: 'same' | 'next' };

/** `reads`: until what was written can be read; `late_effects`: until nothing that was sent can still act (rule 3); `settle`: rule 7. */
export type Wait = 'none' | 'reads' | 'late_effects' | 'settle';

/**
 * `account`: its credential, address or rate, so it pauses (rule 13); `odd_answer`: a lone redirect or web page, which
 * costs the PO a retry and the account nothing; `unreachable`: the call did not get
 * there, it pauses too and patience runs; `no_answer`: patience runs; `reads`: an answer that has to be
 * looked into, once what was written can be read; `lag`: what we made cannot be read yet, so it is read again
 * after a growing wait; `late_effects`: something that was sent may still act.
 */
export type Hindrance =
  | 'account'
  | 'odd_answer'
  | 'unreachable'
  | 'no_answer'
  | 'reads'
  | 'lag'
  | 'late_effects';

const call = (step: ChangingStep): Step => ({ do: 'call', step });
const hold = (code: HoldCode): Step => ({ do: 'hold', code });
const again = (because: Hindrance, epoch: 'same' | 'next' = 'same'): Step => ({
  do: 'again',
  because,
  epoch,
});
const startVerifying: Step = { do: 'verify', wait: 'settle', counted: false };

/** Looks that an unknown submission needs before its absence is believed (rule 7). */
const looksNeeded = 3;

/** Repeated lookups before something that we made counts as gone rather than as not readable yet: 31 s in all. */
const lagLooks = 5;

/** Rule 3: what we made and cannot read may only lag behind. That is waited for and costs no rebuild. */
const onceReadable = (s: Standing, step: Step): Step => (s.looks < lagLooks ? again('lag') : step);

const whilePatient = (s: Standing, step: Step): Step =>
  s.outOfPatience ? hold('service_unreachable') : step;

/** Rule 3: a cart is never patched. It is deleted, and built again under a new epoch. */
const anew: Step = { do: 'ready', epoch: 'next', wait: 'late_effects', rebuilt: true };
const rebuild = (s: Standing): Step =>
  s.rebuildsLeft > 0 ? anew : { do: 'hold', code: 'service_unstable', cartGone: true };

/** What the deletion was for follows from where the PO stands; so a crash in between changes nothing. */
const afterDeletion = (s: Standing): Step => {
  // A cart whose creation is unknown may still come: it is looked for once more.
  if (s.cancelling) return s.create === 'unknown' ? anew : { do: 'cancel' };
  if (s.items === 'refused' || s.items === 'contradicted' || s.submit === 'refused') return { do: 'fail' };
  if (s.quoteOnly && s.items === 'done') return { do: 'finish_quote' };
  return rebuild(s);
};

/** Lines may be missing from a PO whose file changed after it was picked up: what is not submitted waits for a person. */
const mayBeIncomplete = (s: Standing): boolean =>
  s.fileGrew &&
  !s.cancelling &&
  !s.quoteOnly &&
  s.submit === 'none' &&
  (s.state === 'ready' || s.state === 'cart_created' || s.state === 'items_added');

/** What to do with a PO that was just taken. A deletion that was begun is always brought to its end. */
const firstStep: Record<ActiveState, (s: Standing) => Step> = {
  ready: (s) => {
    // What a create of this epoch did is never looked at first: its effect may still come.
    const begun = s.create !== 'none' && s.create !== 'contradicted';
    if (begun || s.deletion === 'unknown') return call('delete_cart');
    const nothingOfOurs = !s.cartMayBeOurs && !s.mayHaveOrdered;
    if (s.cancelling && nothingOfOurs) return { do: 'cancel' };
    return s.lateEffects ? again('late_effects') : { do: 'look', at: 'orders_and_cart' };
  },
  cart_created: (s) => {
    if (s.cancelling || s.deletion === 'unknown') return call('delete_cart');
    if (s.items === 'unknown' || s.items === 'refused') return call('delete_cart');
    return s.items === 'contradicted' ? { do: 'look', at: 'orders_and_cart' } : call('add_items');
  },
  items_added: (s) => {
    if (s.submit !== 'none') return startVerifying;
    if (s.quoteOnly || s.deletion === 'unknown') return call('delete_cart');
    return { do: 'look', at: 'orders_and_cart' };
  },
  submitting: () => startVerifying,
  verifying: (s) => ({ do: 'look', at: s.looks + 1 < looksNeeded ? 'orders' : 'everywhere' }),
};

const afterLook: Record<ActiveState, (s: Standing, orders: NewOrders, cart: CartSight) => Step> = {
  // Rule 2: before an epoch's first change.
  ready: (s, orders, cart) => {
    if (orders !== 'none') {
      if (s.mayHaveOrdered || s.create === 'contradicted') return startVerifying;
      // Where numbers are re-used, an order from before is the baseline only if it shows what this PO does not ask
      // for. Items that are not shown prove nothing (rule 8): it may be this very PO's, forgotten by a restored ledger.
      if (!(s.firstLook && s.poNumbersReused && orders === 'more')) return hold('already_ordered');
    }
    if (cart !== 'absent' && s.cartMayBeOurs) return call('delete_cart');
    if (s.cancelling) return { do: 'cancel' };
    if (cart !== 'absent') return hold('foreign_cart');
    if (s.create !== 'contradicted') return call('create_cart');
    return onceReadable(s, s.cartMayBeOurs ? call('delete_cart') : hold('po_refused'));
  },
  // The service said that there is no such cart: either so, or it means the item.
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
    if (s.looks + 1 < looksNeeded) return { do: 'verify', wait: 'settle', counted: true };
    if (orders !== 'none') return hold('cannot_verify');
    // What a person calls ordered is never sent again by that.
    if (s.submit === 'none' || s.ordersAdopted) {
      return hold(s.mayHaveOrdered ? 'submission_unknown' : 'cannot_verify');
    }
    if (s.submit === 'refused') return cart === 'absent' ? { do: 'fail' } : call('delete_cart');
    if (s.submit === 'contradicted') return cart === 'absent' ? rebuild(s) : hold('po_refused');
    const standsAsBuilt = cart === 'equal' || cart === 'unreadable';
    if (!standsAsBuilt || !s.submissionConsumesCart) return hold('submission_unknown');
    return s.submissionsLeft > 0
      ? { do: 'items_added', epoch: 'next', wait: 'none' }
      : hold('service_unstable');
  },
};

/**
 * A quote never submits, so an order under its number is never its own. It ignores the order where numbers are re-used,
 * and otherwise deletes its cart and ends, so that the order's cart is left alone.
 */
const quoteBesideOrder = (s: Standing): Standing => (s.poNumbersReused ? s : { ...s, cancelling: true });

type AnswerTable = Record<CallKind, (s: Standing) => Step>;

/** Rule 13: the way to the service answered, or the account's door; not the service about this PO. */
const atTheDoor = {
  misdirected: (s: Standing) => again(s.troubled ? 'account' : 'odd_answer'),
  unsupported: () => again('account'),
  denied: () => again('account'),
  limited: () => again('account'),
  not_sent: (s: Standing) => whilePatient(s, again('unreachable')),
};

const afterAnswer: Record<ChangingStep, AnswerTable> = {
  create_cart: {
    ...atTheDoor,
    ok: () => ({ do: 'cart_created', epoch: 'same', wait: 'none' }),
    refused: () => ({ do: 'fail' }),
    conflict: () => again('reads'),
    not_found: () => again('account'),
    unknown: () => call('delete_cart'),
  },
  add_items: {
    ...atTheDoor,
    ok: () => ({ do: 'items_added', epoch: 'same', wait: 'reads' }),
    refused: () => call('delete_cart'),
    conflict: () => call('delete_cart'),
    not_found: () => again('reads'),
    unknown: () => call('delete_cart'),
  },
  delete_cart: {
    ...atTheDoor,
    ok: afterDeletion,
    refused: () => hold('cart_not_deletable'),
    conflict: () => hold('cart_not_deletable'),
    not_found: afterDeletion,
    unknown: (s) => whilePatient(s, again('no_answer')),
  },
  // Rule 7: whatever may have acted is verified; what certainly did not begins a new epoch with the same cart.
  submit_order: {
    ok: () => ({ do: 'ordered', epoch: 'same', wait: 'none' }),
    refused: () => startVerifying,
    conflict: () => startVerifying,
    not_found: () => startVerifying,
    unknown: () => startVerifying,
    misdirected: (s) =>
      s.troubled ? { do: 'verify', wait: 'settle', counted: false, pause: true } : startVerifying,
    unsupported: () => again('account', 'next'),
    denied: () => again('account', 'next'),
    limited: () => again('account', 'next'),
    not_sent: (s) => whilePatient(s, again('unreachable', 'next')),
  },
};

const afterFailedLook: Record<Exclude<CallKind, 'ok' | 'not_found'>, (s: Standing) => Step> = {
  ...atTheDoor,
  refused: () => hold('lookup_refused'),
  conflict: () => hold('lookup_refused'),
  unknown: (s) => whilePatient(s, again('no_answer')),
};

/** What an answer says about the step's effect, for the ledger. */
export const outcomeOf = (step: ChangingStep, kind: CallKind): IntentOutcome => {
  switch (kind) {
    case 'ok':
      return 'done';
    case 'refused':
      return 'refused';
    case 'not_found':
      return step === 'delete_cart' ? 'done' : step === 'create_cart' ? 'not_acted' : 'contradicted';
    case 'conflict':
      // An item refused with a conflict may or may not stand in the cart.
      return step === 'add_items' ? 'unknown' : 'contradicted';
    case 'denied':
    case 'limited':
    case 'unsupported':
    case 'not_sent':
      // Of a cart's lines it is then known exactly which are in.
      return step === 'add_items' ? 'partial' : 'not_acted';
    case 'misdirected':
    case 'unknown':
      return 'unknown';
  }
};

/**
 * What to do next with a PO: pure, and the whole of the rules. The code around it only does what it says,
 * writing an intent before each call and its outcome after it.
 *
 * @see the design's "A purchase order's life": rules 2 to 7 and 13, and the table of faults
 */
export const decide = (standing: Standing, observation: Observation): Step => {
  switch (observation.saw) {
    case 'nothing':
      return mayBeIncomplete(standing) ? hold('file_grew') : firstStep[standing.state](standing);
    case 'standing': {
      const { orders, cart } = observation;
      return standing.quoteOnly && orders !== 'none'
        ? afterLook[standing.state](quoteBesideOrder(standing), 'none', cart)
        : afterLook[standing.state](standing, orders, cart);
    }
    case 'failed_look':
      return afterFailedLook[observation.kind](standing);
    case 'answer':
      return afterAnswer[observation.to][observation.kind](standing);
  }
};

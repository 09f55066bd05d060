import { afterAnswer, afterFailedLookup } from './after-answer.ts';
import type { CartComparison, OrdersComparison } from './compare.ts';
import type { AttemptFacts, Observation, Step } from './decision.ts';
import {
  afterRefusedLine,
  call,
  callAfterLookup,
  createdUnseen,
  failRefused,
  hold,
  lookUp,
  lookupsNeeded,
  onceReadable,
  rebuild,
  rebuildLater,
  retry,
  startVerifying,
} from './steps.ts';
import type { ActiveState } from './types.ts';

/** The orders under the number are those of the baseline, or may become it (rule 2). */
const noNewOrder = (s: AttemptFacts, orders: OrdersComparison): boolean =>
  // Where numbers are reused, an earlier order is the baseline only if it shows something that this PO does not ask for. Items
  // that are not shown prove nothing (rule 8): a restored ledger may have forgotten that the order is this PO's.
  orders === 'none' || (s.firstLookup && s.poNumbersReused && orders === 'more');

/** Rule 6: the cart was created when no order existed, by a call of this lease; if it is untouched, nothing was ordered since. */
const cartIsEnough = (s: AttemptFacts): boolean =>
  s.cartProvesNoOrder &&
  s.cartIsFresh &&
  !s.begunEarly &&
  s.create === 'done' &&
  !s.firstLookup &&
  !s.mayHaveOrdered;

/**
 * Why a PO waits for a person before its submission: a person wants that, or lines may be missing because its file changed
 * after it was picked up. Undefined: it does not wait. A cancellation comes first.
 */
const waitsForPerson = (s: AttemptFacts): 'on_hold' | 'file_grew' | undefined => {
  const isSubmitted = s.submit !== 'none' || s.state === 'submitting' || s.state === 'verifying';
  if (s.cancelling || isSubmitted) return undefined;
  if (s.holding) return 'on_hold';
  return s.fileGrew && !s.quoteOnly ? 'file_grew' : undefined;
};

/** What to do with a PO that was just taken. A deletion that was started is always completed. */
const firstStep: Record<ActiveState, (s: AttemptFacts) => Step> = {
  ready: (s) => {
    // No lookup before the deletion: the create call may still take effect.
    if (s.create === 'unknown' && s.deletion === 'none' && createdUnseen(s)) return rebuildLater;
    const begun = s.create === 'done' || s.create === 'unknown';
    if (begun || s.deletion === 'unknown') return call('delete_cart');
    const nothingOfOurs = !s.cartMayBeOurs && !s.mayHaveOrdered;
    if (s.cancelling && nothingOfOurs) return { do: 'cancel' };
    // An earlier call may still change a cart that is built now, so the cart is read before it is submitted. But where no lookup
    // came first, a cart that an earlier call makes looks the same as somebody else's.
    if ((s.lateEffects && s.cancelling) || (s.lateCreation && createdUnseen(s))) return retry('late_effects');
    if (!s.ordersCanWait) return lookUp('orders_and_cart');
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
    if (s.quoteOnly || s.cancelling || s.deletion === 'unknown') return call('delete_cart');
    if (s.lateEffects) return retry('late_effects');
    return lookUp(cartIsEnough(s) ? 'cart' : 'orders_and_cart');
  },
  submitting: () => startVerifying,
  verifying: (s) => lookUp(s.lookups + 1 < lookupsNeeded ? 'orders' : 'everywhere'),
};

const beforeSubmission = (s: AttemptFacts, cart: CartComparison): Step => {
  if (s.cancelling || s.quoteOnly) return call('delete_cart');
  if (cart === 'absent' || cart === 'incomplete') return onceReadable(s, call('delete_cart'));
  if (cart === 'different' || (cart === 'unreadable' && s.begunEarly)) return call('delete_cart');
  if (s.holding) return hold('on_hold');
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
      // Our unclear creation can only have left an empty cart; a cart with lines is somebody else's.
      const explained = emptyCart || !createdUnseen(s);
      return explained ? callAfterLookup(s, 'delete_cart') : hold('foreign_cart');
    }
    if (s.cancelling) return { do: 'cancel' };
    if (cart !== 'absent') return hold('foreign_cart');
    if (s.create === 'refused') return failRefused(s);
    if (s.create !== 'contradicted') return callAfterLookup(s, 'create_cart');
    return onceReadable(s, s.cartMayBeOurs ? call('delete_cart') : hold('po_refused'));
  },
  // The service refused a line, or answered that it does not exist, which may mean the cart or the item.
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
  // Rule 7: an order that already exists needs no settle time; anything else is judged after it.
  submitting: (_, orders) =>
    orders === 'equal' ? { do: 'ordered', epoch: 'same', wait: 'none' } : startVerifying,
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

/** Rules 2 and 6: looks up the orders unless the cart alone proves enough. */
const afterCart = (s: AttemptFacts, cart: CartComparison, ours: boolean): Step => {
  if (s.state === 'ready' && s.ordersCanWait && cart === 'absent') return call('create_cart');
  const provesNoOrder = s.state === 'items_added' && cartIsEnough(s) && cart === 'equal' && ours;
  return provesNoOrder ? beforeSubmission(s, cart) : lookUp('orders_and_cart');
};

/**
 * A quote never submits, so an order under its number is never its own. It ignores the order where PO numbers are reused;
 * otherwise it deletes its cart and ends, because the order needs the cart.
 */
const quoteBesideOrder = (s: AttemptFacts): AttemptFacts =>
  s.poNumbersReused ? s : { ...s, cancelling: true };

/**
 * The next step of a PO. Pure, and the only place that applies the rules of placing; the code around it performs the step.
 *
 * @see docs/rules.md: rules 2 to 7 and 13, and docs/rules.md#how-each-answer-is-handled
 */
export const decide = (facts: AttemptFacts, observation: Observation): Step => {
  switch (observation.saw) {
    case 'nothing': {
      const waitsFor = waitsForPerson(facts);
      return waitsFor === undefined ? firstStep[facts.state](facts) : hold(waitsFor);
    }
    case 'lookup': {
      const { orders, cart, emptyCart = false } = observation;
      return facts.quoteOnly && orders !== 'none'
        ? afterLookup[facts.state](quoteBesideOrder(facts), 'none', cart, emptyCart)
        : afterLookup[facts.state](facts, orders, cart, emptyCart);
    }
    case 'cart':
      return afterCart(facts, observation.cart, observation.ours);
    case 'failed_lookup':
      // A submission that may have acted is verified, even if the lookup after it failed.
      return facts.state === 'submitting' ? startVerifying : afterFailedLookup[observation.kind](facts);
    case 'answer':
      return afterAnswer[observation.to][observation.kind](facts);
  }
};

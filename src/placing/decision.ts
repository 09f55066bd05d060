import type { CallResult } from '../dealer-api/answers.ts';
import type { CartComparison, OrdersComparison } from './compare.ts';
import type { ActiveState, ChangingStep, IntentOutcome } from './types.ts';

/** The facts about a PO and its attempt: all that `decide` needs from the ledger. */
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
  /** Nothing was submitted yet, and no person has decided: the orders can be looked up once, before submission (rule 2). */
  ordersCanWait: boolean;
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
  /** A person wants it held, and nothing was submitted in this attempt. */
  holding: boolean;
  quoteOnly: boolean;
  /** Its purchase file changed after it was picked up, and no person has compared the PO with it. */
  fileGrew: boolean;
  /** A guard of rule 5 holds the PO. */
  guard: boolean;
  /** A call with an unclear outcome, for any purchase order of this PO number, may still take effect (rule 3). */
  lateEffects: boolean;
  /** Such a call may be a creation. A call for one of this PO's own carts, which is deleted, cannot make another one. */
  lateCreation: boolean;
  /**
   * This attempt's creation began while such a call could still take effect: a cart counts only once its items were read,
   * and a refusal may be that call's doing.
   */
  begunEarly: boolean;
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
  | 'on_hold'
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
 * the service; the account pauses, too, and the time after which it is held runs. `no_answer`: that time runs.
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

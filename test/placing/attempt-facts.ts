import type { AttemptFacts } from '../../src/placing/decision.ts';

/** A PO of an ordinary account about which nothing is known yet. */
const fresh: AttemptFacts = {
  state: 'ready',
  create: 'none',
  cartIsFresh: false,
  items: 'none',
  submit: 'none',
  deletion: 'none',
  cartMayBeOurs: false,
  mayHaveOrdered: false,
  firstLookup: true,
  ordersCanWait: false,
  lookups: 0,
  rebuildsLeft: 5,
  submissionsLeft: 5,
  troubled: false,
  outOfPatience: false,
  cancelling: false,
  holding: false,
  quoteOnly: false,
  fileGrew: false,
  guard: false,
  lateEffects: false,
  lateCreation: false,
  begunEarly: false,
  ordersAdopted: false,
  poNumbersReused: false,
  submissionConsumesCart: true,
  createRefusesExistingCart: false,
  cartProvesNoOrder: false,
};

export const ready = (over: Partial<AttemptFacts> = {}): AttemptFacts => ({ ...fresh, ...over });

/** An epoch later: an earlier create of ours may have made a cart. */
export const readyAgain = (over: Partial<AttemptFacts> = {}): AttemptFacts =>
  ready({ cartMayBeOurs: true, firstLookup: false, rebuildsLeft: 4, ...over });

export const cartCreated = (over: Partial<AttemptFacts> = {}): AttemptFacts =>
  ready({ state: 'cart_created', create: 'done', cartMayBeOurs: true, firstLookup: false, ...over });

export const itemsAdded = (over: Partial<AttemptFacts> = {}): AttemptFacts =>
  cartCreated({ state: 'items_added', items: 'done', ...over });

export const submitting = (over: Partial<AttemptFacts> = {}): AttemptFacts =>
  itemsAdded({ state: 'submitting', submit: 'unknown', mayHaveOrdered: true, ...over });

export const verifying = (over: Partial<AttemptFacts> = {}): AttemptFacts =>
  submitting({ state: 'verifying', ...over });

/** The deciding lookup, after two earlier ones. */
export const lastLookup = (over: Partial<AttemptFacts> = {}): AttemptFacts =>
  verifying({ lookups: 2, ...over });

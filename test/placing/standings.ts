import type { Standing } from '../../src/placing/decide.ts';

/** A PO of an ordinary account about which nothing is known yet. */
const fresh: Standing = {
  state: 'ready',
  create: 'none',
  items: 'none',
  submit: 'none',
  deletion: 'none',
  cartMayBeOurs: false,
  mayHaveOrdered: false,
  firstLook: true,
  looks: 0,
  rebuildsLeft: 5,
  submissionsLeft: 5,
  troubled: false,
  outOfPatience: false,
  cancelling: false,
  quoteOnly: false,
  fileGrew: false,
  guard: false,
  lateEffects: false,
  ordersAdopted: false,
  poNumbersReused: false,
  submissionConsumesCart: true,
};

export const ready = (over: Partial<Standing> = {}): Standing => ({ ...fresh, ...over });

/** An epoch later: an earlier create of ours may have made a cart. */
export const readyAgain = (over: Partial<Standing> = {}): Standing =>
  ready({ cartMayBeOurs: true, firstLook: false, rebuildsLeft: 4, ...over });

export const cartCreated = (over: Partial<Standing> = {}): Standing =>
  ready({ state: 'cart_created', create: 'done', cartMayBeOurs: true, firstLook: false, ...over });

export const itemsAdded = (over: Partial<Standing> = {}): Standing =>
  cartCreated({ state: 'items_added', items: 'done', ...over });

export const submitting = (over: Partial<Standing> = {}): Standing =>
  itemsAdded({ state: 'submitting', submit: 'unknown', mayHaveOrdered: true, ...over });

export const verifying = (over: Partial<Standing> = {}): Standing =>
  submitting({ state: 'verifying', ...over });

/** The look that decides: two were made before it. */
export const lastLook = (over: Partial<Standing> = {}): Standing => verifying({ looks: 2, ...over });

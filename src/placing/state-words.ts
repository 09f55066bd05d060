import type { PurchaseOrderState } from './types.ts';

/** A state as used in a sentence: `it is being placed, not held`, `POs that are held`. */
export const stateWords: Record<PurchaseOrderState, string> = {
  ready: 'waiting to be placed',
  cart_created: 'being placed',
  items_added: 'being placed',
  submitting: 'being submitted',
  verifying: 'being verified',
  held: 'held',
  ordered: 'ordered',
  closed: 'closed',
  failed: 'failed',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

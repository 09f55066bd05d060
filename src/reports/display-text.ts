import type { PurchaseOrderState } from '../placing/types.ts';

/** A PO's state for people. */
export const displayState = (state: PurchaseOrderState): string => (state === 'closed' ? 'complete' : state);

/** A moment in the format of result files. */
export const displayMoment = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

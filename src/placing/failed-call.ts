import type { FailedCall } from '../dealer-api/answers.ts';
import type { PlacingCall } from './types.ts';

/** An answer that was not a success, and to what. */
export type FailedPlacingCall = FailedCall & { call: PlacingCall };

/** The beginning of a sentence about a call. */
const callWords: Record<PlacingCall, string> = {
  order: 'Looking up its order',
  date_range: 'Listing the orders of the last days',
  cart: 'Looking up its cart',
  create_cart: 'Creating its cart',
  add_items: 'Adding its lines',
  delete_cart: 'Deleting its cart',
  submit_order: 'Submitting it',
};

/** `Looking up its order was answered 500`, `Creating its cart failed: the connection was reset`. Pure. */
export const describeFailure = ({ call, message }: Pick<FailedPlacingCall, 'call' | 'message'>): string =>
  `${callWords[call]} ${message.startsWith('answered ') ? 'was' : 'failed:'} ${message}`;

import type { FailedCall } from '../dealer-api/answers.ts';
import type { Intent, PlacingCall, TakenPurchaseOrder } from './types.ts';

/** An answer that was not a success, and the call that got it. */
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
export const describeFailure = (failed: Pick<FailedPlacingCall, 'call' | 'message'> | undefined): string => {
  if (!failed) return 'A call had no clear answer';
  const { call, message } = failed;
  return `${callWords[call]} ${message.startsWith('answered ') ? 'was' : 'failed:'} ${message}`;
};

/** The last call of a PO that had no clear outcome. */
export const lastUnclear = ({ intents }: Pick<TakenPurchaseOrder, 'intents'>) => intents.findLast(isUnclear);

/** Without an outcome it is the call that has just ended, which does not count here. */
const isUnclear = ({ outcome }: Intent): boolean => outcome === 'unknown' || outcome === 'contradicted';

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** The text of `service_unstable` for one PO: which calls had no clear outcome, and whether its cart was rebuilt. Pure. */
export const describeUnstable = ({
  intents,
  rebuilds,
}: Pick<TakenPurchaseOrder, 'intents' | 'rebuilds'>): string => {
  const calls = intents.filter(isUnclear).map(({ step }) => step);
  const why = calls.length === 0 ? ', because it differed from what was added' : '';
  return [
    ...[...new Set(calls)].map(
      (call) =>
        `${callWords[call]} had no clear outcome ${times(calls.filter((one) => one === call).length)}.`,
    ),
    ...(rebuilds > 0 ? [`Its cart was rebuilt ${times(rebuilds)}${why}.`] : []),
  ].join(' ');
};

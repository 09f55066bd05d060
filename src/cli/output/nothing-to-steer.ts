import type { SteerAction, SteerablePurchaseOrder } from '../../placing/steer.ts';
import { showText } from './show-text.ts';

const isFor: Record<SteerAction, string> = {
  release: 'a held PO can be released',
  adopt: 'a held PO can adopt an order',
  submit_again: 'a held PO can be submitted again',
  cancel: 'a PO that was not submitted can be cancelled',
  retry: 'a failed PO can be retried',
};

/**
 * Why an action does not apply to a PO that a person named, and what to do instead. Pure.
 * @param cancelledAgain the account's setting; undefined for an account that is not configured
 */
export const whyNotSteerable = (
  action: SteerAction,
  po: Pick<SteerablePurchaseOrder, 'poNumber' | 'state' | 'quoteOnly'>,
  cancelledAgain: 'hold' | 'order' | undefined,
): string => {
  const name = `PO ${showText(po.poNumber)}`;
  if (po.quoteOnly)
    return `${name} is a quote that is ${po.state}. To ask again, import it with --quote once more.`;
  const why = `${name} is ${po.state}; only ${isFor[action]}.`;
  if (po.state !== 'cancelled' || action === 'cancel') return why;
  return cancelledAgain === 'order'
    ? `${why} To order it after all, import its file again.`
    : `${why} To order it after all, import its file again: the PO is then held as was_cancelled, and \`cartwright release ${showText(po.poNumber)}\` orders it.`;
};

import { ordersToCompare } from '../placing/steer.ts';
import type { PurchaseOrderState } from '../placing/types.ts';

const decide = 'A person has to decide: release it, or cancel it.';
const look = 'Check with the service first; then adopt the order, or cancel this PO.';
const blockedQuote =
  'It cannot be quoted while the service has an order under its number. Cancel this quote.';

/** By the reason of a hold; those that are not named here are released or cancelled. */
const held: Record<string, string> = {
  conflicting_po: 'Send this order again under a PO number of its own, and cancel this one.',
  already_ordered: look,
  duplicate_suspected: look,
  cannot_verify: look,
  submission_unknown:
    'Wait: Cartwright keeps checking. Use submit-again only after the service confirms that no order exists.',
  foreign_cart: 'Have the cart removed at the service, then release this PO.',
  file_grew:
    'Compare it with the whole file in failed/. Release it if it is complete; otherwise cancel it, then put the file into inbox again.',
  was_cancelled: 'Release it to order it now, or cancel it again.',
  restored_file: 'Release it: the service is checked before anything is sent. Or cancel it.',
  service_unreachable: 'Release it when the service is back.',
};

/** What a person can do about a PO, in a sentence; blank where nothing is to be done. Pure. */
export const whatToDo = (po: {
  state: PurchaseOrderState;
  reasonCode: string | undefined;
  quoteOnly?: boolean | undefined;
  alarm?: string | undefined;
}): string => {
  if (po.alarm !== undefined) return 'Compare the order with the file and with the service.';
  switch (po.state) {
    case 'rejected':
      if (po.reasonCode === 'corrected') return '';
      return 'Correct the rows of this PO and send this file again: only what is not yet ordered is placed.';
    case 'held':
      if (po.quoteOnly && ordersToCompare.includes(po.reasonCode ?? '')) return blockedQuote;
      return held[po.reasonCode ?? ''] ?? decide;
    case 'failed':
      return 'Correct it and send this file again, or retry it.';
    case 'cancelled':
      return po.reasonCode === 'quoted' ? 'Only prices were asked for; send it as an order to buy.' : '';
    case 'ordered':
    case 'closed':
      return '';
    default:
      return 'Nothing; it is being placed.';
  }
};

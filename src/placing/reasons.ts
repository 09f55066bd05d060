import type { HoldCode } from './decide.ts';
import type { Lookup } from './look.ts';
import { ordersToCompare } from './steer.ts';

const lagAdvice =
  'If the service shows what was written only after a while, set readLag of the account to that time.';

/** What a person reads when a PO is held, and what they can do. */
export const holdTexts: Record<Exclude<HoldCode, 'guard'>, string> = {
  already_ordered:
    'An order already stands under this PO number at the service, and it is not ours. Adopt it if it is this PO, or cancel this PO.',
  foreign_cart:
    'A cart that we did not make stands under this PO number at the service. Have it removed there, then release this PO.',
  service_unstable: `The cart had to be rebuilt too often because calls had no clear outcome or the cart was not as it was filled. Release this PO once the service works again. ${lagAdvice}`,
  service_unreachable:
    'The service has been out of reach for longer than the account allows. Release it when it is back.',
  lookup_refused:
    'The service refused a lookup that has to be answered before this PO goes on; the text of the hold says which. Ask the operator of the service, then release this PO.',
  cart_not_deletable: 'The service refuses to delete our cart. Have it removed there, then release this PO.',
  po_refused: `The service says that it already has this PO number (409) but shows neither an order nor a cart that explains it. Ask its operator, then release this PO. ${lagAdvice}`,
  duplicate_suspected:
    'The service shows larger quantities for this PO than the file asks for (possible duplicate order). Check with the service first; then adopt what it has, or cancel this PO.',
  cannot_verify:
    'The order at the service differs from the file, cannot be read, or has disappeared. Compare the two, then adopt the order or cancel this PO.',
  file_grew:
    'The purchase file went on changing after it was picked up, so lines of this PO may be missing. Compare the PO with the whole file, which is in failed/. Release the PO if it is complete; otherwise cancel it, then put the file into inbox again.',
  submission_unknown:
    'It is not known whether the order was placed: the submission got no clear answer and no order can be found. Cartwright keeps checking. Use submit-again only after the service confirms that no order exists.',
};

/** A quote never becomes an order, so there is nothing to compare. */
const quoteBlockedText =
  'The service has, or may have, an order under this PO number, so it cannot be quoted. Cancel this quote.';

/** The text of a hold, with nothing in it that a person cannot do. */
export const holdText = (code: Exclude<HoldCode, 'guard'>, quoteOnly: boolean): string =>
  quoteOnly && ordersToCompare.includes(code) ? quoteBlockedText : holdTexts[code];

/** What was refused is named: only the first and the last are about this PO number. */
export const lookupRefusedTexts: Record<Lookup, string> = {
  order:
    'The service refused to show the orders under this PO number, and nothing is sent before they are known. Ask its operator, then release this PO.',
  date_range:
    'The service refused to list the orders of the last days, which has to be checked before this PO goes on. This is not about the PO itself. Ask the operator of the service, then release this PO.',
  cart: 'The service refused to show the cart under this PO number, and nothing is sent before it is known. Ask its operator, then release this PO.',
};

/** For a PO that the service refused. */
export const failedText = (message: string | undefined): string =>
  `The service refused it${message ? `: ${message}` : '.'}`;

/** For a quote that ended without prices: an order would have used the same cart. */
export const orderExistsText =
  'This PO is already ordered or being ordered. A quote would use the same cart at the service, so it was not made.';

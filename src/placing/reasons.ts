import type { HoldCode } from './decide.ts';
import type { Lookup } from './look.ts';

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
    'More stands ordered under this PO number than the file asks for. Check with the service before anything else is done.',
  cannot_verify:
    'What stands ordered under this PO number is not what the file asks for, cannot be read, or is to be seen no more. Compare, then adopt or cancel.',
  file_grew:
    'The purchase file went on changing after it was picked up, so lines of this PO may be missing. Compare the PO with the whole file, which is in failed/. Release the PO if it is complete; otherwise cancel it, then put the file into inbox again.',
  submission_unknown:
    'It is not known whether the order was placed: the submission got no clear answer and no order is to be seen. It stays watched; release it only when the service confirms that there is none.',
};

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

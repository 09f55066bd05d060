import type { HoldCode } from './decision.ts';
import type { GuardCode } from './guards.ts';
import type { ChangingStep, LookupCall, PurchaseOrderState } from './types.ts';

/** Every reason for which a PO can be held: by a rule of placing, by a guard, or when its file is imported. */
export type HoldReasonCode =
  | Exclude<HoldCode, 'guard'>
  | GuardCode
  | 'conflicting_po'
  | 'similar_po'
  | 'was_cancelled'
  | 'restored_file'
  | 'question';

/** What a release does. All but `approve_numbers` look up what exists at the service before anything is sent. */
export type ReleaseEffect =
  /** Approves the numbers that the guard showed, and continues with the cart as it is. */
  | 'approve_numbers'
  /** Approves the PO as it was read, and starts a new attempt. */
  | 'approve_file'
  /** Starts a new attempt. */
  | 'new_attempt'
  /** Looks for the order again: the PO becomes ordered if the order is found, and otherwise is held again. */
  | 'verify'
  /** `verify` if a submission may have made an order, otherwise `new_attempt`. */
  | 'verify_or_new_attempt'
  | 'not_possible';

export interface HoldReason {
  meaning: string;
  /** What a person can do. */
  advice: string;
  /** For the documentation only: the setting that causes or avoids the hold, and more advice. */
  setting?: string;
  alsoPossible?: string;
  release: ReleaseEffect;
  /** The service has, or may have, an order under the PO number: a person can adopt it, and a quote cannot continue. */
  orderMayExist?: true;
  submitAgain?: true;
  /** The number belongs to another PO: cancelling this one touches nothing at the service. */
  numberTaken?: true;
}

const readLag =
  'If the service shows changes only after a delay, set `readLag` of the account to that delay.';

/** The only table of hold reasons: every text about a hold and every effect of an operator action comes from it. */
export const holdReasons: Record<HoldReasonCode, HoldReason> = {
  unusual_quantity: {
    meaning: 'A quantity is far larger than what the account has ordered of the item before.',
    advice: 'Compare it with the file. Release it to order that many, or cancel it.',
    setting: 'Setting: `guards.unusualQuantity`.',
    release: 'approve_numbers',
  },
  backorder: {
    meaning: 'Some of its items are not in stock and would be back-ordered.',
    advice: 'Release it to order anyway, with the back-ordered items, or cancel it.',
    release: 'approve_numbers',
  },
  price_above: {
    meaning: 'A price is higher than the file expects.',
    advice: 'Release it to accept the price, or cancel it.',
    setting:
      'The column `expected_price` alone is a guard; `guards.abovePercent` is how much above it is allowed (0 if it is not set).',
    release: 'approve_numbers',
  },
  order_total: {
    meaning: 'Its lines add up to more than the account allows for one order.',
    advice: 'Release it to order anyway, or cancel it.',
    setting: 'Setting: `guards.orderTotal`.',
    release: 'approve_numbers',
  },
  unknown_price: {
    meaning: 'The service returned no readable price for a line.',
    advice: 'Release it to order without one, or cancel it.',
    release: 'approve_numbers',
  },
  conflicting_po: {
    meaning:
      'An earlier file asks for something else under the same PO number (or one that differs only in case, or in characters that look the same).',
    advice: 'Cancel this one, or release it if the other was cancelled. A new order needs its own PO number.',
    alsoPossible: 'While the earlier PO is not submitted, you can cancel that one and release this one.',
    release: 'new_attempt',
    numberTaken: true,
  },
  similar_po: {
    meaning:
      'It may be the same order as another PO: the numbers differ only in signs, spaces, leading zeros or what is written beside them (`PO-4711`, `4711`, `4711 rush`), in one file, or in two that order the same; or the number was made for the file, and an earlier file had the same lines.',
    advice:
      'Release it if it is another order. Otherwise cancel it; if both are held, write the number the same way in all its rows, and send the file again.',
    release: 'new_attempt',
  },
  question: {
    meaning: 'A row of it says what no earlier file said, or its item is called like a charge or a sum.',
    advice:
      'Say on the page Today of the console or with `cartwright answer` what it means; or release the PO, or cancel it.',
    release: 'new_attempt',
  },
  was_cancelled: {
    meaning: 'The PO was imported before with the same content and cancelled.',
    advice: 'Release it to order it now, or cancel it again.',
    release: 'new_attempt',
  },
  restored_file: {
    meaning:
      'Its file was found in `done/` after the ledger had been restored from an older backup, so it may have been ordered or cancelled before.',
    advice: 'Release it (the service is checked before anything is sent), or cancel it.',
    release: 'new_attempt',
  },
  already_ordered: {
    meaning: 'The service already has an order under this PO number, and it is not ours.',
    advice: 'Check with the service first. Adopt the order if it is this PO; otherwise cancel this PO.',
    release: 'not_possible',
    orderMayExist: true,
  },
  foreign_cart: {
    meaning: 'The service has a cart under this PO number that we did not create.',
    advice: 'Have the cart removed at the service, then release this PO.',
    release: 'new_attempt',
  },
  service_unstable: {
    meaning:
      'Calls for this PO had no clear outcome too often, or its cart was rebuilt too often because it differed from what was added.',
    advice: 'Release this PO once the service works again.',
    setting: readLag,
    release: 'new_attempt',
  },
  service_unreachable: {
    meaning: 'The service has been unreachable for longer than the account allows.',
    advice: 'Release this PO once the service is back.',
    release: 'verify_or_new_attempt',
  },
  lookup_refused: {
    meaning:
      'The service refused a lookup that this PO needs before it can continue; the reason text names the lookup.',
    advice: 'Ask the operator of the service, then release this PO.',
    release: 'verify_or_new_attempt',
  },
  cart_not_deletable: {
    meaning: 'The service refuses to delete our cart.',
    advice: 'Have the cart removed at the service, then release this PO.',
    release: 'new_attempt',
  },
  po_refused: {
    meaning:
      'The service answers that it already has this PO number (409), but shows neither an order nor a cart that explains it.',
    advice: 'Ask the operator of the service, then release this PO.',
    setting: readLag,
    release: 'new_attempt',
  },
  duplicate_suspected: {
    meaning:
      'The service shows larger quantities under this PO number than the file asks for (possible double order).',
    advice: 'Check with the service first; then adopt what it has, or cancel this PO.',
    release: 'verify',
    orderMayExist: true,
  },
  cannot_verify: {
    meaning: 'The order at the service differs from the file, cannot be read, or has disappeared.',
    advice: 'Compare the order with the file; then adopt the order, or cancel this PO.',
    release: 'verify',
    orderMayExist: true,
  },
  on_hold: {
    meaning:
      'A person asked to hold it before it is submitted, or a later file has it again with a mistake or something to ask.',
    advice: 'Release it to order it, or cancel it.',
    release: 'new_attempt',
  },
  file_grew: {
    meaning:
      'The purchase file was still changing after it was picked up, so lines of this PO may be missing.',
    advice:
      'Compare the PO with the whole file, which is in failed/ or, if it came by SFTP, in a later import. Release the PO if it is complete; otherwise cancel it, then send the whole file again the way it came.',
    release: 'approve_file',
  },
  submission_unknown: {
    meaning:
      'It is not known whether the order was placed: the submission got no clear answer and no order can be found.',
    advice:
      'Wait: Cartwright keeps checking. Use submit-again only after the operator of the service confirms that no order exists.',
    release: 'verify',
    orderMayExist: true,
    submitAgain: true,
  },
};

/** Undefined for a code that this version does not have. */
export const holdReasonOf = (code: string | undefined): HoldReason | undefined =>
  code !== undefined && Object.hasOwn(holdReasons, code) ? holdReasons[code as HoldReasonCode] : undefined;

const blockedQuote = {
  meaning: 'The service has, or may have, an order under this PO number, so it cannot be quoted.',
  advice: 'Cancel this quote.',
};

/** The meaning and the advice for one held PO; the advice names only what a person can do. */
export const explainHold = (
  code: string | undefined,
  quoteOnly: boolean,
): Pick<HoldReason, 'meaning' | 'advice'> | undefined => {
  const reason = holdReasonOf(code);
  return quoteOnly && reason?.orderMayExist ? blockedQuote : reason;
};

/** The meaning of `lookup_refused` for each lookup: only the first and the last are about this PO number. */
export const refusedLookups: Record<LookupCall, string> & Partial<Record<ChangingStep, never>> = {
  order:
    'The service refused to show the orders under this PO number, and nothing is sent until they are known.',
  date_range:
    'The service refused to list the orders of the last days, which have to be checked before this PO can continue. This is not about the PO itself.',
  cart: 'The service refused to show the cart under this PO number, and nothing is sent until it is known.',
};

/** Why a PO was rejected, failed or was cancelled, by its reason code. */
export const endReasons = {
  row_issues: {
    state: 'rejected',
    meaning: 'The file has an issue in at least one row of this PO.',
    advice: 'Correct the rows of this PO and send this file again: only what is not yet ordered is placed.',
  },
  corrected: { state: 'rejected', meaning: 'A later file contains this PO without the issue.', advice: '' },
  refused_by_service: {
    state: 'failed',
    meaning: 'The service refused it',
    advice: 'Correct it and send this file again, or retry it.',
  },
  cancelled: { state: 'cancelled', meaning: 'Cancelled by a person; nothing was ordered.', advice: '' },
  dismissed: {
    state: 'cancelled',
    meaning: 'Cancelled by a person. Nothing was changed at the service.',
    advice: '',
  },
  order_exists: {
    state: 'cancelled',
    meaning:
      'This PO is already ordered or being ordered. A quote would use the same cart at the service, so it was not made.',
    advice: '',
  },
  read_again: {
    state: 'cancelled',
    meaning: 'Replaced by a later import of the same file before anything was sent.',
    advice: 'The later import of this file has its POs.',
  },
  quoted: {
    state: 'cancelled',
    meaning: 'A quote: prices and availability were recorded, nothing was ordered.',
    advice: 'Only prices were requested; send it as an order to buy.',
  },
} as const satisfies Record<string, { state: PurchaseOrderState; meaning: string; advice: string }>;

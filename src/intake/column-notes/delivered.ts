import type { Meaning } from '../columns/header-words.ts';
import { readHeader } from '../columns/read-header.ts';
import { isKind, isStatus } from '../rows/cancelled-rows.ts';
import { mayNeedNone, ofLine } from '../rows/gone-words.ts';
import type { ColumnNote } from './create-column-notes.ts';

/** Cancelled, closed, rejected, returned, deleted or done; but nobody here knows. */
const letter = /^[cdnrx]$/i;
const otherKind = /^(?:samples?|warranty|loan(?:er)?s?|consignment|exchange|muster|garantie)$/i;

/** `Line Status: Shipped`, `Status: C`, `Type: Warranty`. */
export const openStatus: ColumnNote = {
  code: 'status_not_read',
  about: 'unread',
  readerOf: ({ header }) =>
    isStatus(header)
      ? (text) => letter.test(text) || mayNeedNone(text)
      : isKind(header)
        ? (text) => otherKind.test(text)
        : undefined,
  message: ({ header, shown, ignore }) =>
    `The column "${header}" has statuses or kinds of lines that perhaps need no order: ${shown}. They are not skipped. Remove their rows if they must not be ordered; ${ignore} if it does not matter here.`,
};

const isDone = ({ meanings, unknown }: ReturnType<typeof readHeader>) =>
  unknown === 0 && (meanings.has('done') || meanings.has('billed'));
const allAre = (meanings: ReadonlySet<Meaning>, more: readonly Meaning[]) =>
  [...meanings].every((one) => ofLine.has(one) || more.includes(one));

const amount = /^(?=.*[1-9])\d+(?:[.,]\d+)?$/;
/** A date with a day, and not 0000-00-00. */
const day = /^(?=.*[1-9])\D{0,20}\d{1,4}\D{1,12}\d{1,4}/;
const yes = /^(?:yes|y|true|x|ja|oui|si|sí)$/i;

/** `Open Qty: 0`: nothing is left to be delivered. */
export const nothingOpen: ColumnNote = {
  code: 'nothing_open',
  about: 'unread',
  readerOf: ({ header }) => {
    const { meanings, unknown } = readHeader(header);
    const fits =
      unknown === 0 &&
      meanings.has('open') &&
      // What waits for goods may be all of the line, or none of it.
      !/back/i.test(header) &&
      (meanings.has('quantity') || meanings.has('pieces')) &&
      allAre(meanings, ['open', 'quantity', 'pieces', 'ordered']);
    return fits ? (text) => /^0(?:[.,]0+)?$/.test(text) : undefined;
  },
  message: ({ header, shown, ignore }) =>
    `The column "${header}" says that nothing of a line is open: ${shown}. The lines are not skipped. Remove their rows if they must not be ordered; ${ignore} if it does not matter here.`,
};

/** `Quantity (- Refund): 2` of WooCommerce, beside a quantity of 3. */
export const afterRefunds: ColumnNote = {
  code: 'pieces_refunded',
  about: 'unread',
  readerOf: ({ header }) =>
    /\(\s*[-−–]\s*refunds?\s*\)/i.test(header) ? (text, quantity) => text !== quantity : undefined,
  message: ({ header, shown, ignore }) =>
    `The column "${header}" has another number of pieces than the quantity: ${shown}. Pieces were refunded, and the quantity counts in full. Correct it if it is too large, or ${ignore}.`,
};

/** `Qty Shipped: 1`, beside a quantity of 3. */
export const deliveredPieces: ColumnNote = {
  code: 'pieces_delivered',
  about: 'unread',
  readerOf: ({ header }) => {
    const reading = readHeader(header);
    const { meanings } = reading;
    const fits = isDone(reading) && allAre(meanings, ['done', 'billed', 'quantity', 'pieces', 'amount']);
    return fits ? (text) => amount.test(text) : undefined;
  },
  message: ({ header, shown, ignore }) =>
    `The column "${header}" says that pieces were delivered already: ${shown}. The quantities of the file count in full. Correct them if they are too large; ${ignore} if it does not matter here.`,
};

/** `Date Shipped`; `Ship Date` says when it is wanted. */
export const deliveredDate: ColumnNote = {
  code: 'line_delivered',
  about: 'unread',
  readerOf: ({ header }) => {
    const reading = readHeader(header);
    return isDone(reading) && allAre(reading.meanings, ['done', 'billed', 'date'])
      ? (text) => text.length <= 60 && (day.test(text) || yes.test(text))
      : undefined;
  },
  message: ({ header, shown, ignore }) =>
    `The column "${header}" says that lines were delivered already: ${shown}. They are not skipped. Remove their rows if they must not be ordered; ${ignore} if it does not matter here.`,
};

import { headerKey } from '../columns/fields.ts';
import type { Meaning } from '../columns/header-words.ts';
import { readHeader } from '../columns/read-header.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';

/** A status of the line or of its order, and not of a payment or a delivery. */
const ofLine: ReadonlySet<Meaning> = new Set([
  'status',
  'line',
  'item',
  'order',
  'po',
  'purchase',
  'sale',
  'document',
  'name',
  'code',
] satisfies Meaning[]);

/** Whether a header names the status of a line or of its order. Pure. */
export const isStatus = (header: string): boolean => {
  // The words of shops for whether a line was sent, which no other header has.
  const { meanings, unknown } = readHeader(header.replace(/fulfill?ment/i, ''));
  return unknown === 0 && meanings.has('status') && [...meanings].every((one) => ofLine.has(one));
};

/** `Payment Status`, `Financial Status`. */
const isPaymentStatus = (header: string): boolean => {
  const { meanings, unknown } = readHeader(header.replace(/financial/i, 'payment'));
  const others = [...meanings].filter((one) => one !== 'payment');
  return (
    unknown === 0 &&
    others.length < meanings.size &&
    meanings.has('status') &&
    others.every((one) => ofLine.has(one))
  );
};

/** A text that says the opposite: `Not cancelled`. */
export const not = /(?:^|[^\p{L}])(?:not|no|never|nicht|non|nie)(?:$|[^\p{L}])/iu;
/** Further words that say so, which are no words of headers. */
const ended =
  /(?:^|[^\p{L}])(?:void(?:ed)?|failed|declined|denied|expired|charge\s?back|charged\s?back|trash|(?:zurück)?erstattet|rembours[ée]e?|reembolsad[oa]|rimborsat[oa]|terugbetaald)(?:$|[^\p{L}])/iu;
const partly = /(?:^|[^\p{L}])(?:part|teil|parc)/iu;

/** `Cancelled at`: a date in it says that the order was cancelled. `Cancel date` says until when it may be sent. */
const goneAt = /^(?:(?:order|line|item)[\s_-]*)?(?:cancell?ed|voided|refunded)[\s_-]*(?:at|on|date|time)$/i;
const gone = /^(?:(?:order|line|item)[\s_-]*)?(?:is[\s_-]*)?(?:cancell?ed|voided|refunded|returned)$/i;
const yes = /^(?:yes|y|true|x|ja|oui|si|sí)$/i;
const when = /^\D{0,20}\d{1,4}\D{1,12}\d{1,4}/;
const amount = /^(?=.*[1-9])\d+(?:[.,]\d+)?$/;

type Says = 'gone' | 'partly' | undefined;

const saysStatus = (text: string): Says =>
  text.length <= 60 && !not.test(text) && (readHeader(text).meanings.has('gone') || ended.test(text))
    ? 'gone'
    : undefined;

/** What the texts of a column with this header say about a line; undefined if such a column says nothing. */
const readerOf = (header: string): ((text: string) => Says) | undefined => {
  if (isStatus(header)) return saysStatus;
  if (isPaymentStatus(header))
    return (text) => (saysStatus(text) && partly.test(text) ? 'partly' : saysStatus(text));
  if (goneAt.test(header)) return (text) => (yes.test(text) || when.test(text) ? 'gone' : undefined);
  if (gone.test(header))
    return (text) => (amount.test(text) ? 'partly' : yes.test(text) || when.test(text) ? 'gone' : undefined);
  const { meanings, unknown } = readHeader(header);
  const isAmount =
    unknown === 0 && meanings.has('gone') && (meanings.has('quantity') || meanings.has('pieces'));
  return isAmount ? (text) => (amount.test(text) ? 'partly' : undefined) : undefined;
};

/** What a column says about a line that must perhaps not be ordered. */
export type StatusFinding = Pick<RowIssue, 'severity' | 'code' | 'message' | 'expected'> & {
  header: string;
  text: string;
};

const findingOf = (header: string, text: string, says: 'gone' | 'partly'): StatusFinding => {
  const shown = `The column "${header}" says "${text.slice(0, 60)}"`;
  const ignore = `map "${header}" to ignore in intake.columns of the account`;
  return says === 'gone'
    ? {
        header,
        text,
        severity: 'issue',
        code: 'line_cancelled',
        message: `${shown}. If the line must not be ordered, remove the row; otherwise ${ignore}.`,
        expected: 'lines that are to be ordered',
      }
    : {
        header,
        text,
        severity: 'note',
        code: 'line_partly_cancelled',
        message: `${shown}, so pieces of this order may have been cancelled. The quantity of the file is ordered; correct it if it is too large, or ${ignore}.`,
        expected: undefined,
      };
};

/**
 * Finds rows that were cancelled, returned, refunded or rejected by a column that the account does not map: a status of the line, its
 * order or the payment, or what was cancelled and when.
 *
 * @returns undefined for any other row
 */
export const createStatusWatch = (
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'columns' | 'header'>,
): ((row: RawRow) => StatusFinding | undefined) => {
  const mapped = new Set(Object.keys(options.columns).map(headerKey));
  const watched = columns.flatMap(({ header, field }, at) => {
    const isOurs = field !== null || options.header === 'none' || mapped.has(headerKey(header));
    const reader = isOurs ? undefined : readerOf(header);
    return reader ? [{ header, at, reader, known: new Map<string, Says>() }] : [];
  });
  return ({ cells }) => {
    let found: StatusFinding | undefined;
    for (const { header, at, reader, known } of watched) {
      const text = (cells[at] ?? '').trim();
      if (text === '') continue;
      const says = known.has(text) ? known.get(text) : reader(text);
      // The values of a status are few. A column of other texts must not fill the memory.
      if (known.size < 1000) known.set(text, says);
      if (says === 'gone') return findingOf(header, text, says);
      if (says === 'partly') found ??= findingOf(header, text, says);
    }
    return found;
  };
};

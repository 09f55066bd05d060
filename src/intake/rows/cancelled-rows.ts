import { headerKey } from '../columns/fields.ts';
import { readHeader } from '../columns/read-header.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';
import { ended, isNotToOrder, ofLine, saysGone, saysNoOrder } from './gone-words.ts';

/** Whether a header names the status of a line or of its order. Pure. */
export const isStatus = (header: string): boolean => {
  // The words of shops for whether a line was sent, which no other header has.
  const { meanings, unknown } = readHeader(
    header
      .replace(/fulfill?ment/i, '')
      .replace(/\bln\b/i, 'line')
      .replace(/\bstat\b/i, 'status'),
  );
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

/** `Order Type`, `Action`: what kind of document a line is of, or what is to be done with it. */
export const isKind = (header: string): boolean => {
  const { meanings, unknown } = readHeader(header.replace(/\b(?:action|operation|change)\b/i, 'type'));
  return (
    unknown === 0 &&
    meanings.has('kind') &&
    !meanings.has('item') &&
    [...meanings].every((one) => ofLine.has(one) || one === 'kind' || one === 'transaction')
  );
};

const partly = /(?:^|[^\p{L}])(?:part|teil|parc)/iu;

/** `Cancelled at`: a date in it says that the order was cancelled. `Cancel date` says until when it may be sent. */
const goneAt =
  /^(?:(?:order|line|item)[\s_-]*)?(?:cancell?ed|voided|refunded|deleted)[\s_-]*(?:at|on|date|time)$/i;
const gone =
  /^(?:(?:order|line|item)[\s_-]*)?(?:is[\s_-]*)?(?:cancell?ed|voided|void|refunded|returned|deleted|removed|closed|stornier?t?|storno|gelöscht|annul[ée]e?s?|supprim[ée]e?|cancelad[oa]|anulad[oa]|eliminad[oa]|annullat[oa]|eliminat[oa]|geannuleerd|verwijderd)$/i;
/** `Löschkennzeichen` of SAP: L. */
const deletion = /^(?:(?:deletion|delete|lösch|loesch)[\s_-]*(?:flag|indicator|ind|kennzeichen|kz)?|loekz)$/i;
const notDeleted = /^(?:no|n|0|false|nein|none|-)$/i;
const isDeletionMark = (text: string): boolean =>
  yes.test(text) || saysGone(text) || (text.length === 1 && !notDeleted.test(text));
const yes = /^(?:yes|y|t|true|x|ja|j|oui|si|sí|✓|✔|√|☑|done|ok)$/i;
const no = /^(?:no|n|f|false|0|nein|non|nee)$/i;
/** `Approved: pending`, `Approval: rejected by finance`. */
const notYet =
  /^(?:pending|waiting|awaiting|not\s+yet|rejected|denied|declined|refused|on\s+hold|hold|ausstehend|abgelehnt)(?=$|[^\p{L}])/iu;
/** `Skip: x`, `Do not order: yes`. */
const leftOut =
  /^(?:skip|omit|exclude|excluded|ignore|disregard|drop|dropped|cut|killed?|dead|(?:do\s+not|don['’]?t|no)\s+(?:order|ship))\s*\??$/i;
/** `Ordered?`, `Sent to vendor`: the line was ordered before. A date below `Ordered on` is that of the order. */
const before =
  /^(?:(?:already|is)[\s_-]*)*(?:(?:ordered|entered|placed|keyed|processed)\s*\?|done\s*\??|already[\s_-]*(?:ordered|entered|sent))$/i;
const sentAway =
  /^(?:date[\s_-]*)?(?:sent|faxed|e-?mailed|transmitted)[\s_-]*(?:to[\s_-]*(?:vendor|supplier|factory|manufacturer|distributor|mfg))(?:[\s_-]*(?:on|date|\?))?$/i;
const shortDate = /^\d{1,4}[-./]\d{1,2}(?:[-./]\d{2,4})?$/;
/** Abbreviations and misspellings of statuses, which are no words. */
const goneStatus =
  /^(?:cx|cxx|canc\.?|cancl?'?d|cancel+d|cance?ll?ed?|dead|killed?|dropped|scratch(?:ed)?|nixed|obsolete)$/i;
const goneKind =
  /^(?:cm|c\/m|crm|credits?|rtv|rtn|rma|return\s+to\s+vendor|(?:stock\s?)?transfers?|stock\s?(?:check|count|inquiry)|inquir(?:y|ies)|price\s?check)$/i;
/** WooCommerce: what is left of the quantity after refunds. */
const leftOver = /\(\s*[-−–]\s*refunds?\s*\)/i;
/** Columns whose `No` keeps a line from being ordered, and those whose `Yes` does. */
const allowed =
  /^(?:(?:order|line|item|po|is)[\s_-]*)*(?:active|approved|authori[sz]ed|released|order\?|order[\s_]*y\/n|to be ordered|ok(?:ay)?[\s_-]*to[\s_-]*(?:ship|order|process|buy)|approval|approve|genehmigt|freigegeben|approuvée?|aprobad[oa]|approvat[oa])$/i;
const stopped = /^(?:(?:order|line|item|po|is|on)[\s_-]*)*(?:hold|blocked|gesperrt|bloqu[ée]e?)$/i;
/** A date, and no amount of nothing: `item_refunded` is 0.00 where nothing was refunded. */
const when = /^(?!0+[.,]0+$)\D{0,20}\d{1,4}\D{1,12}\d{1,4}/;
const amount = /^(?=.*[1-9])\d+(?:[.,]\d+)?$/;

type Says = 'gone' | 'partly' | undefined;

const saysStatus = (text: string): Says =>
  text.length <= longestStatus && (saysNoOrder(text) || goneStatus.test(text)) ? 'gone' : undefined;
const longestStatus = 60;

const ofKind = (word: string): boolean => {
  const { meanings, unknown } = readHeader(word);
  return (
    unknown === 0 &&
    [...meanings].every(
      (one) => ofLine.has(one) || one === 'gone' || one === 'quote' || one === 'transaction',
    )
  );
};

/** In a column of kinds the word may be a part of a product's name: `Return label`. */
const saysKind = (text: string): Says => {
  if (goneKind.test(text)) return 'gone';
  if (text.length > 40 || !saysStatus(text)) return undefined;
  if (isNotToOrder(text)) return 'gone';
  const others = text.replace(ended, ' ').split(/[^\p{L}]+/u);
  return others.every((word) => word === '' || ofKind(word)) ? 'gone' : undefined;
};

/** What the texts of a column with this header say about a line; undefined if such a column says nothing. */
const readerOf = (header: string): ((text: string) => Says) | undefined => {
  if (goneAt.test(header)) return (text) => (yes.test(text) || when.test(text) ? 'gone' : undefined);
  if (gone.test(header))
    return (text) => (amount.test(text) ? 'partly' : yes.test(text) || when.test(text) ? 'gone' : undefined);
  if (isStatus(header)) return saysStatus;
  if (isKind(header)) return saysKind;
  if (deletion.test(header)) return (text) => (isDeletionMark(text) ? 'gone' : undefined);
  if (leftOver.test(header)) return (text) => (/^0(?:[.,]0+)?$/.test(text) ? 'gone' : undefined);
  if (allowed.test(header)) return (text) => (no.test(text) || notYet.test(text) ? 'gone' : undefined);
  if (leftOut.test(header) || before.test(header)) return (text) => (yes.test(text) ? 'gone' : undefined);
  if (sentAway.test(header))
    return (text) => (yes.test(text) || when.test(text) || shortDate.test(text) ? 'gone' : undefined);
  if (stopped.test(header)) return (text) => (yes.test(text) ? 'gone' : undefined);
  if (isPaymentStatus(header))
    return (text) => (saysStatus(text) && partly.test(text) ? 'partly' : saysStatus(text));
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
        message: `${shown}, so pieces of this order may have been cancelled. The quantity of the file counts; correct it if it is too large, or ${ignore}.`,
        expected: undefined,
      };
};

const struckDescription = (header: string, text: string): StatusFinding => ({
  header,
  text,
  severity: 'issue',
  code: 'struck_cell',
  message: `The cell in the column "${header}" is struck out, in whole or in part, so the line may have been cancelled. Remove the line through it if it is to be ordered, or remove the row.`,
  expected: 'lines that are to be ordered',
});

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
  const describing = new Set(
    columns.flatMap(({ header, field }, at) =>
      field === null && !mapped.has(headerKey(header)) && readHeader(header).meanings.has('description')
        ? [at]
        : [],
    ),
  );
  return ({ cells, annotations }) => {
    const struck = annotations?.find(({ column, kind }) => kind === 'struck' && describing.has(column));
    if (struck) return struckDescription(columns[struck.column]!.header, cells[struck.column] ?? '');
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

import type { AnswerName } from '../intake/own-columns.ts';
import { displayMoment, displayState } from './display-text.ts';
import type { PoFacts, RowCorrection, RowFacts } from './types.ts';
import { whatToDo } from './what-to-do.ts';

/** The content of our columns for a row; blank if there is nothing to report. */
export type RowAnswer = Record<AnswerName, string>;

/** The outcome of a row, which determines its colour. */
export type Outcome = 'good' | 'open' | 'waits' | 'bad' | 'none';

export interface AnsweredRow {
  answer: RowAnswer;
  /** The state of the row's PO for programs, or `corrected`; blank without a PO. */
  poState: string;
  outcome: Outcome;
}

const blank: RowAnswer = {
  poState: '',
  lineState: '',
  issue: '',
  cartNumber: '',
  orderNumbers: '',
  available: '',
  backorder: '',
  price: '',
  whatToDo: '',
  asOf: '',
};

/** Removes line breaks, which some CSV readers take for the start of the next row. */
const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ').trim();

const rowOutcomeOf = (po: PoFacts): Outcome => {
  switch (po.state) {
    case 'ordered':
    case 'closed':
      return po.alarm === undefined ? 'good' : 'waits';
    case 'held':
      return 'waits';
    case 'rejected':
    case 'failed':
      return 'bad';
    case 'cancelled':
      return 'none';
    default:
      return 'open';
  }
};

/** The outcomes of a row, with their meanings. @internal for docs/results.md */
export const lineStates = {
  ordered: 'It is in an order.',
  waiting: 'Its PO is about to be placed.',
  'in the cart': 'It is in the cart of its PO, which is not submitted yet.',
  'being ordered': 'Its PO is submitted, and Cartwright is checking for its order.',
  'to be checked': 'Its PO is held, and the service has orders for it.',
  'not ordered': 'Its PO is held, failed or cancelled, and this row was not the cause.',
  'not sent': 'Its PO was rejected for another row.',
  refused: 'The row itself is wrong; nothing of its PO was sent.',
  'refused by the service': 'The service refused this line, so its PO failed.',
  quoted: 'Only its price and stock were asked for.',
  skipped: 'It is no line: a sum, a remark, or a row that was left out.',
} as const;
type LineState = keyof typeof lineStates;

const lineStateOf = (po: PoFacts, refused: boolean, refusedByService: boolean): LineState => {
  switch (po.state) {
    case 'rejected':
      return refused ? 'refused' : 'not sent';
    case 'failed':
      return refusedByService ? 'refused by the service' : 'not ordered';
    case 'cancelled':
      return po.reasonCode === 'quoted' ? 'quoted' : 'not ordered';
    case 'held':
      return po.orderNumbers.length > 0 ? 'to be checked' : 'not ordered';
    case 'ready':
    case 'cart_created':
      return 'waiting';
    case 'items_added':
      return 'in the cart';
    case 'submitting':
    case 'verifying':
      return 'being ordered';
    case 'ordered':
    case 'closed':
      return 'ordered';
  }
};

const quoted = (text: string): string => (text === '' ? 'nothing' : `“${text}”`);

const correctionText = ({ who, kind, cells }: RowCorrection): string =>
  kind === 'removed'
    ? `${who} left this row out of the correction: it was not ordered`
    : `${who} corrected ${cells
        .map(({ column, before, after }) =>
          before === after
            ? `${column} (${quoted(after)} is right)`
            : `${column} from ${quoted(before)} to ${quoted(after)}`,
        )
        .join(', ')}`;

const issueTextOf = (row: RowFacts): string => {
  const own = row.issues.map(
    ({ severity, column, message }) =>
      `${severity === 'note' ? 'Note, ' : ''}${severity === 'note' ? 'column' : 'Column'} ${column}: ${message}`,
  );
  const ofPo: string[] = [];
  const { po } = row;
  ofPo.push(...row.corrections.map(correctionText));
  // A refusal stays in the ledger when the PO is retried, so it explains only a failed PO.
  const refusal = po?.state === 'failed' ? row.refusal : undefined;
  if (refusal !== undefined) ofPo.push(`The service refused this line: ${refusal}`);
  if (po) {
    const ownIssue = row.issues.some(({ severity }) => severity === 'issue');
    // Beside an issue, also report that a later file corrected the PO.
    // Drop the PO's reason if it only repeats an issue of this row.
    const isSaid = row.issues.some(({ message }) => po.reasonText?.includes(message));
    const isNews = po.reasonCode === 'corrected' || (!ownIssue && refusal === undefined && !isSaid);
    if (po.reasonText !== undefined && isNews) ofPo.push(po.reasonText);
    if (po.alarm !== undefined) ofPo.push(po.alarm);
    if (po.repeats) {
      ofPo.push(
        `PO ${po.poNumber} was already imported with the same content in import ${po.repeats.importId} (${po.repeats.fileName}); nothing is ordered again.`,
      );
    }
  }
  return oneLine([...own, ...ofPo].join(' | '));
};

/**
 * The outcome of a row as the content of our columns. Pure.
 * @param row undefined for a row that the ledger does not know
 * @param asOf when the ledger was read
 */
export const answerRow = (row: RowFacts | undefined, asOf: Date): AnsweredRow => {
  if (!row) {
    const lineState: LineState = 'skipped';
    return { answer: { ...blank, lineState }, poState: '', outcome: 'none' };
  }
  const refused = row.issues.some(({ severity }) => severity === 'issue');
  const { po } = row;
  if (!po) {
    const lineState: LineState = refused ? 'refused' : 'skipped';
    const todo = refused ? 'Correct this row and send the file again.' : '';
    return {
      answer: { ...blank, lineState, issue: issueTextOf(row), whatToDo: todo, asOf: displayMoment(asOf) },
      poState: '',
      outcome: refused ? 'bad' : 'none',
    };
  }
  const isCorrected = po.reasonCode === 'corrected';
  return {
    answer: {
      poState: isCorrected ? 'corrected' : displayState(po.state),
      lineState: lineStateOf(po, refused, row.refusal !== undefined),
      issue: issueTextOf(row),
      cartNumber: po.cartNumber ?? '',
      orderNumbers: po.orderNumbers.join(', '),
      available: row.available?.toString() ?? '',
      backorder: row.backorder?.toString() ?? '',
      price: row.price ?? '',
      whatToDo: whatToDo(po),
      asOf: displayMoment(asOf),
    },
    poState: isCorrected ? 'corrected' : po.state,
    outcome: rowOutcomeOf(po),
  };
};

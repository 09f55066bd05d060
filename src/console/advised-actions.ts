import type { AdvisedPlace } from '../api-contract/basics.ts';
import type { PoSummary } from '../api-contract/purchase-orders.ts';
import { explainHold, type HoldReasonCode, holdReasonOf } from '../placing/hold-reasons.ts';
import type { OperatorAction } from '../placing/operator-actions.ts';
import type { PurchaseOrderState } from '../placing/types.ts';

/** The fields of a PO that determine the advice. */
export type AdvisedAbout = Pick<PoSummary, 'state' | 'reasonCode' | 'quoteOnly' | 'alarm' | 'settled'>;

/** The advised actions for POs, matching the texts beside the buttons. */
export interface Advised {
  advice: string;
  /** Best first. The first one that a PO allows is the main button; empty: the advice is only to wait or to check. */
  first: readonly OperatorAction[];
  /** Where a person has to go before any action. */
  place: AdvisedPlace | null;
  /** Actions that the rules allow and that will not help, each with the reason. They are offered under “More”. */
  unlikely: Partial<Record<OperatorAction, string>>;
}

type Row = Pick<Advised, 'first'> & Partial<Advised>;

const releaseOrCancel: Row = { first: ['release', 'cancel'] };
const onlyLooksAgain = 'It only looks for the order again, and the PO is held again if nothing has changed.';
const adoptOrCancel: Row = { first: ['adopt', 'cancel'], unlikely: { release: onlyLooksAgain } };

/** By hold reason. A test compares it with the advice of each. */
const ofHeld: Record<HoldReasonCode, Row> = {
  unusual_quantity: releaseOrCancel,
  backorder: releaseOrCancel,
  price_above: releaseOrCancel,
  order_total: releaseOrCancel,
  unknown_price: releaseOrCancel,
  conflicting_po: {
    first: ['cancel'],
    unlikely: { release: 'It helps only if the other PO with this number is cancelled.' },
  },
  similar_po: releaseOrCancel,
  question: {
    first: [],
    place: 'questions',
    advice:
      'Say on the page Today what the value means; the PO then continues. Or release it as it is, or cancel it.',
  },
  was_cancelled: releaseOrCancel,
  restored_file: releaseOrCancel,
  already_ordered: adoptOrCancel,
  foreign_cart: releaseOrCancel,
  service_unstable: releaseOrCancel,
  service_unreachable: releaseOrCancel,
  lookup_refused: releaseOrCancel,
  cart_not_deletable: releaseOrCancel,
  po_refused: releaseOrCancel,
  duplicate_suspected: adoptOrCancel,
  cannot_verify: adoptOrCancel,
  on_hold: releaseOrCancel,
  file_grew: {
    ...releaseOrCancel,
    advice:
      'Compare the PO with the whole file. Release the PO if it is complete; otherwise cancel it, then send the whole file again the way it came.',
  },
  submission_unknown: {
    first: [],
    advice:
      'Wait: Cartwright keeps checking. Submit it again only after the operator of the service confirms that no order exists.',
    unlikely: {
      submit_again:
        'If the service has the order after all, it is ordered twice. Only after its operator confirms that no order exists.',
    },
  },
};

const retryHelpsIf =
  'The service has refused exactly this request. Retrying helps only once the service has changed, for example has added the item.';

const quiet: Advised = { advice: '', first: [], place: null, unlikely: {} };

const held = (reasonCode: string | null, quoteOnly: boolean): Advised => {
  const code = reasonCode ?? undefined;
  const known = explainHold(code, quoteOnly);
  const advice = known?.advice ?? 'Release it, or cancel it.';
  const reason = holdReasonOf(code);
  if (quoteOnly && reason?.orderMayExist)
    return { ...quiet, advice, first: ['cancel'], unlikely: { release: onlyLooksAgain } };
  return { ...quiet, advice, ...(reason ? ofHeld[code as HoldReasonCode] : releaseOrCancel) };
};

const correct = {
  place: 'correct',
  first: [],
  advice:
    'Correct the wrong rows here, or upload a corrected file: only what is not yet ordered is placed. Mark what is not needed.',
} as const;

const byState = ({ state, reasonCode, quoteOnly, settled }: AdvisedAbout): Advised => {
  const isSolved = settled || reasonCode === 'corrected';
  switch (state) {
    case 'held':
      return held(reasonCode, quoteOnly);
    case 'failed':
      return isSolved ? quiet : { ...correct, unlikely: { retry: retryHelpsIf } };
    case 'rejected':
      return isSolved ? quiet : { ...correct, unlikely: {} };
    default:
      return quiet;
  }
};

/** States in which an alarm takes precedence. */
const ended: readonly PurchaseOrderState[] = ['ordered', 'closed', 'failed', 'rejected', 'cancelled'];

/** The one table of what to do about a PO, for its page, lists, bulk runs, Today and imports. Pure. */
export const adviseOn = (po: AdvisedAbout): Advised =>
  po.alarm !== null && ended.includes(po.state)
    ? {
        ...quiet,
        advice:
          'Compare the order with the file and with the service. When nothing is left to do, mark it as not needed.',
      }
    : byState(po);

/** The same for a group of POs with one reason, none of them a quote. */
export const adviseOnGroup = (state: PurchaseOrderState, reasonCode: string | null): Advised =>
  adviseOn({ state, reasonCode, quoteOnly: false, alarm: null, settled: false });

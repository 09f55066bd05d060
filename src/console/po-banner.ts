import { poName } from '../api-contract/po-words.ts';
import type { PoBanner } from '../api-contract/purchase-orders.ts';
import type { LastCall, ShownPurchaseOrder } from '../ledger/console/purchase-order.ts';
import { decide } from '../placing/decide.ts';
import type { AttemptFacts } from '../placing/decision.ts';
import { explainHold } from '../placing/hold-reasons.ts';
import { cancelStep, isSubmitted } from '../placing/pending-words.ts';
import type { ActiveState, ChangingStep, PurchaseOrderState } from '../placing/types.ts';
import { orderStatusMeaning } from '../reports/order-status-meaning.ts';
import { adviseOn } from './advised-actions.ts';
import { type Actable, offeredActions } from './offered-actions.ts';
import { pauseAdvice } from './pause-words.ts';
import { endReasonOf } from './reason-words.ts';

/** The inputs of the sentence about a PO. */
export type BannerFacts = Actable &
  Pick<ShownPurchaseOrder, 'poNumber' | 'asOf' | 'changedAt' | 'nextAt' | 'failingSince' | 'failures'> &
  Pick<ShownPurchaseOrder, 'reasonText' | 'mayHaveCart' | 'dispatch' | 'served' | 'pause'> &
  Pick<ShownPurchaseOrder, 'epoch' | 'lastCalls'> & {
    orderNumbers: readonly string[];
    orderStatus: string | null;
    issueCount: number;
  };

/** Adds a full stop unless the text already ends a sentence. Pure. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

const activeWords: Partial<Record<PurchaseOrderState, string>> = {
  ready: 'is waiting for its cart',
  cart_created: 'has a cart, and its lines are being added',
  items_added: 'has a complete cart and is about to be submitted',
  submitting: 'is being submitted',
  verifying: 'was submitted without a clear answer, and its order is being looked up',
};

const nextSteps: Partial<Record<PurchaseOrderState, string>> = {
  ready: 'Its cart is created',
  cart_created: 'Its lines are added',
  items_added: 'Its prices and stock are checked, and it is submitted',
  submitting: 'The answer of the service is recorded',
  verifying: 'Its order is looked up',
};

/** Of the facts of `decide` those that the last calls of a PO do not say, as they are when nothing is in its way. */
const otherFacts: Omit<AttemptFacts, 'state' | 'quoteOnly' | 'create' | 'items' | 'deletion'> = {
  ...{ submit: 'none', cartIsFresh: false, cartMayBeOurs: false, mayHaveOrdered: false, begunEarly: false },
  ...{ firstLookup: false, ordersCanWait: false, lookups: 0, rebuildsLeft: 1, submissionsLeft: 1 },
  ...{ troubled: false, outOfPatience: false, cancelling: false, holding: false, fileGrew: false },
  ...{ guard: false, lateEffects: false, lateCreation: false, ordersAdopted: false, poNumbersReused: false },
  ...{ submissionConsumesCart: true, createRefusesExistingCart: false, cartProvesNoOrder: false },
};

const deletes = 'Its cart is deleted';

/** Where an active PO is and what its next step is: those of its state, unless `decide` first does something about its last calls. */
const stageOf = ({ state, epoch, quoteOnly, lastCalls }: BannerFacts): { is: string; step: string } => {
  const inAttempt = (step: ChangingStep): LastCall | undefined =>
    lastCalls[step]?.epoch === epoch ? lastCalls[step] : undefined;
  const refusalBy = (call: LastCall | undefined): string | undefined =>
    call?.outcome === 'refused' ? (call.detail ? ` (${call.detail})` : '') : undefined;
  const deletion = inAttempt('delete_cart');
  const facts: AttemptFacts = {
    ...otherFacts,
    state: state as ActiveState,
    quoteOnly,
    // A call without an outcome is in progress, and is what the state says. A deletion is completed in any case.
    create: inAttempt('create_cart')?.outcome ?? 'none',
    items: inAttempt('add_items')?.outcome ?? 'none',
    deletion: deletion === undefined ? 'none' : (deletion.outcome ?? 'unknown'),
  };
  const next = decide(facts, { saw: 'nothing' });
  const own = { is: activeWords[state]!, step: nextSteps[state]! };
  const line = refusalBy(state === 'ready' ? lastCalls.add_items : inAttempt('add_items'));
  if (state === 'cart_created' && line !== undefined)
    return {
      is: `has a line that the service refused${line}; once its cart is deleted it fails, or is tried once more if a call had no clear answer`,
      step: deletes,
    };
  if (next.do === 'call' && next.step === 'delete_cart')
    return {
      is: 'has a cart that is being deleted',
      step: quoteOnly ? deletes : `${deletes} and built again`,
    };
  if (state === 'ready' && line !== undefined)
    return { ...own, is: `had a line that the service refused${line}, and is tried once more` };
  const order = state === 'verifying' ? refusalBy(inAttempt('submit_order')) : undefined;
  return order === undefined
    ? own
    : { ...own, is: `was refused when it was submitted${order}, and it is checked that it has no order` };
};

type Next = Pick<PoBanner, 'next' | 'nextAt'>;

const nothing: Next = { next: null, nextAt: null };

const nextOfActive = (po: BannerFacts): Next => {
  const step = po.cancelling ? cancelStep(po) : po.holding ? 'It is held' : stageOf(po).step;
  if (po.pause?.code === 'operator')
    return { next: 'Nothing new begins until a person resumes the account.', nextAt: null };
  if (po.pause && po.pause.until !== null && po.pause.until > po.asOf)
    return { next: `${step} when the pause of the account ends.`, nextAt: po.pause.until };
  if (po.leased) return { next: `${step} by the worker that is processing it.`, nextAt: null };
  if (!po.served)
    return { next: 'Nothing happens until a worker runs that can place this account.', nextAt: null };
  if (po.nextAt > po.asOf) return { next: `${step}.`, nextAt: po.nextAt };
  return po.dispatch === 'backlog'
    ? { next: `${step} as soon as it is its turn among the POs of the account.`, nextAt: null }
    : { next: `${step} in a moment.`, nextAt: null };
};

const active = (po: BannerFacts): Omit<PoBanner, 'actions' | 'place'> => {
  const trouble =
    po.failingSince === null
      ? ''
      : `; its last ${po.failures === 1 ? 'call' : `${po.failures} calls`} did not succeed${po.reasonText ? `: ${lowerFirst(po.reasonText)}` : ''}`;
  const why = po.pause ? `; its account is paused${po.pause.reason ? `: ${po.pause.reason}` : ''}` : '';
  const late = isSubmitted(po)
    ? ', but its submission was sent before; if it is ordered, an alarm says so'
    : '';
  const words = po.cancelling
    ? `is being cancelled${late}`
    : po.holding
      ? `is going to be held${late}`
      : stageOf(po).is;
  return {
    tone: po.pause || po.failingSince !== null ? 'attention' : 'progress',
    sentence: asSentence(`${poName(po.poNumber)} ${words}${trouble}${why}`),
    ...nextOfActive(po),
    advice: !po.served
      ? 'Ask the administrator of Cartwright to start a worker.'
      : po.pause
        ? pauseAdvice(po.pause).remedy
        : null,
  };
};

const ordered = (po: BannerFacts): Omit<PoBanner, 'actions' | 'place'> => {
  const numbers =
    po.orderNumbers.length === 0
      ? ''
      : ` as ${po.orderNumbers.slice(0, 3).join(', ')}${po.orderNumbers.length > 3 ? ` and ${po.orderNumbers.length - 3} more` : ''}`;
  const meaning = po.orderStatus === null ? null : orderStatusMeaning(po.orderStatus);
  const status =
    po.orderStatus === null
      ? ''
      : `; the service reports ${po.orderStatus}${meaning === null ? '' : ` (${lowerFirst(meaning.slice(0, -1))})`}`;
  const base = {
    sentence: asSentence(
      `${poName(po.poNumber)} is ${po.state === 'closed' ? 'ordered and closed' : 'ordered'}${numbers}${status}`,
    ),
    ...(po.state === 'closed'
      ? nothing
      : { next: 'Its status is updated by the next status check.', nextAt: null }),
  };
  return po.alarm === null
    ? { ...base, tone: 'good', advice: null }
    : {
        ...base,
        tone: 'bad',
        sentence: `${base.sentence} Something differs: ${asSentence(po.alarm)}`,
        advice: adviseOn(po).advice,
      };
};

const held = (po: BannerFacts): Omit<PoBanner, 'actions' | 'place'> => {
  const known = explainHold(po.reasonCode ?? undefined, po.quoteOnly);
  const why = po.reasonText ?? known?.meaning ?? 'A person has to decide.';
  return {
    tone: 'attention',
    sentence: `${poName(po.poNumber)} is held: ${asSentence(why)}`,
    next: po.mayHaveOrdered
      ? 'Status checks keep looking for its order; otherwise nothing happens until a person decides.'
      : 'Nothing is sent until a person decides.',
    nextAt: null,
    advice: adviseOn(po).advice,
  };
};

const ended = (po: BannerFacts): Omit<PoBanner, 'actions' | 'place'> => {
  const reason = endReasonOf(po.reasonCode);
  const why = po.reasonText ?? reason?.meaning;
  const because = why === undefined ? '.' : `: ${asSentence(why)}`;
  const isCorrected = po.reasonCode === 'corrected';
  const notNeeded = po.settled && !isCorrected ? ' A person says that it is not needed.' : '';
  switch (po.state) {
    case 'rejected':
      return {
        tone: isCorrected || po.settled ? 'neutral' : 'bad',
        sentence: isCorrected
          ? `${poName(po.poNumber)} was rejected, and a later file contains it without the issue.`
          : `${poName(po.poNumber)} was not sent: ${po.issueCount === 0 ? 'its file has' : po.issueCount === 1 ? 'its file has one issue' : `its file has ${po.issueCount} issues`}${po.issueCount === 0 ? ' an issue' : ''} in its rows.${notNeeded}`,
        ...nothing,
        advice: adviseOn(po).advice || null,
      };
    case 'failed':
      return {
        tone: isCorrected || po.settled ? 'neutral' : 'bad',
        sentence: `${poName(po.poNumber)} failed${because} ${isCorrected ? 'A later file has it without the issue.' : 'Nothing was ordered.'}${notNeeded}`,
        ...nothing,
        advice: adviseOn(po).advice || null,
      };
    default: {
      const quoted = po.reasonCode === 'quoted';
      return {
        tone: quoted ? 'good' : 'neutral',
        sentence: quoted
          ? `${poName(po.poNumber)} was quoted: its prices and stock were recorded, and nothing was ordered.`
          : `${poName(po.poNumber)} is cancelled${because}`,
        ...nothing,
        advice: adviseOn(po).advice || reason?.advice || null,
      };
    }
  }
};

/** The state of a PO, what happens next and when, and what a person can do. Pure; tested over all states and reasons. */
export const bannerOf = (po: BannerFacts): PoBanner => {
  const does = { actions: offeredActions(po), place: adviseOn(po).place };
  switch (po.state) {
    case 'held':
      return { ...held(po), ...does };
    case 'ordered':
    case 'closed':
      return { ...ordered(po), ...does };
    case 'rejected':
    case 'failed':
    case 'cancelled':
      return { ...ended(po), ...does };
    default:
      return { ...active(po), ...does };
  }
};

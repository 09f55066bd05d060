import type { FailedCall, OrderAnswer } from '../dealer-api/answers.ts';
import type { Step } from './decide.ts';
import { findGuardHold } from './guards.ts';
import type { Lookup } from './look.ts';
import { lateEffectsMs, type PlacingRules } from './options.ts';
import { growing, type Pause, pauseFor } from './pauses.ts';
import { failedText, holdText, lookupRefusedTexts, orderExistsText } from './reasons.ts';
import type { IntentOutcome, Move, TakenPurchaseOrder } from './types.ts';

const backoffCapMs = 60_000;

/** How long has been waited, after so many lookups, for what was written to become readable. */
export const waitedForLagMs = (looks: number): number =>
  Array.from({ length: looks }, (_, at) => growing(at, backoffCapMs)).reduce(
    (sum, waitMs) => sum + waitMs,
    0,
  );

/** What happened on the way to a decision, as far as the ledger or a person wants to know it. */
export interface Circumstances {
  po: TakenPurchaseOrder;
  rules: PlacingRules;
  /** The last call that was not answered with success. */
  failed: FailedCall | undefined;
  /** Which lookup it was, where it was one. */
  refusedLookup: Lookup | undefined;
  /** Orders that are new under the PO. */
  fresh: OrderAnswer[];
  cartNumber: string | undefined;
  orderNumber: string | undefined;
}

/** Only the present attempt's: what an earlier one was answered is over, and would name a wrong cause. */
const wordsOf = (po: TakenPurchaseOrder, outcomes: readonly (IntentOutcome | undefined)[]) =>
  po.intents.findLast((intent) => intent.epoch === po.epoch && outcomes.includes(intent.outcome))?.detail;

const holdReason = (
  code: Extract<Step, { do: 'hold' }>['code'],
  { po, rules, failed, refusedLookup }: Circumstances,
) => {
  if (code === 'guard') return findGuardHold(po.lines, rules.guards, po.approvals)!;
  const text =
    code === 'lookup_refused' ? lookupRefusedTexts[refusedLookup ?? 'order'] : holdText(code, po.quoteOnly);
  const words = failed?.message ?? wordsOf(po, ['contradicted']);
  return { code, text: `${text}${words ? ` (${words})` : ''}` };
};

/** An end at which nothing of ours is left at the service. */
const ending = (state: 'failed' | 'cancelled', code: string, text: string): Move => ({
  state,
  epoch: 'same',
  waitMs: 0,
  cart: 'gone',
  reason: { code, text },
});

type EndingStep = Exclude<Step, { do: 'look' | 'call' }>;

/** What the ledger is told for a decision that ends this piece of work, and whether the account pauses. */
export const moveFor = (step: EndingStep, circumstances: Circumstances): { move: Move; pause?: Pause } => {
  const { move, ...also } = moveOf(step, circumstances);
  const { po } = circumstances;
  // Lookups are counted within one state.
  return { move: { ...move, looks: move.looks ?? (move.state === po.state ? po.looks : 0) }, ...also };
};

const moveOf = (step: EndingStep, circumstances: Circumstances): { move: Move; pause?: Pause } => {
  const { po, rules, failed, fresh, cartNumber, orderNumber } = circumstances;
  const waits = {
    none: 0,
    reads: rules.readLagMs,
    late_effects: lateEffectsMs(rules),
    settle: rules.settleMs,
  };
  const pauseNow = () => pauseFor(failed!, rules);
  switch (step.do) {
    case 'ready':
      return {
        move: { state: 'ready', epoch: step.epoch, waitMs: waits[step.wait], cart: 'gone', rebuilt: true },
      };
    case 'cart_created':
      return { move: { state: step.do, epoch: 'same', waitMs: 0, cart: { number: cartNumber! } } };
    case 'items_added':
      return { move: { state: step.do, epoch: step.epoch, waitMs: waits[step.wait] } };
    case 'ordered': {
      const found = orderNumber === undefined ? { orders: fresh } : { orderNumber };
      return { move: { state: 'ordered', epoch: 'same', waitMs: 0, ...found } };
    }
    case 'verify': {
      const looks = po.state === 'verifying' ? po.looks + (step.counted ? 1 : 0) : 0;
      const move: Move = { state: 'verifying', epoch: 'same', waitMs: waits[step.wait], looks };
      return step.pause ? { move, pause: pauseNow() } : { move };
    }
    case 'hold': {
      const reason = holdReason(step.code, circumstances);
      return {
        move: {
          state: 'held',
          epoch: 'same',
          waitMs: 0,
          reason,
          ...(step.alarm ? { alarm: reason.text } : {}),
          ...(step.cartGone ? { cart: 'gone' } : {}),
        },
      };
    }
    case 'fail': {
      const text = failedText(wordsOf(po, ['refused', 'contradicted']));
      return { move: ending('failed', 'refused_by_service', text) };
    }
    case 'cancel': {
      const byPerson = po.cancelling && !po.orderIsLive;
      if (po.quoteOnly && !byPerson) return { move: ending('cancelled', 'order_exists', orderExistsText) };
      return { move: ending('cancelled', 'cancelled', 'Cancelled by a person; nothing was ordered.') };
    }
    case 'finish_quote': {
      const text = 'A quote: prices and availability were recorded, nothing was ordered.';
      return { move: ending('cancelled', 'quoted', text) };
    }
    case 'again': {
      // Its submission certainly did not act, or it would be verified.
      const state = po.state === 'submitting' ? 'items_added' : po.state;
      const again = { state, epoch: step.epoch };
      switch (step.because) {
        case 'reads':
          return { move: { ...again, waitMs: waits.reads } };
        // Due once the rest of the bound has passed.
        case 'late_effects':
          return { move: { ...again, waitMs: waits.late_effects - (po.sinceUnclearMs ?? 0) } };
        case 'lag':
          return { move: { ...again, waitMs: growing(po.looks, backoffCapMs), looks: po.looks + 1 } };
        case 'no_answer':
        case 'odd_answer':
          return { move: { ...again, waitMs: growing(po.failures, backoffCapMs), failed: true } };
        case 'account':
        case 'unreachable':
          // How long the pause lasts is the ledger's to say: it knows what other POs have met.
          return {
            move: { ...again, waitMs: 0, failed: step.because === 'unreachable' },
            pause: pauseNow(),
          };
      }
    }
  }
};

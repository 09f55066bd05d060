import { sinceUnclear } from './attempt-facts.ts';
import type { Step } from './decision.ts';
import { describeFailure, describeUnstable, lastUnclear } from './failed-call.ts';
import { findGuardHold } from './guards.ts';
import { endReasons, explainHold, refusedLookups } from './hold-reasons.ts';
import { lateEffectsMs, laterByMs, type PlacingRules, spacingMs } from './options.ts';
import { backoffMs, type Pause, pauseFor } from './pauses.ts';
import type { Findings } from './placing-run.ts';
import type { IntentOutcome, TakenPurchaseOrder, Transition } from './types.ts';

/**
 * The longest time between two tries of a PO.
 *
 * @internal also used by tests
 */
export const backoffCapMs = 60_000;

/** How long a PO has waited for a change to become readable, by its number of lookups. */
export const waitedForLagMs = (lookups: number): number =>
  Array.from({ length: lookups }, (_, at) => backoffMs(at, backoffCapMs)).reduce(
    (sum, waitMs) => sum + waitMs,
    0,
  );

/** The input of a transition: the PO, and what the last lookup or call showed. */
export interface TransitionInput
  extends Pick<Findings, 'failed' | 'newOrders' | 'cartNumber' | 'orderNumber'> {
  po: TakenPurchaseOrder;
  rules: PlacingRules;
}

/** A decision that neither looks up nor calls: it changes the PO's state, or waits in it. */
export type TransitionStep = Exclude<Step, { do: 'lookup' | 'call' }>;

/** The transition for a decision, and the account's pause if the decision asks for one. Pure. */
export const transitionFor = (
  step: TransitionStep,
  input: TransitionInput,
): { transition: Transition; pause?: Pause } => {
  const transition = transitionOf(step, input);
  const { po, rules, failed } = input;
  // Lookups are counted within one state.
  const lookups = transition.lookups ?? (transition.state === po.state ? po.lookups : 0);
  return {
    transition: { ...transition, lookups },
    ...(pausesAccount(step) ? { pause: pauseFor(failed!, rules) } : {}),
  };
};

const pausesAccount = (step: TransitionStep): boolean =>
  step.do === 'verify'
    ? step.pause === true
    : step.do === 'retry' && (step.because === 'account' || step.because === 'unreachable');

const transitionOf = (step: TransitionStep, input: TransitionInput): Transition => {
  const { po, rules, failed, newOrders = [], cartNumber, orderNumber } = input;
  const waits = {
    none: 0,
    reads: rules.readLagMs,
    late_effects: lateEffectsMs(rules),
    settle: rules.settleMs + Math.max(0, ...po.intents.map((intent) => laterByMs(intent, rules))),
    spaced: spacingMs(rules),
  };
  const same = { epoch: 'same', waitMs: 0 } as const;
  switch (step.do) {
    case 'ready':
      return {
        state: 'ready',
        epoch: step.epoch,
        waitMs: waits[step.wait],
        cart: 'gone',
        rebuilt: step.rebuilt ?? false,
      };
    case 'cart_created':
      return { ...same, state: 'cart_created', cart: { number: cartNumber! } };
    case 'items_added':
      return { state: 'items_added', epoch: step.epoch, waitMs: waits[step.wait] };
    case 'ordered':
      return {
        ...same,
        state: 'ordered',
        ...(orderNumber === undefined ? { orders: newOrders } : { orderNumber }),
      };
    case 'verify': {
      const lookups = po.state === 'verifying' ? po.lookups + (step.counted ? 1 : 0) : 0;
      return { state: 'verifying', epoch: 'same', waitMs: waits[step.wait], lookups };
    }
    case 'hold': {
      const reason = holdReason(step.code, input);
      return {
        ...same,
        state: 'held',
        reason,
        ...(step.alarm ? { alarm: reason.text } : {}),
        ...(step.cartGone ? { cart: 'gone' } : {}),
      };
    }
    case 'fail': {
      const message = failed?.message ?? answeredIntent(po, ['refused', 'contradicted'])?.detail;
      const { meaning } = endReasons.refused_by_service;
      return ending('refused_by_service', message ? `${meaning}: ${message}` : `${meaning}.`);
    }
    case 'cancel': {
      const byPerson = po.cancelling && !po.orderIsLive;
      return ending(po.quoteOnly && !byPerson ? 'order_exists' : 'cancelled');
    }
    case 'finish_quote':
      return ending('quoted');
    case 'retry': {
      // A PO in `submitting` whose submission may have acted would be verified instead.
      const state = po.state === 'submitting' ? 'items_added' : po.state;
      return { state, epoch: step.epoch, ...retryAfter(step.because, input, waits) };
    }
  }
};

const retryAfter = (
  because: Extract<Step, { do: 'retry' }>['because'],
  { po, rules, failed }: TransitionInput,
  waits: { reads: number; late_effects: number },
): Pick<Transition, 'waitMs' | 'lookups' | 'failed'> => {
  switch (because) {
    case 'reads':
      return { waitMs: waits.reads };
    // Due once the rest of the bound has passed.
    case 'late_effects':
      return { waitMs: waits.late_effects - (sinceUnclear(po, rules) ?? 0) };
    case 'lag':
      return { waitMs: backoffMs(po.lookups, backoffCapMs), lookups: po.lookups + 1 };
    case 'no_answer':
    case 'odd_answer':
      return { waitMs: backoffMs(po.failures, backoffCapMs), failed: describeFailure(failed) };
    // The PO waits as long as the pause, whose length the ledger decides: it knows the failures of other POs.
    case 'account':
      return { waitMs: 0 };
    case 'unreachable':
      return { waitMs: 0, failed: describeFailure(failed) };
  }
};

/** The service's answer in this epoch. An earlier epoch's answer would name a wrong cause. */
const answeredIntent = (po: TakenPurchaseOrder, outcomes: readonly (IntentOutcome | undefined)[]) =>
  po.intents.findLast((intent) => intent.epoch === po.epoch && outcomes.includes(intent.outcome));

const holdReason = (
  code: Extract<Step, { do: 'hold' }>['code'],
  { po, rules, failed }: TransitionInput,
): { code: string; text: string } => {
  if (code === 'guard') return findGuardHold(po.lines, rules.guards, po.approvals)!;
  const { meaning, advice } = explainHold(code, po.quoteOnly)!;
  const own =
    code === 'lookup_refused'
      ? refusedLookups[failed?.call ?? 'order']
      : code === 'service_unstable'
        ? describeUnstable(po)
        : undefined;
  const text = `${own || meaning} ${advice}`;
  const { step, detail } =
    (code === 'service_unstable' ? lastUnclear(po) : answeredIntent(po, ['contradicted'])) ?? {};
  const last = failed ?? (step && detail ? { call: step, message: detail } : undefined);
  return { code, text: last ? `${text} (${describeFailure(last)})` : text };
};

/** An end state that leaves nothing of ours at the service. */
const ending = (
  code: 'refused_by_service' | 'cancelled' | 'order_exists' | 'quoted',
  text: string = endReasons[code].meaning,
): Transition => ({
  state: endReasons[code].state,
  epoch: 'same',
  waitMs: 0,
  cart: 'gone',
  reason: { code, text },
});

import { afterWrite } from './after-write.ts';
import { attemptFactsOf } from './attempt-facts.ts';
import { decide } from './decide.ts';
import type { Step } from './decision.ts';
import { continueAndLog, type Pause, pauseAndLog } from './pauses.ts';
import { type BegunCall, nextCallOf } from './perform-call.ts';
import type { NextCall } from './placing-ledger.ts';
import type { Findings, PlacingRun } from './placing-run.ts';
import { type TransitionStep, transitionFor } from './transition-for.ts';
import {
  type ActiveState,
  type DueWork,
  isActiveState,
  type TakenPurchaseOrder,
  type Transition,
} from './types.ts';

export type Recorded =
  /** The lease was released. `next`: the POs that get a job now, including this one if it has a next step. */
  | { kind: 'transitioned'; state: Transition['state']; waitMs: number; next: DueWork[] }
  /** The lease is kept, and the next step follows at once. `begun`: a call whose intent was committed, too. */
  | { kind: 'continues'; po: TakenPurchaseOrder; begun: BegunCall | undefined }
  | { kind: 'lost' };

/**
 * Writes the transition for a decision, together with the outcome of the last call. Before that the account
 * pauses where the decision or the account's circuit says so, and the PO then waits as long as its account.
 *
 * `reached`: a call or lookup under this lease was answered with success. `opened`: the pause that the circuit asks for.
 */
export const recordTransition = async (
  { deps, lease, rules }: PlacingRun,
  po: TakenPurchaseOrder,
  step: TransitionStep,
  findings: Findings,
  { reached, opened }: { reached: boolean; opened: Pause | undefined },
): Promise<Recorded> => {
  const { ledger } = deps;
  const { transition: planned, pause = opened } = transitionFor(step, { ...findings, po, rules });
  const pausedMs = pause ? await pauseAndLog(deps, po.account, pause) : 0;
  const transition = { ...planned, pausedMs };
  const { state } = transition;
  const waitMs = Math.max(planned.waitMs, pausedMs);
  const keepsLease = continuesAtOnce(step, transition) && !deps.jobPerStage && !deps.stopping?.();
  const begin = keepsLease ? callAfter(rules, afterWrite(po, transition, findings.ended)) : undefined;
  const kept = keepsLease
    ? await ledger.transitionKeepingLease(po, lease.owner, transition, findings.ended, begin)
    : undefined;
  const released = keepsLease
    ? undefined
    : await ledger.transition(po, lease.owner, transition, findings.ended);
  if (!kept && !released) return { kind: 'lost' };
  await deps.checkpoint?.('outcome_committed', po.poNumber);
  const isBack = reached && !pause && po.accountWasPaused;
  if (isBack) await continueAndLog(deps, po.account);
  logTransition(deps, po, transition);
  if (kept) {
    const { po: now, intentId } = kept;
    return {
      kind: 'continues',
      po: isBack ? { ...now, accountPauses: 0, accountWasPaused: false } : now,
      begun: begin && intentId !== undefined ? { step: begin.step, intentId } : undefined,
    };
  }
  const { queued, next } = released!;
  const own = isActiveState(state) && queued ? [dueWorkOf(po, state, waitMs)] : [];
  return { kind: 'transitioned', state, waitMs, next: [...own, ...next] };
};

/** The next step if it is a call; its intent is committed together with the transition. */
const callAfter = (rules: PlacingRun['rules'], po: TakenPurchaseOrder): NextCall | undefined => {
  const next = decide(attemptFactsOf(po, rules), { saw: 'nothing' });
  return next.do === 'call' ? nextCallOf(next, rules.requestTimeoutMs) : undefined;
};

const dueWorkOf = (
  { id, importId, run, account, poNumber, fileName }: TakenPurchaseOrder,
  state: ActiveState,
  waitMs: number,
): DueWork => ({ id, importId, run, account, poNumber, fileName, state, waitMs });

/** After a new or a full cart there is nothing to wait for. */
const continuesAtOnce = (
  step: Step,
  transition: Transition,
): transition is Transition & { state: ActiveState } =>
  (step.do === 'cart_created' || step.do === 'items_added') &&
  transition.epoch === 'same' &&
  transition.waitMs === 0 &&
  !transition.pausedMs;

const logTransition = (
  { logger, reasonLog }: PlacingRun['deps'],
  { account, poNumber, epoch, failures }: TakenPurchaseOrder,
  { state, reason, failed }: Transition,
): void => {
  // Logged for the first failure only; the ledger has the number of repetitions.
  const begins = failed !== undefined && failures === 0;
  const why = reason ?? (begins ? { code: 'call_failed', text: `${failed}. It is retried.` } : undefined);
  if (why) reasonLog.note({ account, poNumber, state, epoch, reason: why });
  else logger.debug({ account, poNumber, state, epoch }, 'Purchase order changed state');
};

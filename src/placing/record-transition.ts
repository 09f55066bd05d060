import type { Step } from './decide.ts';
import { continueAndLog, pauseAndLog } from './pauses.ts';
import type { Findings, PlacingRun } from './placing-run.ts';
import { type TransitionStep, transitionFor } from './transition-for.ts';
import type { ActiveState, TakenPurchaseOrder, Transition } from './types.ts';

export type Recorded =
  /** The lease was released. `run` is the number of the PO's next job run. */
  | { kind: 'transitioned'; state: Transition['state']; waitMs: number; run: number }
  /** The lease is kept, and the next step follows at once. */
  | { kind: 'continues'; po: TakenPurchaseOrder }
  | { kind: 'lost' };

/**
 * Writes the transition that a decision leads to, together with the outcome of the last call. Before that the account
 * pauses where the decision says so, and the PO then waits as long as its account.
 *
 * @param reached whether any call or lookup under this lease was answered with success
 */
export const recordTransition = async (
  { deps, lease, rules }: PlacingRun,
  po: TakenPurchaseOrder,
  step: TransitionStep,
  findings: Findings,
  reached: boolean,
): Promise<Recorded> => {
  const { ledger } = deps;
  const { transition: planned, pause } = transitionFor(step, { ...findings, po, rules });
  const pausedMs = pause ? await pauseAndLog(deps, po.account, pause) : 0;
  const transition = { ...planned, waitMs: Math.max(planned.waitMs, pausedMs) };
  const { state, waitMs } = transition;
  const next =
    continuesAtOnce(step, transition) && !deps.stopping?.()
      ? await ledger.transitionKeepingLease(po, lease.owner, transition, findings.ended)
      : await ledger.transition(po, lease.owner, transition, findings.ended);
  if (!next) return { kind: 'lost' };
  await deps.checkpoint?.('outcome_committed', po.poNumber);
  const isBack = reached && !pause && po.accountWasPaused;
  if (isBack) await continueAndLog(deps, po.account);
  logTransition(deps, po, transition);
  if (next === true) return { kind: 'transitioned', state, waitMs, run: po.run };
  return { kind: 'continues', po: isBack ? { ...next, accountPauses: 0, accountWasPaused: false } : next };
};

/** After a new or a full cart there is nothing to wait for. */
const continuesAtOnce = (
  step: Step,
  transition: Transition,
): transition is Transition & { state: ActiveState } =>
  (step.do === 'cart_created' || step.do === 'items_added') &&
  transition.epoch === 'same' &&
  transition.waitMs === 0;

const logTransition = (
  { logger, reasonLog }: PlacingRun['deps'],
  { account, poNumber, epoch }: TakenPurchaseOrder,
  { state, reason }: Transition,
): void => {
  if (reason) reasonLog.note({ account, poNumber, state, epoch, reason });
  else logger.debug({ account, poNumber, state, epoch }, 'Purchase order changed state');
};

import type { CallResult, DealerApi, FailedCall, OrderAnswer } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import { type CallKind, decide, type Observation, outcomeOf, type Step } from './decide.ts';
import { type Clock, createLease, type Lease } from './lease.ts';
import { compactDay } from './list-range.ts';
import { type Lookup, look } from './look.ts';
import { moveFor } from './move-for.ts';
import { noteLag } from './note-lag.ts';
import type { PlacingRules } from './options.ts';
import { continueAndLog, pauseAndLog } from './pauses.ts';
import type { ReasonLog } from './reason-log.ts';
import { sendItems } from './send-items.ts';
import { standingOf } from './standing.ts';
import type {
  ActiveState,
  ChangingStep,
  EndedStep,
  Move,
  PlacingLedger,
  PurchaseOrderState,
  TakenPurchaseOrder,
} from './types.ts';

/** Moments at which a crash is survived; tests stop the process there. */
export type Checkpoint =
  | 'intent_committed'
  | 'effect_done'
  | 'outcome_committed'
  | 'between_items'
  | 'rebuilding'
  | 'verifying';

export interface PlacingDeps {
  ledger: PlacingLedger;
  /** The accounts whose POs this process can place now; of no other is a PO ever taken. */
  accounts: () => readonly string[];
  apiOf: (account: string) => DealerApi;
  rulesOf: (account: string) => PlacingRules;
  leaseMs: number;
  /** From a lease that ran out to its takeover: request timeout plus settle of the slowest account. */
  graceMs: number;
  logger: Logger;
  reasonLog: ReasonLog;
  clock: Clock;
  /** True once this process is to end: then a PO is left at its next state, for another. */
  stopping?: () => boolean;
  checkpoint?: (name: Checkpoint, poNumber: string) => Promise<void>;
}

export type Advanced =
  /** `run` is the number that its next job run has. */
  | { kind: 'moved'; state: PurchaseOrderState; waitMs: number; run: number }
  | { kind: 'later'; waitMs: number; why: 'leased' | 'paused' | 'not_yet' }
  | { kind: 'not_served'; account: string }
  | { kind: 'elsewhere'; state: PurchaseOrderState | undefined }
  /** The lease was lost on the way: whoever has it goes on. */
  | { kind: 'lost' };

/** A cart that stands, or is full, is gone on with under the same lease: nothing has to be waited for or judged anew. */
const goesOn = (step: Step, move: Move): boolean =>
  (step.do === 'cart_created' || step.do === 'items_added') && move.epoch === 'same' && move.waitMs === 0;

/** Makes of the PO in hand what the ledger has after such a move. What an earlier cart was answered says nothing of a new one. */
const applyMove = (po: TakenPurchaseOrder, move: Move): void => {
  Object.assign(po, { state: move.state, looks: move.looks ?? po.looks, failures: 0, failingForMs: 0 });
  if (typeof move.cart !== 'object') return;
  Object.assign(po, { cartNumber: move.cart.number, cartEpoch: po.epoch });
  for (const line of po.lines) line.answer = undefined;
};

/**
 * Takes a PO in one of these states and does its next steps until it is ordered, ended, or has to wait. What
 * to do is `decide`'s to say; here an intent is committed before each call that changes something, its outcome
 * after it (rule 1), and nothing is sent or written without the lease (rule 10).
 *
 * Safe to call for any PO at any time, from any number of processes: one of them works, the others answer
 * `later` or `elsewhere`. Throws only when the ledger cannot be reached.
 */
export const advance = async (
  deps: PlacingDeps,
  id: string,
  states: readonly ActiveState[],
): Promise<Advanced> => {
  const lease = createLease(deps.ledger, deps.clock, id, deps.leaseMs);
  const { leaseMs, graceMs } = deps;
  const taken = await deps.ledger.take(id, {
    owner: lease.owner,
    accounts: deps.accounts(),
    states,
    leaseMs,
    graceMs,
  });
  if (taken.kind !== 'taken') return taken;
  lease.keep();
  try {
    return await work(deps, taken.po, lease);
  } finally {
    lease.stop();
  }
};

const work = async (deps: PlacingDeps, po: TakenPurchaseOrder, lease: Lease): Promise<Advanced> => {
  const { ledger } = deps;
  const { owner, holds } = lease;
  const api = deps.apiOf(po.account);
  const rules = deps.rulesOf(po.account);
  const pass = (name: Checkpoint) => deps.checkpoint?.(name, po.poNumber);
  let observation: Observation = { saw: 'nothing' };
  let orderNumbers: string[] = [];
  let fresh: OrderAnswer[] = [];
  let ended: EndedStep | undefined;
  let failed: FailedCall | undefined;
  let cartNumber: string | undefined;
  let orderNumber: string | undefined;
  let reached = false;
  let refusedLookup: Lookup | undefined;

  const kindOf = async (result: CallResult<unknown>): Promise<CallKind> => {
    failed = result.kind === 'ok' ? undefined : result;
    reached ||= result.kind === 'ok';
    // Rule 13: a 403 is the account's problem only where today's orders are refused too.
    if (result.kind !== 'denied' || result.status !== 403) return result.kind;
    const today = deps.clock.date();
    const range = await api.listOrders(compactDay(today), compactDay(today), holds);
    // Some services answer 404 for a day without orders.
    return range.kind === 'ok' || range.kind === 'not_found' ? 'refused' : 'denied';
  };

  const perform = async (step: ChangingStep): Promise<{ kind: CallKind; also?: Partial<EndedStep> }> => {
    switch (step) {
      case 'create_cart': {
        const result = await api.createCart(po, holds);
        if (result.kind === 'ok') cartNumber = result.value.cartNumber;
        return { kind: await kindOf(result) };
      }
      case 'delete_cart': {
        const result = await api.deleteCart(po.poNumber, holds);
        // That it is gone already is what was wanted, and nothing to tell a person.
        const gone = result.kind === 'not_found';
        const kind = await kindOf(gone ? { kind: 'ok', value: undefined } : result);
        return { kind: gone ? 'not_found' : kind };
      }
      case 'submit_order': {
        const result = await api.createOrder(po.poNumber, holds);
        if (result.kind === 'ok') orderNumber = result.value.orderNumber;
        return { kind: await kindOf(result) };
      }
      case 'add_items': {
        const { answers, stop } = await sendItems(api, po.poNumber, po.lines, holds, async () => {
          await pass('between_items');
        });
        for (const { rowNumber, answer } of answers) {
          po.lines.find((line) => line.rowNumber === rowNumber)!.answer = answer;
        }
        if (!stop) return { kind: await kindOf({ kind: 'ok', value: undefined }), also: { answers } };
        const { rowNumber } = stop.line;
        const kind = await kindOf(stop.result);
        const message = stop.result.message;
        // What is about the account is not about a row.
        const ofThisLine =
          kind === 'refused' || kind === 'not_found' || kind === 'conflict' || kind === 'unknown';
        if (failed && ofThisLine) failed = { ...failed, message: `row ${rowNumber}: ${message}` };
        const refusal = { rowNumber, message };
        return {
          kind,
          also: { answers, ...(kind === 'refused' || kind === 'not_found' ? { refusal } : {}) },
        };
      }
    }
  };

  /** Undefined when the lease was lost. */
  const call = async (step: ChangingStep): Promise<Observation | undefined> => {
    const firstChange = step === 'create_cart' && po.baseline === undefined;
    const intentId = await ledger.beginStep(po, owner, step, {
      ...(firstChange ? { baseline: orderNumbers } : {}),
      ...(step === 'submit_order' ? { state: 'submitting' as const } : {}),
    });
    if (intentId === undefined) return undefined;
    if (firstChange) po.baseline = orderNumbers;
    if (step === 'submit_order') po.state = 'submitting';
    const intent = { epoch: po.epoch, step, outcome: undefined, detail: undefined };
    po.intents.push(intent);
    await pass('intent_committed');
    if (step === 'delete_cart') await pass('rebuilding');
    const { kind, also } = await perform(step);
    await pass('effect_done');
    if (kind === 'not_sent' && !holds()) return undefined;
    ended = { intentId, outcome: outcomeOf(step, kind), detail: failed?.message, ...also };
    Object.assign(intent, { outcome: ended.outcome, detail: ended.detail });
    return { saw: 'answer', to: step, kind };
  };

  for (;;) {
    const step: Step = decide(standingOf(po, rules), observation);
    if (step.do !== 'look' && step.do !== 'call') {
      const { move: moved, pause } = moveFor(step, {
        po,
        rules,
        failed,
        refusedLookup,
        fresh,
        cartNumber,
        orderNumber,
      });
      const pausedMs = pause ? await pauseAndLog(deps, po.account, pause) : 0;
      const move = { ...moved, waitMs: Math.max(moved.waitMs, pausedMs) };
      const keepLease = goesOn(step, move) && !deps.stopping?.();
      if (!(await ledger.move(po, owner, move, ended, { keepLease }))) return { kind: 'lost' };
      await pass('outcome_committed');
      if (reached && !pause && po.accountWasPaused) {
        await continueAndLog(deps, po.account);
        Object.assign(po, { accountPauses: 0, accountWasPaused: false });
      }
      const { account, poNumber, epoch } = po;
      const { state, reason } = move;
      if (reason) deps.reasonLog.note({ account, poNumber, state, epoch, reason });
      else deps.logger.debug({ account, poNumber, state, epoch }, 'purchase order moved');
      if (!keepLease) return { kind: 'moved', state: move.state, waitMs: move.waitMs, run: po.run };
      applyMove(po, move);
      observation = { saw: 'nothing' };
      ended = undefined;
      failed = undefined;
      continue;
    }
    if (ended) {
      if (!(await ledger.endStep(po, owner, ended))) return { kind: 'lost' };
      ended = undefined;
    }
    if (step.do === 'call') {
      const answer = await call(step.step);
      if (!answer) return { kind: 'lost' };
      observation = answer;
    } else {
      if (po.state === 'verifying') await pass('verifying');
      const looked = await look(api, po, step.at, holds, deps.clock.date());
      if (!holds()) return { kind: 'lost' };
      ({ observation, orderNumbers, fresh } = looked);
      if (looked.failed) {
        observation = { saw: 'failed_look', kind: (await kindOf(looked.failed)) as 'unknown' };
        refusedLookup = looked.failedAt;
      } else {
        reached = true;
        await noteLag(deps, po, rules, observation);
      }
    }
  }
};

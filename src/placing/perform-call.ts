import type { FailedCall } from '../dealer-api/answers.ts';
import { intentOutcomeOf } from './after-answer.ts';
import type { CallKind, Step } from './decision.ts';
import type { EndedStep, NextCall } from './placing-ledger.ts';
import { type Findings, kindOf, type Performed, type PlacingRun } from './placing-run.ts';
import { type FailedLine, sendItems } from './send-items.ts';
import type { ChangingStep, TakenPurchaseOrder } from './types.ts';

/** The service's answer to one changing call. */
interface Sent extends Pick<Findings, 'cartNumber' | 'orderNumber'> {
  kind: CallKind;
  failed?: FailedCall;
  /** Data that the ledger records with the outcome. */
  also?: Pick<EndedStep, 'answers' | 'refusal'>;
}

type Call = Extract<Step, { do: 'call' }>;

/**
 * Commits the intent of a call that changes something at the service, and makes the call (rule 1).
 *
 * @param orderNumbers of the lookup before this call, for the record of rule 2
 */
export const performCall = async (
  run: PlacingRun,
  po: TakenPurchaseOrder,
  { step, baseline }: Call,
  orderNumbers: string[] | undefined,
): Promise<Performed> => {
  const { deps, lease, rules } = run;
  const known = baseline === 'found' ? orderNumbers : baseline === 'none' ? [] : undefined;
  const begun = await deps.ledger.beginStep(po, lease.owner, step, {
    ...(known ? { baseline: known } : {}),
    ...(step === 'submit_order' ? { state: 'submitting' as const } : {}),
    timeoutMs: rules.requestTimeoutMs,
  });
  return begun.kind === 'begun' ? makeCall(run, begun.po, { step, intentId: begun.intentId }) : begun;
};

/** The intent to commit with the transition before the call; undefined for a call that needs a lookup or a person's decision first. */
export const nextCallOf = ({ step, baseline }: Call, timeoutMs: number): NextCall | undefined =>
  step === 'submit_order' || baseline === 'found'
    ? undefined
    : { step, timeoutMs, ...(baseline === 'none' ? { baseline: [] } : {}) };

/** A call whose intent is committed. */
export interface BegunCall {
  step: ChangingStep;
  intentId: string;
}

/** Makes a call whose intent is committed, and answers its outcome, which the caller records with its next write. */
export const makeCall = async (
  run: PlacingRun,
  po: TakenPurchaseOrder,
  { step, intentId }: BegunCall,
): Promise<Performed> => {
  const { deps, lease } = run;
  await deps.checkpoint?.('intent_committed', po.poNumber);
  if (step === 'delete_cart') await deps.checkpoint?.('rebuilding', po.poNumber);
  const { kind, also, failed, ...sent } = await send[step](run, po);
  await deps.checkpoint?.('effect_done', po.poNumber);
  // The lost lease prevented the call: the service did not fail, and another worker may already have taken over.
  if (kind === 'not_sent' && !lease.holds()) return { kind: 'lost' };
  const outcome = intentOutcomeOf(step, kind);
  return {
    kind: 'done',
    po,
    findings: {
      ...sent,
      failed: failed && { ...failed, call: step },
      observation: { saw: 'answer', to: step, kind },
      reached: failed === undefined,
      ended: { intentId, outcome, detail: failed?.message, ...also },
    },
  };
};

const sendFailed = async (run: PlacingRun, failed: FailedCall): Promise<Sent> => ({
  kind: await kindOf(run, failed),
  failed,
});

/**
 * Several lines can fail together, and the first of these kinds decides. A line that may be in the cart comes first: nothing
 * else is certain then, and after a refusal alone the PO would fail while a line can still arrive in the cart of the next PO
 * of its number (rules 3 and 4). Only failures of the last kinds say exactly which lines are in the cart.
 */
const byWeight: readonly CallKind[] = [
  'unknown',
  'conflict',
  'misdirected',
  'refused',
  'not_found',
  'denied',
  'unsupported',
  'limited',
  'not_sent',
];

const decisiveFailure = async (
  run: PlacingRun,
  failed: readonly FailedLine[],
): Promise<(FailedLine & { kind: CallKind }) | undefined> => {
  const denied = failed.find(({ result }) => result.kind === 'denied');
  const deniedKind = denied && (await kindOf(run, denied.result));
  const waitMs = ({ result }: FailedLine) => (result.kind === 'limited' ? (result.waitMs ?? 0) : 0);
  return failed
    .map((each) => ({ ...each, kind: each.result.kind === 'denied' ? deniedKind! : each.result.kind }))
    .sort((a, b) => byWeight.indexOf(a.kind) - byWeight.indexOf(b.kind) || waitMs(b) - waitMs(a))[0];
};

const send: Record<ChangingStep, (run: PlacingRun, po: TakenPurchaseOrder) => Promise<Sent>> = {
  create_cart: async (run, po) => {
    const result = await run.api.createCart(po, run.lease.holds);
    return result.kind === 'ok'
      ? { kind: 'ok', cartNumber: result.value.cartNumber }
      : sendFailed(run, result);
  },
  delete_cart: async (run, po) => {
    const result = await run.api.deleteCart(po.poNumber, run.lease.holds);
    // A cart that is gone already is a success, with nothing to quote to a person.
    return result.kind === 'ok' || result.kind === 'not_found'
      ? { kind: result.kind }
      : sendFailed(run, result);
  },
  submit_order: async (run, po) => {
    const result = await run.api.createOrder(po.poNumber, run.lease.holds);
    return result.kind === 'ok'
      ? { kind: 'ok', orderNumber: result.value.orderNumber }
      : sendFailed(run, result);
  },
  add_items: async (run, po) => {
    const { answers, failed } = await sendItems(run.api, po.poNumber, po.lines, run.lease.holds, {
      atOnce: run.rules.linesInFlight,
      afterEach: async () => {
        await run.deps.checkpoint?.('between_items', po.poNumber);
      },
    });
    const decisive = await decisiveFailure(run, failed);
    if (!decisive) return { kind: 'ok', also: { answers } };
    const { kind, result } = decisive;
    const { rowNumber } = decisive.line;
    const { message } = result;
    const isRefusal = kind === 'refused' || kind === 'not_found';
    // The other kinds concern the account and not a row.
    const isAboutThisLine = isRefusal || kind === 'conflict' || kind === 'unknown';
    return {
      kind,
      failed: isAboutThisLine ? { ...result, message: `row ${rowNumber}: ${message}` } : result,
      also: { answers, ...(isRefusal ? { refusal: { rowNumber, message } } : {}) },
    };
  },
};

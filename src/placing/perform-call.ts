import type { FailedCall } from '../dealer-api/answers.ts';
import { type CallKind, intentOutcomeOf } from './decide.ts';
import { type Findings, kindOf, type PlacingRun } from './placing-run.ts';
import { sendItems } from './send-items.ts';
import type { ChangingStep, EndedStep, TakenPurchaseOrder } from './types.ts';

/** What the service answered to one changing call. */
interface Sent extends Pick<Findings, 'failed' | 'cartNumber' | 'orderNumber'> {
  kind: CallKind;
  /** What the ledger records with the outcome. */
  also?: Pick<EndedStep, 'answers' | 'refusal'>;
}

/**
 * One call that changes something at the service: commits its intent, sends it, and answers its outcome, which the
 * caller records with its next write (rule 1).
 *
 * @param orderNumbers of the lookup before the first change: the record of rule 2
 * @returns undefined when the lease was lost
 */
export const performCall = async (
  run: PlacingRun,
  po: TakenPurchaseOrder,
  step: ChangingStep,
  orderNumbers: string[] | undefined,
): Promise<{ po: TakenPurchaseOrder; findings: Findings } | undefined> => {
  const { deps, lease } = run;
  const isFirstChange = step === 'create_cart' && po.baseline === undefined;
  const begun = await deps.ledger.beginStep(po, lease.owner, step, {
    ...(isFirstChange && orderNumbers ? { baseline: orderNumbers } : {}),
    ...(step === 'submit_order' ? { state: 'submitting' as const } : {}),
  });
  if (!begun) return undefined;
  await deps.checkpoint?.('intent_committed', po.poNumber);
  if (step === 'delete_cart') await deps.checkpoint?.('rebuilding', po.poNumber);
  const { kind, also, ...sent } = await send[step](run, begun.po);
  await deps.checkpoint?.('effect_done', po.poNumber);
  // The lease stopped it: that is no fault of the service, and another worker may already have taken over.
  if (kind === 'not_sent' && !lease.holds()) return undefined;
  const outcome = intentOutcomeOf(step, kind);
  return {
    po: begun.po,
    findings: {
      ...sent,
      observation: { saw: 'answer', to: step, kind },
      reached: sent.failed === undefined,
      ended: { intentId: begun.intentId, outcome, detail: sent.failed?.message, ...also },
    },
  };
};

const sendFailed = async (run: PlacingRun, failed: FailedCall): Promise<Sent> => ({
  kind: await kindOf(run, failed),
  failed,
});

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
    const { answers, stop } = await sendItems(run.api, po.poNumber, po.lines, run.lease.holds, async () => {
      await run.deps.checkpoint?.('between_items', po.poNumber);
    });
    if (!stop) return { kind: 'ok', also: { answers } };
    const { rowNumber } = stop.line;
    const { message } = stop.result;
    const kind = await kindOf(run, stop.result);
    const isRefusal = kind === 'refused' || kind === 'not_found';
    // The other kinds concern the account and not a row.
    const isAboutThisLine = isRefusal || kind === 'conflict' || kind === 'unknown';
    return {
      kind,
      failed: isAboutThisLine ? { ...stop.result, message: `row ${rowNumber}: ${message}` } : stop.result,
      also: { answers, ...(isRefusal ? { refusal: { rowNumber, message } } : {}) },
    };
  },
};

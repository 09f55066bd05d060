import type { LedgerRow } from './memory-ledger.ts';
import { type ModelService, skuOfId } from './model-service.ts';
import type { Plan } from './plan.ts';

export interface Verdict {
  seed: number;
  /** Violations of the promise. */
  wrongs: string[];
  /** The reason codes of POs that are held without a cause in their plan. */
  held: string[];
  purchaseOrders: number;
  /** Number of POs that met each event, because a simulation in which nothing happens proves nothing. */
  met: Record<'rebuilt' | 'unknownSubmission' | 'resubmitted' | 'ordered', number>;
}

const quantities = (lines: readonly { sku: string; quantity: number }[]): string => {
  const sums = new Map<string, number>();
  for (const { sku, quantity } of lines) sums.set(sku, (sums.get(sku) ?? 0) + quantity);
  return JSON.stringify([...sums].sort());
};

/** Whether the service's orders under the number since our first change are as asked, or the PO has an alarm. */
const alarmed = (
  { alarm, baseline }: LedgerRow,
  orders: ReturnType<ModelService['ordersUnder']>['orders'],
  asked: { sku: string; quantity: number }[],
): boolean =>
  alarm !== undefined ||
  quantities(
    orders.filter(({ orderNumber }) => !baseline?.includes(orderNumber)).flatMap(({ lines }) => lines),
  ) === quantities(asked);

/**
 * Exactly one order with exactly the file's quantities, or none and a clear end: judged by the service's own log, never by
 * the ledger. Also, no PO is stalled, and nothing is wrong without an alarm.
 */
export const judge = ({
  seed,
  plans,
  rows,
  service,
  drained,
  restored,
  unexplained,
  stood,
}: {
  seed: number;
  plans: readonly Plan[];
  rows: ReadonlyMap<string, LedgerRow>;
  service: ModelService;
  drained: boolean;
  restored: boolean;
  /** A proxy sends creations twice, so a conflict does not say whose cart exists. */
  unexplained: boolean;
  /** POs that could continue but did not change within their bound. */
  stood: readonly string[];
}): Verdict => {
  const wrongs = [...service.violations];
  const held: string[] = [];
  if (!drained) wrongs.push('not drained');
  for (const id of stood) wrongs.push(`PO-${id} stood still`);
  for (const plan of plans) {
    const { poNumber } = plan;
    const row = rows.get(plan.id)!;
    // Later events under its number belong to the PO that replaced it.
    if (plan.succeeded) {
      if (row.state !== 'cancelled') wrongs.push(`${poNumber}: ${row.state} after it was cancelled`);
      continue;
    }
    const { cart, orders } = service.ordersUnder(poNumber);
    const ours = orders.filter((order) => order.submission > 0);
    const submissions = new Set(ours.map((order) => order.submission)).size;
    const asked = plan.lines.map((line) => ({
      sku: line.itemSku ?? skuOfId(line.itemId!),
      quantity: line.quantity,
    }));
    const wrong = (what: string) =>
      wrongs.push(`${poNumber} (${row.state} ${row.reason?.code ?? ''}): ${what}`);

    if (submissions > 1) wrong('double');
    if (submissions === 1 && quantities(ours.flatMap((order) => order.lines)) !== quantities(asked))
      wrong('wrong quantities');
    if (submissions > 0 && plan.quoteOnly) wrong('a quote was ordered');
    if (submissions > 0 && plan.unknownItem) wrong('ordered with an item that the service does not know');
    if (plan.foreignCart && cart?.ours !== false) wrong("somebody else's cart is gone");

    switch (row.state) {
      case 'ordered':
      case 'closed':
        if (submissions === 0) wrong('lost');
        if (!alarmed(row, orders, asked)) wrong('ordered otherwise than asked, without an alarm');
        break;
      case 'failed':
        if (submissions > 0) wrong('ordered, but recorded as failed');
        if (!plan.unknownItem) wrong('failed without a cause');
        if (cart?.ours) wrong('its cart still exists');
        break;
      case 'cancelled':
        if (submissions > 0) wrong('ordered, but recorded as cancelled');
        if (cart?.ours && !restored && !unexplained) wrong('its cart still exists');
        break;
      case 'held':
        if (!row.reason?.code || !row.reason.text) wrong('held without a reason');
        // A person asked for it.
        if (row.reason?.code === 'on_hold') break;
        if (!plan.foreignCart && !plan.foreignOrders && !plan.handOrder && !restored)
          held.push(row.reason?.code ?? '');
        break;
      default:
        wrong('not finished');
    }
  }
  const count = (match: (row: LedgerRow) => boolean) => [...rows.values()].filter(match).length;
  const submissions = (row: LedgerRow) =>
    row.intents.filter(({ step, outcome }) => step === 'submit_order' && outcome !== 'not_acted');
  return {
    seed,
    wrongs,
    held,
    purchaseOrders: plans.length,
    met: {
      rebuilt: count((row) => row.rebuilds > 0),
      unknownSubmission: count((row) =>
        submissions(row).some(({ outcome }) => (outcome ?? 'unknown') === 'unknown'),
      ),
      resubmitted: count((row) => submissions(row).length > 1),
      ordered: count((row) => row.state === 'ordered' || row.state === 'closed'),
    },
  };
};

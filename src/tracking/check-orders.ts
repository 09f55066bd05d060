import type { PoAnswer } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import { ordersSince, sightOfOrders } from '../placing/observe.ts';
import type { TrackingLedger, UncheckedPurchaseOrder } from './types.ts';

const alarmTexts = {
  more: 'More stands ordered under this PO number than the file asks for. Check with the service.',
  less: 'Less stands ordered under this PO number than the file asks for. Check with the service.',
  unreadable: 'What was ordered under this PO number cannot be read, so it was not compared with the file.',
};

/**
 * Rules 8 and 11: compares the orders of fresh POs with their files, and raises an alarm on a difference;
 * a PO held with a submission of unknown outcome becomes ordered when an equal new order shows up.
 */
export const checkOrders = async (
  ledger: TrackingLedger,
  account: string,
  answers: readonly PoAnswer[],
  logger: Logger,
): Promise<{ adopted: number; alarms: number }> => {
  const byNumber = new Map(answers.map((answer) => [answer.poNumber, answer]));
  const unchecked = await ledger.listUnchecked(
    account,
    [...byNumber.keys()].filter((number) => number !== undefined),
  );
  let adopted = 0;
  const checked: { id: string; alarm: string | undefined }[] = [];
  for (const po of unchecked) {
    const { orders } = byNumber.get(po.poNumber)!;
    const sight = sightOfOrders(orders, po.baseline, po.lines);
    if (po.state === 'held') {
      if (sight === 'equal' && (await adoptHeld(ledger, po, answers))) adopted += 1;
      continue;
    }
    // Not to be seen yet is no difference: the next poll compares.
    if (sight === 'none') continue;
    const alarm = sight === 'equal' ? undefined : alarmTexts[sight];
    checked.push({ id: po.id, alarm });
    if (alarm) {
      logger.error(
        { account, poNumber: po.poNumber, purchaseOrderId: po.id, code: `quantities_${sight}` },
        alarm,
      );
    }
  }
  await ledger.markChecked(checked);
  return { adopted, alarms: checked.filter(({ alarm }) => alarm !== undefined).length };
};

const adoptHeld = (
  ledger: TrackingLedger,
  po: UncheckedPurchaseOrder,
  answers: readonly PoAnswer[],
): Promise<boolean> => {
  const orders = answers
    .filter((answer) => answer.poNumber === po.poNumber)
    .flatMap((answer) => answer.orders);
  return ledger.adopt(
    po,
    ordersSince(orders, po.baseline).map((order) => order.orderNumber),
  );
};

import type { PoAnswer } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import { ordersSince, sightOfOrders } from '../placing/observe.ts';
import type { TrackingLedger, UncheckedPurchaseOrder } from './types.ts';

const alarmTexts = {
  more: 'More stands ordered under this PO number than the file asks for. Check with the service.',
  less: 'Less stands ordered under this PO number than the file asks for. Check with the service.',
};

const unreadableText = (account: string, count: number): string =>
  `The service does not show readable items for the orders of ${count} purchase order${count === 1 ? '' : 's'} of account ${account}, so their quantities cannot be compared with the files. This is said once, not for each PO; \`cartwright status\` shows it.`;

/**
 * Rules 8 and 11: compares the orders of fresh POs with their files, and raises an alarm on a difference. Orders whose
 * items are not shown are noted once for the account;
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
  let unreadable = 0;
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
    // Unknown is not less (rule 8): it is said of the account, and is no alarm of the PO.
    if (sight === 'unreadable') unreadable += 1;
    const alarm = sight === 'equal' || sight === 'unreadable' ? undefined : alarmTexts[sight];
    checked.push({ id: po.id, alarm });
    if (alarm) {
      logger.error(
        { account, poNumber: po.poNumber, purchaseOrderId: po.id, code: `quantities_${sight}` },
        alarm,
      );
    }
  }
  await ledger.markChecked(checked);
  if (checked.length > 0 && (await ledger.noteUnreadableItems(account, unreadable > 0)) && unreadable > 0) {
    logger.warn(
      { account, code: 'quantities_unreadable', count: unreadable },
      unreadableText(account, unreadable),
    );
  }
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

import type { PoAnswer } from '../dealer-api/answers.ts';
import { compareOrders, orderDifferences, ordersSince, otherSkus } from '../placing/compare.ts';
import { differingAddress } from './compare-address.ts';
import type { TrackingDeps, TrackingLedger, UncheckedPurchaseOrder } from './types.ts';

const alarmTexts = {
  more: 'The service shows larger quantities under this PO number than the file asks for',
  less: 'The service shows smaller quantities under this PO number than the file asks for',
};

const mostNamed = 3;

/** The differences between an order and what was asked for, as sentences, as far as the service shows it. Pure. */
const differences = (
  comparison: 'equal' | 'more' | 'less' | 'unreadable',
  po: UncheckedPurchaseOrder,
  answer: PoAnswer,
): string[] => {
  const skus = otherSkus(po.lines).map(
    ({ rowNumber, asked, got }) => `${got} for ${asked} (row ${rowNumber})`,
  );
  const quantities = orderDifferences(answer.orders, po.baseline, po.lines).map(
    ({ sku, asked, seen }) => `${seen} ${sku} and not ${asked}`,
  );
  const address = differingAddress(po.options, answer);
  const named = (all: readonly string[]) =>
    `${all.slice(0, mostNamed).join(', ')}${all.length > mostNamed ? ` and ${all.length - mostNamed} more` : ''}`;
  return [
    // With the quantities, so that different quantities are a new alarm, which nobody has settled yet.
    ...(comparison === 'more' || comparison === 'less'
      ? [`${alarmTexts[comparison]}: ${named(quantities)}. Check with the service.`]
      : []),
    ...(skus.length > 0
      ? [
          `The service has ordered other items than the file asks for: ${named(skus)}. Check with the service.`,
        ]
      : []),
    ...(address.length > 0
      ? [`The service shows another address than the file has: ${named(address)}. Check with the service.`]
      : []),
  ];
};

const unreadableText = (account: string, count: number): string =>
  `The service does not show readable items for the orders of ${count} purchase order${count === 1 ? '' : 's'} of account ${account}, so their quantities cannot be compared with the files. This warning comes once, not for each PO; \`cartwright status\` shows it.`;

/**
 * Rules 8 and 11: compares the orders of POs with their files after every change that the service shows, and raises an alarm on a
 * difference. A PO that is held after a submission with an unclear outcome becomes ordered when a new order equals its file.
 * Orders without shown items are noted once for the account.
 *
 * @param shown.allSince for POs submitted earlier, the answers may lack some orders, which proves nothing; undefined: the answers
 *   have all orders of every PO
 */
export const checkOrders = async (
  { ledger, logger }: Pick<TrackingDeps, 'ledger' | 'logger'>,
  account: string,
  { answers, allSince }: { answers: readonly PoAnswer[]; allSince: Date | undefined },
): Promise<{ adopted: number; alarms: number }> => {
  const byNumber = new Map(answers.map((answer) => [answer.poNumber, answer]));
  const unchecked = await ledger.listUnchecked(
    account,
    [...byNumber.keys()].filter((number) => number !== undefined),
  );
  let adopted = 0;
  let unreadable = 0;
  const checked: { id: string; alarm: string | undefined; unreadable: boolean }[] = [];
  for (const po of unchecked) {
    if (allSince && po.submittedAt < allSince) continue;
    const answer = byNumber.get(po.poNumber)!;
    const { orders } = answer;
    const comparison = compareOrders(orders, po.baseline, po.lines);
    if (po.state === 'held') {
      if (comparison === 'equal' && (await adoptHeld(ledger, po, answers))) adopted += 1;
      continue;
    }
    // An order that is not shown yet is no difference: the next poll compares it.
    if (comparison === 'none') continue;
    // Unknown does not mean less (rule 8): it is recorded for the account and raises no alarm for the PO.
    if (comparison === 'unreadable') unreadable += 1;
    const found = differences(comparison, po, answer);
    const alarm = found.length > 0 ? found.join(' ') : undefined;
    checked.push({ id: po.id, alarm, unreadable: comparison === 'unreadable' });
    if (alarm) {
      logger.error(
        {
          account,
          poNumber: po.poNumber,
          purchaseOrderId: po.id,
          code: comparison === 'more' || comparison === 'less' ? `quantities_${comparison}` : 'order_differs',
        },
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

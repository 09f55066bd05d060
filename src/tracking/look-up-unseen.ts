import type { FailedCall, PoAnswer } from '../dealer-api/answers.ts';
import type { TrackingDeps } from './types.ts';

/** Look-ups in one poll; the POs that wait longest come first, the others with the next polls. */
const lookUpsAPoll = 50;

const missing =
  'No order stands under this PO number at the service, though it counts as ordered. Check with the service.';

/**
 * Asks for each open PO by itself that the date range should have shown but did not. An order that is not to
 * be seen when it must be is an alarm. Stops at the first answer that is about more than one PO.
 */
export const lookUpUnseen = async (
  account: string,
  { ledger, api, placing, logger }: TrackingDeps,
  request: {
    seenIds: readonly string[];
    submittedBefore: Date;
    take: (answers: readonly PoAnswer[]) => Promise<void>;
  },
): Promise<{ count: number; alarms: number; failed: FailedCall | undefined }> => {
  const { seenIds, submittedBefore, take } = request;
  const overdueMs = placing.settleMs;
  const unseen = await ledger.takeUnseen(account, {
    seenIds,
    submittedBefore,
    overdueMs,
    limit: lookUpsAPoll,
  });
  let count = 0;
  let alarms = 0;
  for (const { id, poNumber, overdue } of unseen) {
    const direct = await api.showOrder(poNumber);
    count += 1;
    switch (direct.kind) {
      case 'ok':
        await take([{ ...direct.value, poNumber }]);
        break;
      case 'not_found':
        if (overdue && (await ledger.markMissing(id, missing))) {
          alarms += 1;
          logger.error({ account, poNumber, purchaseOrderId: id, code: 'order_missing' }, missing);
        }
        break;
      // Of this PO only: today's orders were told just now (rule 13).
      case 'refused':
      case 'conflict':
        break;
      case 'denied':
        if (direct.status === 403) break;
        return { count, alarms, failed: direct };
      default:
        return { count, alarms, failed: direct };
    }
  }
  return { count, alarms, failed: undefined };
};

import type { FailedCall, PoAnswer } from '../dealer-api/answers.ts';
import type { TrackingDeps, TrackingLedger } from './types.ts';

/** Maximum number of lookups in one poll; POs that have waited longest come first, the rest follows in later polls. */
const lookupsPerPoll = 50;

const missing =
  'The service shows no order under this PO number, although the PO is ordered. Check with the service.';

/**
 * Looks up one by one the open POs that the date range should have shown but did not. An order that is missing when it
 * must exist raises an alarm. Stops at the first answer that concerns more than one PO.
 */
export const lookUpUnseen = async (
  account: string,
  { ledger, api, placing, logger }: TrackingDeps,
  request: Pick<Parameters<TrackingLedger['takeUnseen']>[1], 'seenIds' | 'submittedBefore' | 'ages'> & {
    take: (answers: readonly PoAnswer[]) => Promise<void>;
  },
): Promise<{
  count: number;
  alarms: number;
  /** There may be more POs to look up. */
  more: boolean;
  failed: FailedCall | undefined;
}> => {
  const { take, ...which } = request;
  const overdueMs = placing.settleMs;
  const unseen = await ledger.takeUnseen(account, {
    ...which,
    overdueMs,
    limit: lookupsPerPoll,
  });
  const more = unseen.length === lookupsPerPoll;
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
      // It concerns this PO only: the service has just listed the account's orders (rule 13).
      case 'refused':
      case 'conflict':
        break;
      case 'denied':
        if (direct.status === 403) break;
        return { count, alarms, more, failed: direct };
      default:
        return { count, alarms, more, failed: direct };
    }
  }
  return { count, alarms, more, failed: undefined };
};

import type { PoAnswer } from '../dealer-api/answers.ts';
import { checkOrders } from './check-orders.ts';
import type { TrackingDeps } from './types.ts';

export interface Taken {
  /** IDs of the POs that were shown. */
  seenIds: string[];
  changes: number;
  adopted: number;
  alarms: number;
}

/**
 * Records the orders that the service shows, and compares them with the files of their POs.
 *
 * @param allSince as in `checkOrders`
 */
export const takeAnswers = async (
  deps: Pick<TrackingDeps, 'ledger' | 'logger' | 'rules'>,
  account: string,
  answers: readonly PoAnswer[],
  allSince: Date | undefined,
): Promise<Taken> => {
  const { ledger, logger, rules } = deps;
  const recorded = await ledger.recordOrders(account, answers, allSince);
  const { adopted, alarms } = await checkOrders(deps, account, { answers, allSince });
  // Nothing was recorded yet for a PO that was held until now.
  const more = adopted > 0 ? await ledger.recordOrders(account, answers, allSince) : undefined;
  const { seenIds } = more ?? recorded;
  if (recorded.changes > 0)
    for (const poNumber of await ledger.reopenUnfinished(account, seenIds, rules.finalStatuses))
      logger.info(
        { account, poNumber },
        'A closed PO shows an order that is not final any more; it is polled again',
      );
  return {
    seenIds,
    changes: recorded.changes + (more?.changes ?? 0),
    adopted,
    alarms,
  };
};

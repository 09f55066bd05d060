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
 * Records what the service shows of POs, and compares it with their files.
 *
 * @param allSince as in `checkOrders`
 */
export const takeAnswers = async (
  deps: Pick<TrackingDeps, 'ledger' | 'logger'>,
  account: string,
  answers: readonly PoAnswer[],
  allSince: Date | undefined,
): Promise<Taken> => {
  const { ledger } = deps;
  const recorded = await ledger.recordOrders(account, answers, allSince);
  const { adopted, alarms } = await checkOrders(deps, account, { answers, allSince });
  // A PO that was held until now had nothing recorded.
  const more = adopted > 0 ? await ledger.recordOrders(account, answers, allSince) : undefined;
  return {
    seenIds: (more ?? recorded).seenIds,
    changes: recorded.changes + (more?.changes ?? 0),
    adopted,
    alarms,
  };
};

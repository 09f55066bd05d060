import type { PoAnswer } from '../../src/dealer-api/answers.ts';
import type { Logger } from '../../src/logger.ts';
import { checkOrders } from '../../src/tracking/check-orders.ts';
import type { TrackingLedger } from '../../src/tracking/types.ts';
import { type LedgerRow, type MemoryLedger, mayHaveOrdered } from './memory-ledger.ts';
import { type ModelService, noAddress } from './model-service.ts';

/** Tracking's part of the ledger, in memory, with the guards of the SQL ledger. */
const createTracking = (
  rows: ReadonlyMap<string, LedgerRow>,
): Pick<
  TrackingLedger,
  'listUnchecked' | 'markChecked' | 'adopt' | 'noteUnreadableItems' | 'recordOrders'
> => ({
  recordOrders: async (_account, answers) => {
    for (const row of rows.values()) {
      const answer = answers.find(({ poNumber }) => poNumber === row.poNumber);
      if (!answer || (row.state !== 'ordered' && row.state !== 'closed')) continue;
      const shown = JSON.stringify(
        answer.orders.filter(({ orderNumber }) => !row.baseline?.includes(orderNumber)),
      );
      if (shown !== row.shown) Object.assign(row, { shown, quantitiesChecked: false });
    }
    return { seenIds: [], changes: 0 };
  },
  listUnchecked: async (_account, poNumbers) =>
    [...rows.values()].flatMap((row) => {
      const { id, poNumber, state, epoch, options, lines } = row;
      const isUnchecked = (state === 'ordered' || state === 'closed') && !row.quantitiesChecked;
      if (!poNumbers.includes(poNumber)) return [];
      if (!isUnchecked && !(state === 'held' && mayHaveOrdered(row))) return [];
      const po = { id, poNumber, epoch, options, lines, submittedAt: new Date(0) };
      return [{ ...po, state: state as 'ordered' | 'closed' | 'held', baseline: row.baseline ?? [] }];
    }),
  markChecked: async (checked) => {
    for (const { id, alarm, unreadable } of checked) {
      const row = rows.get(id)!;
      Object.assign(row, { quantitiesChecked: true, alarm: alarm ?? (unreadable ? row.alarm : undefined) });
    }
  },
  adopt: async ({ id, epoch }, orderNumbers) => {
    const row = rows.get(id)!;
    if (row.state !== 'held' || row.epoch !== epoch) return false;
    Object.assign(row, { state: 'ordered', reason: undefined, alarm: undefined, orderNumbers });
    Object.assign(row, { cancelling: false, holding: false, quantitiesChecked: false });
    return true;
  },
  noteUnreadableItems: async () => false,
});

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;

/** Polls of the account: tracking's own code adopts orders that appear late, compares them, and compares them again. */
export const createPoll = (ledger: MemoryLedger, service: ModelService) => {
  const tracking = createTracking(ledger.rows);
  return {
    /** @param agoMs age of the state that reads show */
    poll: async (agoMs: number): Promise<void> => {
      const numbers = new Set([...ledger.rows.values()].map(({ poNumber }) => poNumber));
      const answers = [...numbers]
        .map(
          (poNumber): PoAnswer => ({ ...noAddress, poNumber, orders: service.showOrders(poNumber, agoMs) }),
        )
        .filter(({ orders }) => orders.length > 0);
      await tracking.recordOrders('default', answers);
      await checkOrders({ ledger: tracking as TrackingLedger, logger: silent }, 'default', {
        answers,
        allSince: undefined,
      });
    },
    /** Treats ordered POs whose orders were shown as final. */
    close: (): void => {
      for (const row of ledger.rows.values()) if (row.state === 'ordered' && row.shown) row.state = 'closed';
    },
  };
};

import { placingLedgerContract } from '../ledger/placing-ledger.contract.ts';
import { createMemoryLedger } from './memory-ledger.ts';
import { ledgerRow, twoLines } from './purchase-orders.ts';

placingLedgerContract(async () => {
  const ledger = createMemoryLedger(() => performance.now());
  return {
    ledger,
    takeOver: async (workerId, settle) => ledger.takeOver(workerId, settle),
    wish: async (id, wish) => {
      ledger.rows.get(id)![wish] = true;
    },
    pauseByPerson: async (account) => {
      ledger.accounts.set(account, {
        pausedUntil: Number.POSITIVE_INFINITY,
        code: undefined,
        pauses: 0,
        pausedByPerson: true,
      });
    },
    insert: async ({ state = 'ready', account = 'default' } = {}) => {
      const id = String(ledger.rows.size + 1);
      ledger.rows.set(id, ledgerRow(id, twoLines(), { state, account, poNumber: 'PO-1' }));
      return id;
    },
    read: async (id) => {
      const { state, epoch, reason, alarm, leaseOwner, orderNumbers } = ledger.rows.get(id)!;
      return {
        state,
        epoch,
        reasonCode: reason?.code,
        alarm,
        leased: leaseOwner !== undefined,
        orderNumbers,
      };
    },
  };
});

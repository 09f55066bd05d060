import { pauseByOperator } from '../../src/ledger/console/operator-pauses.ts';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { takeOver } from '../../src/ledger/po/take-over.ts';
import { recordWish } from '../../src/ledger/po/wishes.ts';
import { beat } from '../../src/ledger/workers.ts';
import { insertImport, insertPurchaseOrder, insertRow, useTestLedger } from '../support/ledger-rows.ts';
import { placingLedgerContract } from './placing-ledger.contract.ts';

const database = useTestLedger();

placingLedgerContract(async () => {
  const { pool } = database;
  await pool.query('truncate imports, purchase_orders, account_states cascade');
  return {
    ledger: createPlacingLedger(pool),
    takeOver: async (workerId, { graceMs, settleMs }) => {
      await beat(pool, { id: workerId, host: 'h', pid: 1, places: [], reads: [], troubles: {} });
      const freed = await takeOver(pool, [workerId], { graceMs, ofAccount: { default: settleMs } });
      return freed.map(({ waitMs }) => waitMs);
    },
    wish: async (id, wish) => {
      await recordWish(pool, id, wish === 'holding' ? 'hold' : 'cancel', { who: 'Ann' });
    },
    pauseByPerson: async (account) => {
      await pauseByOperator(pool, account, { who: 'Ann', via: 'command line' });
    },
    insert: async ({ state = 'ready', account = 'default' } = {}) => {
      const importId = await insertImport(pool, { account });
      for (const [row_number, item_sku] of [
        [2, 'A'],
        [3, 'B'],
      ]) {
        await insertRow(pool, 'lines', {
          import_id: importId,
          row_number,
          po_number: 'PO-1',
          item_sku,
          quantity: 1,
        });
      }
      return insertPurchaseOrder(pool, importId, 'PO-1', { account, state, line_count: 2 });
    },
    read: async (id) => {
      const { rows } = await pool.query(
        `select state, epoch, reason_code, alarm, lease_owner is not null as leased,
          array(select order_number from orders where purchase_order_id = p.id order by id) as orders
        from purchase_orders p where id = $1`,
        [id],
      );
      const { state, epoch, reason_code, alarm, leased, orders } = rows[0];
      return {
        state,
        epoch,
        reasonCode: reason_code ?? undefined,
        alarm: alarm ?? undefined,
        leased,
        orderNumbers: orders,
      };
    },
  };
});

import { expect, it } from 'vitest';
import { listOrders } from '../../src/ledger/orders/list-orders.ts';
import { readStatistics } from '../../src/ledger/statistics/read-statistics.ts';
import { countStatistics } from '../support/count-statistics.ts';
import { insertImport, insertPurchaseOrder, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const dayMs = 86_400_000;
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);

it('calls an order that was there before its PO was submitted late since its own day, in the list as in the statistics', async () => {
  const { pool } = ledger;
  const importId = await insertImport(pool, { account: 'north' });
  // Each PO was submitted, or found at the service, just now.
  const put = async (order_number: string, order_date: string) => {
    const about = { account: 'north', state: 'ordered', ordered_at: new Date() };
    const id = await insertPurchaseOrder(pool, importId, `PO ${order_number}`, about);
    const order = { account: 'north', purchase_order_id: id, po_number: `PO ${order_number}` };
    await insertRow(pool, 'orders', { ...order, order_number, order_date });
  };
  await put('OLD', day(20));
  await put('NEW', day(0));
  await countStatistics(pool);
  const { total } = await readStatistics(pool, [{ account: 'north', today: day(0), lateDays: 7 }], {
    ...{ from: day(30), to: day(0), by: 'day', within: 3 },
  });
  const rule = { account: 'north', lateAfterMs: 7 * dayMs, finalStatuses: [] };
  const page = { sort: 'ordered', order: 'newest', limit: 10 } as const;
  const late = await listOrders(pool, { late: true }, page, [rule]);
  expect(late.map(({ orderNumber }) => orderNumber)).toEqual(['OLD']);
  expect(total.late).toBe(1);
});

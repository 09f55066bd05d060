import { expect, test } from 'vitest';
import type { PoAnswer } from '../../src/dealer-api/answers.ts';
import { readFeed } from '../../src/ledger/feed.ts';
import { listOrders, sumOrders } from '../../src/ledger/orders/list-orders.ts';
import { createTrackingLedger } from '../../src/ledger/tracking-ledger.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const dayMs = 86_400_000;
let accounts = 0;

/** A PO with two orders that the service has shown, and the stored facts about them. */
const shownOrders = async () => {
  const { pool } = ledger;
  accounts += 1;
  const account = `dealer ${accounts}`;
  const rule = { account, lateAfterMs: 3 * dayMs, finalStatuses: ['Invoiced'] };
  const importId = await insertImport(pool, { account });
  const ordered_at = new Date(Date.now() - 4 * dayMs);
  const id = await insertPurchaseOrder(pool, importId, 'K-5', { account, state: 'ordered', ordered_at });
  const tracking = createTrackingLedger(pool);
  const order = (orderNumber: string) => ({
    ...{
      orderNumber,
      orderStatus: 'Picking',
      orderTotal: '85.95',
      orderDate: '2026-11-20',
      trackingNumbers: [],
    },
    ...{ invoiceNumber: undefined, freight: undefined, miscCharges: undefined, warehouse: undefined },
    ...{
      shipDate: undefined,
      invoiceDate: undefined,
      shipVia: undefined,
      lines: undefined,
      items: undefined,
    },
  });
  const show = (numbers: string[], allSince?: Date) =>
    tracking.recordOrders(
      account,
      [{ poNumber: 'K-5', orders: numbers.map(order) } as unknown as PoAnswer],
      allSince,
    );
  await show(['A', 'B']);
  const page = { sort: 'ordered', order: 'oldest', limit: 10 } as const;
  const found = async () => {
    const orders = await listOrders(pool, {}, page, [rule]);
    const { sum } = await sumOrders(pool, {}, [rule]);
    const late = await listOrders(pool, { late: true }, page, [rule]);
    return {
      gone: orders.filter(({ goneAt }) => goneAt !== null).map(({ orderNumber }) => orderNumber),
      late: late.map(({ orderNumber }) => orderNumber),
      sum,
    };
  };
  const told = async () => {
    const feed = await readFeed(pool, undefined, [account], 1000);
    return feed.kind === 'changes' ? feed.changes.filter(({ after }) => after && 'gone_at' in after) : [];
  };
  return { id, tracking, show, found, told };
};

test('an order that is not shown beside others of its PO is gone: it is in no sum, is not late, and is told', async () => {
  const { show, found, told } = await shownOrders();
  expect(await found()).toEqual({ gone: [], late: ['A', 'B'], sum: '171.90' });
  expect(await show(['B'])).toMatchObject({ changes: 1 });
  expect(await found()).toEqual({ gone: ['A'], late: ['B'], sum: '85.95' });
  expect(await told()).toMatchObject([
    { orderNumber: 'A', before: null, after: { gone_at: expect.any(String) } },
  ]);
  expect(await show(['B'])).toMatchObject({ changes: 0 });
});

test('an order that comes back counts again, and that is told', async () => {
  const { show, found, told } = await shownOrders();
  await show(['B']);
  await show(['A', 'B']);
  expect(await found()).toEqual({ gone: [], late: ['A', 'B'], sum: '171.90' });
  expect(await told()).toMatchObject([
    {},
    { before: { gone_at: expect.any(String) }, after: { gone_at: null } },
  ]);
});

test('of a PO that may be shown in part only, nothing is concluded', async () => {
  const { show, found } = await shownOrders();
  await show(['B'], new Date(Date.now() - dayMs));
  expect(await found()).toMatchObject({ gone: [] });
});

test('all orders of a PO of which the service shows none are gone, but not one that it has not shown yet', async () => {
  const { id, tracking, found } = await shownOrders();
  await ledger.pool.query(
    `insert into orders (purchase_order_id, account, po_number, order_number)
     select id, account, po_number, 'C' from purchase_orders where id = $1`,
    [id],
  );
  await tracking.markMissing(id, 'The service shows no order.');
  expect((await found()).gone).toEqual(['A', 'B']);
});

import { beforeAll, expect, test } from 'vitest';
import { type OrderFilter, orderSorts } from '../../src/ledger/orders/order-filter.ts';
import {
  isFarBehind,
  type OrderPage,
  pageOfOrders,
  type Way,
} from '../../src/ledger/orders/page-of-orders.ts';
import { insertImport, insertPurchaseOrder, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const accounts = ['north', 'south'].map((account) => ({
  account,
  lateAfterMs: 86_400_000,
  finalStatuses: ['Shipped'],
}));

beforeAll(async () => {
  const importId = await insertImport(ledger.pool);
  for (let at = 0; at < 60; at += 1) {
    const account = ['north', 'south', 'hidden'][at % 3]!;
    const poNumber = `${at % 2 === 0 ? 'AB' : 'CD'}-${at}`;
    const id = await insertPurchaseOrder(ledger.pool, importId, poNumber, {
      ...{ account, state: 'ordered', ordered_at: '2026-01-01T00:00:00Z' },
    });
    const day = `2026-02-${String(1 + (at % 7)).padStart(2, '0')}`;
    await insertRow(ledger.pool, 'orders', {
      ...{ account, purchase_order_id: id, po_number: poNumber, order_number: `SO${at}` },
      ...{ order_date: day, invoice_number: at % 5 === 0 ? `AB${at}` : null, order_total: at % 4 },
      tracking_numbers: at % 6 === 0 ? ['ab 77', `1Z${at}`] : [],
    });
  }
});

const idsOf = async (filter: OrderFilter, page: OrderPage, way?: Way) => {
  const { text, values } = pageOfOrders(filter, page, accounts, way);
  const { rows } = await ledger.pool.query<{ id: string; place: string }>(text, values);
  return rows.map(({ id, place }) => ({ id, key: place }));
};

test.each(orderSorts)('orders found by a number are those of the list, in its order: by %s', async (sort) => {
  for (const q of ['ab', 'AB-1', 'so', '1z6', 'ab-77', 'none']) {
    for (const order of ['newest', 'oldest'] as const) {
      for (const filter of [{ q }, { q, late: true }, { q, untracked: false }]) {
        const walked = await idsOf(filter, { sort, order, limit: 7 });
        expect(await idsOf(filter, { sort, order, limit: 7 }, { by: 'numbers' })).toEqual(walked);
        if (walked.length < 7) continue;
        const after = walked.at(-1)!;
        expect(await idsOf(filter, { sort, order, after, limit: 7 }, { by: 'numbers' })).toEqual(
          await idsOf(filter, { sort, order, after, limit: 7 }),
        );
      }
    }
  }
  expect(await idsOf({ q: 'ab' }, { sort, order: 'newest', limit: 50 }, { by: 'numbers' })).not.toEqual([]);
});

test.each(orderSorts)(
  'a page is the same up to the end of what the latest such numbers have: by %s',
  async (sort) => {
    const seen = { bounded: 0, elsewhere: 0 };
    for (const most of [3, 8, 20])
      for (const q of ['ab', 'so', '1z6', 'none'])
        for (const order of ['newest', 'oldest'] as const)
          for (const limit of [3, 7]) {
            let after: OrderPage['after'];
            for (let at = 0; at < 3; at += 1) {
              const page = { sort, order, limit, after };
              const walked = await idsOf({ q }, page);
              const latest = await idsOf({ q }, page, { by: 'numbers', most });
              const upTo = latest[limit - 1];
              if (upTo) {
                seen.bounded += 1;
                if (walked.at(-1)?.id !== upTo.id) seen.elsewhere += 1;
                expect(await idsOf({ q }, page, { by: 'numbers', upTo })).toEqual(walked);
              }
              after = walked.at(-1);
              if (!after) break;
            }
          }
    expect(seen.bounded).toBeGreaterThan(20);
    expect(seen.elsewhere).toBeGreaterThan(5);
  },
);

test.each(orderSorts)('how far a place is behind counts all orders up to it: by %s', async (sort) => {
  for (const order of ['newest', 'oldest'] as const) {
    const all = await idsOf({}, { sort, order, limit: 100 });
    for (const after of [undefined, all[9]!])
      for (const at of [12, 30]) {
        const ahead = at + 1 - (after ? 10 : 0);
        for (const most of [ahead - 1, ahead]) {
          const asked = isFarBehind(all[at]!, most, { sort, order, limit: 1, after }, accounts);
          expect((await ledger.pool.query(asked)).rows).toEqual([{ far: ahead > most }]);
        }
      }
  }
});

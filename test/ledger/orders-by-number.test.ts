import { beforeAll, expect, test } from 'vitest';
import { type OrderFilter, orderSorts } from '../../src/ledger/orders/order-filter.ts';
import { countNumbered } from '../../src/ledger/orders/order-numbers.ts';
import { type OrderPage, pageNearby, pageOfOrders } from '../../src/ledger/orders/page-of-orders.ts';
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

const idsOf = async (filter: OrderFilter, page: OrderPage, by: 'order' | 'numbers') => {
  const { text, values } = pageOfOrders(filter, page, accounts, by);
  const { rows } = await ledger.pool.query<{ id: string; key: string }>(text, values);
  return rows;
};

test.each(orderSorts)('orders found by a number are those of the list, in its order: by %s', async (sort) => {
  for (const q of ['ab', 'AB-1', 'so', '1z6', 'ab-77', 'none']) {
    for (const order of ['newest', 'oldest'] as const) {
      for (const filter of [{ q }, { q, late: true }, { q, untracked: false }]) {
        const walked = await idsOf(filter, { sort, order, limit: 7 }, 'order');
        expect(await idsOf(filter, { sort, order, limit: 7 }, 'numbers')).toEqual(walked);
        if (walked.length < 7) continue;
        const after = walked.at(-1)!;
        expect(await idsOf(filter, { sort, order, after, limit: 7 }, 'numbers')).toEqual(
          await idsOf(filter, { sort, order, after, limit: 7 }, 'order'),
        );
      }
    }
  }
  expect(await idsOf({ q: 'ab' }, { sort, order: 'newest', limit: 50 }, 'numbers')).not.toEqual([]);
});

test.each(orderSorts)(
  'a page that lies near the beginning of the list is that of the list: by %s',
  async (sort) => {
    const pages = { whole: 0, partly: 0 };
    for (const near of [4, 12, 30, 200])
      for (const q of ['ab', 'so', '1z6', 'none'])
        for (const order of ['newest', 'oldest'] as const)
          for (const limit of [3, 7]) {
            let after: OrderPage['after'];
            for (let at = 0; at < 3; at += 1) {
              const page = { sort, order, limit, after };
              const walked = await idsOf({ q }, page, 'order');
              const { rows } = await ledger.pool.query<{ ids: string[]; isWhole: boolean }>(
                pageNearby({ q }, page, accounts, near),
              );
              const [{ ids, isWhole }] = rows as [(typeof rows)[0]];
              pages[isWhole ? 'whole' : 'partly'] += 1;
              const those = walked.map(({ id }) => id);
              // What is not the whole page is its beginning.
              expect(ids).toEqual(isWhole ? those : those.slice(0, ids.length));
              after = walked.at(-1);
              if (!after) break;
            }
          }
    expect(pages.whole).toBeGreaterThan(20);
    expect(pages.partly).toBeGreaterThan(20);
  },
);

test('few numbers are not many', async () => {
  expect((await ledger.pool.query(countNumbered('ab'))).rows).toEqual([{ many: false }]);
});

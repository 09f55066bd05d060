import { expect, test } from 'vitest';
import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { readAudit } from '../support/read-audit.ts';
import { quantitiesOf, rowsOf, sends, usePlacing } from '../support/use-placing.ts';

const stock = ['A,10.00,5,0,0,0', 'B,2.50,99,0,0,0'];
const placing = usePlacing({ catalogue: stock });

/** A service whose answers have no readable prices. */
const withoutPrices = (api: DealerApi): DealerApi => ({
  ...api,
  addItem: async (...args) => {
    const result = await api.addItem(...args);
    return result.kind === 'ok' ? { kind: 'ok', value: { ...result.value, dealerPrice: undefined } } : result;
  },
});

const backorders = { guards: { backorder: true, unknownPrice: true } };

test('a PO with back-ordered items is held with the quantities before it is ordered; released, it is ordered once', async () => {
  const account = placing.account({ rules: backorders });
  await account.add('PO-1', [
    { sku: 'A', quantity: 8 },
    { sku: 'B', quantity: 1 },
  ]);
  await account.run();
  expect(await account.row('PO-1')).toMatchObject({
    state: 'held',
    reason_code: 'backorder',
    reason_text: 'Not in stock and would be back-ordered: 3 of 8 A (row 2).',
  });
  expect(await account.ordered('PO-1')).toEqual([]);
  expect((await account.api.showCart('PO-1')).kind).toBe('ok');

  expect(await account.act('release', { poNumber: 'PO-1' })).toEqual([
    { kind: 'done', state: 'items_added' },
  ]);
  account.calls.length = 0;
  await account.run();
  expect((await account.row('PO-1')).state).toBe('ordered');
  expect(account.calls).toEqual(['showOrder PO-1', 'showCart PO-1', 'createOrder PO-1']);
  const orders = await account.ordered('PO-1');
  expect(orders).toHaveLength(1);
  expect(quantitiesOf(orders)).toEqual({ A: 8, B: 1 });
});

test('a price above what the file expects is held, and one above it by more than the configured percentage', async () => {
  const exact = placing.account();
  await exact.add('PO-1', [{ sku: 'B', quantity: 2, expectedPrice: '2.49' }]);
  await exact.add('PO-2', [{ sku: 'B', quantity: 2, expectedPrice: '2.50' }]);
  const percent = placing.account({
    rules: { guards: { backorder: false, unknownPrice: true, abovePercent: 25 } },
  });
  await percent.add('PO-1', [{ sku: 'B', quantity: 2, expectedPrice: '1.99' }]);
  await percent.add('PO-2', [{ sku: 'B', quantity: 2, expectedPrice: '2.00' }]);
  await exact.run();
  await percent.run();
  expect(await exact.row('PO-1')).toMatchObject({
    reason_code: 'price_above',
    reason_text: 'B (row 2) costs 2.50, the file expects 2.49.',
  });
  expect(await percent.row('PO-1')).toMatchObject({
    reason_code: 'price_above',
    reason_text: 'B (row 2) costs 2.50, the file expects 1.99; the limit is 25 % above the expected price.',
  });
  for (const account of [exact, percent]) {
    expect(await account.ordered('PO-1')).toEqual([]);
    expect((await account.row('PO-2')).state).toBe('ordered');
  }
});

test('an order total above the limit is held with both amounts', async () => {
  const account = placing.account({
    rules: { guards: { backorder: false, unknownPrice: true, orderTotal: 20 } },
  });
  await account.add('PO-1', [
    { sku: 'A', quantity: 2 },
    { sku: 'B', quantity: 1 },
  ]);
  await account.add('PO-2', [{ sku: 'A', quantity: 2 }]);
  await account.run();
  expect(await account.row('PO-1')).toMatchObject({
    reason_code: 'order_total',
    reason_text: 'The lines add up to 22.50, above the limit of 20.00.',
  });
  expect(await account.ordered('PO-1')).toEqual([]);
  expect((await account.row('PO-2')).state).toBe('ordered');
});

test('a PO whose item answer has no readable price is held although no guard is configured', async () => {
  const account = placing.account({ around: withoutPrices });
  await account.add('PO-1', [{ sku: 'B', quantity: 1 }]);
  await account.run();
  expect(await account.row('PO-1')).toMatchObject({
    reason_code: 'unknown_price',
    reason_text: 'The service returned no readable price for B (row 2).',
  });
  expect(await account.ordered('PO-1')).toEqual([]);
  await account.act('release', { reasonCode: 'unknown_price' });
  await account.run();
  expect(await account.ordered('PO-1')).toHaveLength(1);
});

test('a quantity far beyond all that an earlier file ordered is held; released, it counts from then on', async () => {
  const account = placing.account();
  await account.add('PO-1', [
    { sku: 'A', quantity: 3 },
    { sku: 'B', quantity: 12 },
  ]);
  // The first file is not compared with anything, and no file with itself.
  await account.add('PO-2', [{ sku: 'B', quantity: 400 }]);
  await account.run();
  expect((await account.row('PO-2')).state).toBe('ordered');
  await account.add('PO-3', [{ sku: 'B', quantity: 31_201 }]);
  await account.add('PO-4', [{ sku: 'B', quantity: 4000 }]);
  await account.run();
  expect(await account.row('PO-3')).toMatchObject({
    state: 'held',
    reason_code: 'unusual_quantity',
    reason_text: expect.stringContaining('31201 B (row 2; so far 400 at most)'),
  });
  expect(await account.ordered('PO-3')).toEqual([]);
  expect((await account.row('PO-4')).state).toBe('ordered');
  await account.act('release', { poNumber: 'PO-3' });
  await account.run();
  expect(quantitiesOf(await account.ordered('PO-3'))).toEqual({ B: 31_201 });
  await account.add('PO-5', [{ sku: 'B', quantity: 40_000 }]);
  await account.run();
  expect((await account.row('PO-5')).state).toBe('ordered');
  expect(
    await rowsOf(placing.pool, `select item, quantity from largest_orders where account = $1 order by item`, [
      account.account,
    ]),
  ).toEqual([
    { item: '', quantity: 40_000 },
    { item: 'A', quantity: 3 },
    { item: 'B', quantity: 40_000 },
  ]);
});

test('a release overrules only the guard that held: the next guard holds with its own numbers', async () => {
  const account = placing.account({
    rules: { guards: { backorder: true, unknownPrice: true, orderTotal: 50 } },
  });
  await account.add('PO-1', [{ sku: 'A', quantity: 8, expectedPrice: '9.00' }]);
  const seen: (string | null)[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await account.run();
    seen.push((await account.row('PO-1')).reason_code);
    expect(await account.ordered('PO-1')).toEqual([]);
    await account.act('release', { poNumber: 'PO-1' });
  }
  await account.run();
  expect(seen).toEqual(['backorder', 'price_above', 'order_total']);
  expect(await account.ordered('PO-1')).toHaveLength(1);
});

test('a cart rebuilt after the release is held again only if its numbers are worse', async () => {
  const scarce = await placing.serve({ catalogue: ['A,10.00,2,0,0,0', 'B,2.50,99,0,0,0'] });
  for (const [next, expected] of [
    [scarce.url, 'held'],
    [placing.service.url, 'ordered'],
  ] as const) {
    const account = placing.account({ rules: backorders });
    await account.add('PO-1', [{ sku: 'A', quantity: 8 }]);
    await account.run();
    // Another client deletes the cart while the PO is held, and the stock may change.
    await account.api.deleteCart('PO-1');
    account.moveTo(next);
    await account.act('release', { poNumber: 'PO-1' });
    await account.run();
    const row = await account.row('PO-1');
    expect(row.state).toBe(expected);
    if (expected === 'held') {
      expect(row.reason_text).toBe('Not in stock and would be back-ordered: 6 of 8 A (row 2).');
      await account.act('release', { poNumber: 'PO-1' });
      await account.run();
    }
    expect(quantitiesOf(await account.ordered('PO-1'))).toEqual({ A: 8 });
    expect(await account.ordered('PO-1')).toHaveLength(1);
  }
});

test('an order that appeared while the PO was held is found before anything is sent', async () => {
  const account = placing.account({ rules: backorders });
  await account.add('PO-1', [{ sku: 'A', quantity: 8 }]);
  await account.run();
  const { kind } = await account.api.createOrder('PO-1');
  expect(kind).toBe('ok');
  await account.act('release', { poNumber: 'PO-1' });
  account.calls.length = 0;
  await account.run();
  expect(sends(account.calls)).toEqual([]);
  const [order, ...others] = await account.ordered('PO-1');
  expect(others).toEqual([]);
  expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', order_numbers: [order!.orderNumber] });
});

test('a quote builds the cart, records prices and availability, deletes it and never submits', async () => {
  const account = placing.account({ rules: backorders });
  const { importId } = await account.add(
    'PO-1',
    [
      { sku: 'A', quantity: 8, expectedPrice: '1.00' },
      { sku: 'B', quantity: 3 },
    ],
    { quoteOnly: true },
  );
  await account.run();
  expect(await account.row('PO-1')).toMatchObject({ state: 'cancelled', reason_code: 'quoted' });
  expect(
    await rowsOf(
      placing.pool,
      `select sku, available_quantity, backorder_quantity, dealer_price::float8 as price from lines
       where import_id = $1 order by row_number`,
      [importId],
    ),
  ).toEqual([
    { sku: 'A', available_quantity: 5, backorder_quantity: 3, price: 10 },
    { sku: 'B', available_quantity: 3, backorder_quantity: 0, price: 2.5 },
  ]);
  const audit = await readAudit(placing.pool, { dealer: account.dealer, outcome: 'acted' });
  expect(audit.map(({ endpoint }) => endpoint)).toEqual(['createCart', 'addItem', 'addItem', 'deleteCart']);
  expect((await account.api.showCart('PO-1')).kind).toBe('not_found');
  expect(await account.act('retry', { poNumber: 'PO-1' })).toEqual([]);
});

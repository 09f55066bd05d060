import { expect, test } from 'vitest';
import { quantitiesOf, usePlacing } from '../support/use-placing.ts';

const placing = usePlacing({ catalogue: ['A,1.00,99,0,0,0', 'B,1.00,99,0,0,0', 'C,1.00,99,0,0,0'] });

const fiveLines = ['A', 'B', 'C', 'A', 'B'].map((sku, at) => ({ sku, quantity: at + 1 }));
const asked = { A: 5, B: 7, C: 3 };
const adds = Array.from({ length: 5 }, () => 'addItem');
const names = (calls: readonly string[]): string[] => calls.map((call) => call.split(' ')[0]!);

const existing = { createRefusesExistingCart: true };
const all = { ...existing, createRefusesOrderedPo: true };

test.each([
  [
    '10 calls at the defaults',
    {},
    ['showCart', 'createCart', ...adds, 'showOrder', 'showCart', 'createOrder'],
  ],
  [
    '9 calls where creation refuses a standing cart',
    existing,
    ['createCart', ...adds, 'showOrder', 'showCart', 'createOrder'],
  ],
  [
    '8 calls where it refuses an ordered number, too, and a submission consumes the cart',
    all,
    ['createCart', ...adds, 'showCart', 'createOrder'],
  ],
  [
    '11 calls where PO numbers are reused',
    { poNumbersReused: true },
    ['showOrder', 'showCart', 'createCart', ...adds, 'showOrder', 'showCart', 'createOrder'],
  ],
])('a PO of five lines takes %s', async (_, rules, expected) => {
  const account = placing.account({ rules });
  await account.add('PO-1', fiveLines);
  await account.run();
  expect((await account.row('PO-1')).state).toBe('ordered');
  expect(names(account.calls)).toEqual(expected);
  const orders = await account.ordered('PO-1');
  expect(orders).toHaveLength(1);
  expect(quantitiesOf(orders)).toEqual(asked);
});

test.each([
  ['the defaults', {}],
  ['declared manners', all],
])('with %s, an order or a cart of somebody else is found, and neither is touched', async (_, rules) => {
  const account = placing.account({ rules });
  const { api } = account;
  for (const poNumber of ['ORDERED', 'IN-CART']) {
    await api.createCart({ poNumber, options: {} });
    await api.addItem(poNumber, { itemSku: 'C', quantity: 1 });
  }
  await api.createOrder('ORDERED');
  await account.add('ORDERED', fiveLines);
  await account.add('IN-CART', fiveLines);
  await account.run();
  expect((await account.row('ORDERED')).reason_code).toBe('already_ordered');
  expect((await account.row('IN-CART')).reason_code).toBe('foreign_cart');
  expect(quantitiesOf(await account.ordered('ORDERED'))).toEqual({ C: 1 });
  expect(await api.showCart('IN-CART')).toMatchObject({ value: { lines: [{ sku: 'C', quantity: 1 }] } });
});

test('a service that takes a second order under a number: the first one is found before anything is submitted', async () => {
  const { url } = await placing.serve({ poReuse: 'allowed', catalogue: ['A,1.00,99,0,0,0'] });
  const account = placing.account({ baseUrl: url });
  const { api } = account;
  await api.createCart({ poNumber: 'PO-1', options: {} });
  await api.addItem('PO-1', { itemSku: 'A', quantity: 2 });
  await api.createOrder('PO-1');
  account.calls.length = 0;
  await account.add('PO-1', [{ sku: 'A', quantity: 2 }]);
  await account.run();
  expect((await account.row('PO-1')).reason_code).toBe('already_ordered');
  expect(names(account.calls)).not.toContain('createOrder');
  expect((await api.showCart('PO-1')).kind).toBe('not_found');
  expect(await account.ordered('PO-1')).toHaveLength(1);
});

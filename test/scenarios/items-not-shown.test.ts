import { expect, test } from 'vitest';
import { type PlacingAccount, usePlacing } from '../support/use-placing.ts';

const placing = usePlacing({ poReuse: 'allowed' });

const two = [
  { sku: 'A', quantity: 2 },
  { sku: 'B', quantity: 3 },
];

/** Loses the ledger: files are imported again without knowledge of the orders. */
const loseLedger = (account: PlacingAccount) =>
  placing.pool.query('delete from imports where account = $1', [account.account]);

test.each([
  ['shows an empty list of items', { itemsIn: ['carts'] }],
  ['shows what was ordered', {}],
])(
  'with reused PO numbers and a lost ledger, nothing is ordered twice at a service that %s',
  async (_name, config) => {
    const service = await placing.serve({ poReuse: 'allowed', ...config });
    const account = placing.account({ baseUrl: service.url, rules: { poNumbersReused: true } });
    const numbers = Array.from({ length: 5 }, (_, at) => `PO-${at + 1}`);
    for (const poNumber of numbers) await account.add(poNumber, two);
    await account.run();
    await loseLedger(account);
    for (const poNumber of numbers) await account.add(poNumber, two);
    await account.run();
    for (const poNumber of numbers) {
      expect(await account.row(poNumber)).toMatchObject({ state: 'held', reason_code: 'already_ordered' });
      expect(await account.ordered(poNumber)).toHaveLength(1);
    }
  },
);

test('a PO is held, not ordered again, if an earlier order shows only part of its items', async () => {
  const account = placing.account({ rules: { poNumbersReused: true } });
  await account.add('PO-1', two.slice(0, 1));
  await account.run();
  await loseLedger(account);
  await account.add('PO-1', two);
  await account.run();
  expect(await account.row('PO-1')).toMatchObject({ state: 'held', reason_code: 'already_ordered' });
  expect(await account.ordered('PO-1')).toHaveLength(1);
});

test('a PO is ordered if all earlier orders under its number show other items', async () => {
  const account = placing.account({ rules: { poNumbersReused: true } });
  for (const sku of ['X', 'Y']) {
    await account.add('PO-1', [{ sku, quantity: 1 }]);
    await account.run();
    await loseLedger(account);
  }
  await account.add('PO-1', two);
  await account.run();
  expect((await account.row('PO-1')).state).toBe('ordered');
  expect(await account.ordered('PO-1')).toHaveLength(3);
});

import { describe, expect, test } from 'vitest';
import { insertRow } from '../support/ledger-rows.ts';
import { type PlacingAccount, quantitiesOf, rowsOf, sends, usePlacing } from '../support/use-placing.ts';

const placing = usePlacing();
const items = [
  { sku: 'SKU-1', quantity: 2 },
  { sku: 'SKU-2', quantity: 3 },
];
const ordered = { 'SKU-1': 2, 'SKU-2': 3 };

const rowOf = async (id: string) =>
  (await rowsOf(placing.pool, 'select * from purchase_orders where id = $1', [id]))[0];
/** Processes a PO until it has no next step. */
const finish = async (account: PlacingAccount, id: string): Promise<void> => {
  while ((await account.active()).includes(id)) {
    await account.becomeDue();
    await account.step(id);
  }
};
const cartOf = async (account: PlacingAccount, poNumber: string) =>
  (await account.api.showCart(poNumber, () => true)).kind;

describe('while a quote uses the cart', () => {
  // The moments of a quote: before and after creating, filling and deleting its cart; at the last one it has ended.
  const moments = Array.from({ length: 12 }, (_, at) => at);

  test.each(moments.slice(0, -1))(
    'at moment %d its order does not start, and follows the quote',
    async (moment) => {
      const account = placing.account();
      const quote = await account.add('PO-1', items, { quoteOnly: true });
      let order: string | undefined;
      let passed = 0;
      await account.step(quote.id, async () => {
        if (passed++ !== moment) return;
        ({ id: order } = await account.add('PO-1', items));
        const before = account.calls.length;
        expect(await account.step(order)).toMatchObject({ kind: 'later', why: 'not_yet' });
        expect(account.calls.length, 'nothing was asked for the order').toBe(before);
      });
      await finish(account, quote.id);
      expect(await rowOf(quote.id)).toMatchObject({ state: 'cancelled' });
      order ??= (await account.add('PO-1', items)).id;
      await finish(account, order);
      expect(await rowOf(order)).toMatchObject({ state: 'ordered' });
      const orders = await account.ordered('PO-1');
      expect(orders).toHaveLength(1);
      expect(quantitiesOf(orders)).toEqual(ordered);
    },
  );

  test.each(moments)('killed at moment %d: its cart is deleted before the order begins', async (moment) => {
    const account = placing.account();
    const quote = await account.add('PO-1', items, { quoteOnly: true });
    let passed = 0;
    const killed = account.step(quote.id, async () => {
      if (passed++ === moment) throw new Error('killed');
    });
    await killed.catch(() => {});
    const order = await account.add('PO-1', items);
    if (['cancelled', 'failed'].includes((await rowOf(quote.id)).state)) return;
    expect(await account.step(order.id)).toMatchObject({ kind: 'later' });
    await placing.pool.query(`update purchase_orders set lease_until = 'epoch' where id = $1`, [quote.id]);
    const sent = account.calls.length;
    await finish(account, quote.id);
    expect(sends(account.calls.slice(sent)).some((call) => call.startsWith('createCart'))).toBe(false);
    expect(await rowOf(quote.id)).toMatchObject({ state: 'cancelled' });
    expect(await cartOf(account, 'PO-1')).toBe('not_found');
    await finish(account, order.id);
    expect(quantitiesOf(await account.ordered('PO-1'))).toEqual(ordered);
  });

  test('its order is not submitted until no unclear call of the quote can take effect any more', async () => {
    const account = placing.account();
    const quote = await account.add('PO-1', items, { quoteOnly: true, row: { state: 'cancelled' } });
    await insertRow(placing.pool, 'intents', {
      purchase_order_id: quote.id,
      epoch: 0,
      step: 'add_items',
      outcome: 'unknown',
      ended_at: new Date(),
    });
    const order = await account.add('PO-1', items);
    expect(await account.step(order.id)).toMatchObject({ kind: 'transitioned', state: 'items_added' });
    expect(account.calls).not.toContain('createOrder PO-1');
    expect((await rowOf(order.id)).next_at.getTime()).toBeGreaterThan(Date.now());
  });

  test('an order whose number differs only in case waits too', async () => {
    const account = placing.account();
    await account.add('PO-1', items, { quoteOnly: true });
    const order = await account.add('po-1', items);
    expect(await account.step(order.id)).toMatchObject({ kind: 'later', why: 'not_yet' });
  });

  test("another account's order does not wait", async () => {
    const account = placing.account();
    await account.add('PO-1', items, { quoteOnly: true });
    const other = placing.account();
    const order = await other.add('PO-1', items);
    await finish(other, order.id);
    expect(await rowOf(order.id)).toMatchObject({ state: 'ordered' });
  });
});

describe('while an order is live', () => {
  test.each(['ready', 'cart_created', 'items_added', 'submitting', 'verifying', 'held', 'ordered', 'closed'])(
    'a quote with its number sends nothing and ends: the order is %s',
    async (state) => {
      const account = placing.account();
      await account.add('PO-1', items, { row: { state } });
      const quote = await account.add('PO-1', items, { quoteOnly: true });
      await finish(account, quote.id);
      expect(account.calls).toEqual([]);
      expect(await rowOf(quote.id)).toMatchObject({
        state: 'cancelled',
        reason_code: 'order_exists',
        reason_text: expect.stringContaining('already ordered or being ordered'),
      });
    },
  );

  test.each([
    ['rejected', {}],
    ['failed', {}],
    ['cancelled', {}],
    ['held', { reason_code: 'conflicting_po' }],
  ])('a PO that is %s keeps no quote back', async (state, row) => {
    const account = placing.account();
    await account.add('PO-1', items, { row: { state, ...row } });
    const quote = await account.add('PO-1', items, { quoteOnly: true });
    await finish(account, quote.id);
    expect(await rowOf(quote.id)).toMatchObject({ state: 'cancelled', reason_code: 'quoted' });
  });

  test("a quote leaves the order's cart alone while a guard holds the order", async () => {
    const account = placing.account();
    const order = await account.add('PO-1', [{ sku: 'SKU-1', quantity: 2, expectedPrice: '0.01' }]);
    await finish(account, order.id);
    expect(await rowOf(order.id)).toMatchObject({ state: 'held', reason_code: 'price_above' });
    const quote = await account.add('PO-1', items, { quoteOnly: true });
    await finish(account, quote.id);
    expect(await cartOf(account, 'PO-1')).toBe('ok');
    await account.act('release', { poNumber: 'PO-1' });
    await finish(account, order.id);
    expect(quantitiesOf(await account.ordered('PO-1'))).toEqual({ 'SKU-1': 2 });
  });
});

describe('a quote that is held', () => {
  /** A held quote whose cart exists. */
  const heldQuote = async (account: PlacingAccount): Promise<string> => {
    const quote = await account.add('PO-1', items, { quoteOnly: true });
    await account
      .step(quote.id, async (name) => {
        if (name === 'between_items') throw new Error('killed');
      })
      .catch(() => {});
    await placing.pool.query(
      `update purchase_orders set state = 'held', reason_code = 'service_unreachable', reason_text = 'x',
         lease_owner = null, lease_until = null where id = $1`,
      [quote.id],
    );
    expect(await cartOf(account, 'PO-1')).toBe('ok');
    return quote.id;
  };

  test('deletes its cart and ends as soon as an order with its number is released', async () => {
    const account = placing.account();
    const quote = await heldQuote(account);
    const order = await account.add('PO-1', items, { row: { state: 'held', reason_code: 'restored_file' } });
    await account.act('release', { reasonCode: 'restored_file' });
    expect(await account.step(order.id)).toMatchObject({ kind: 'later', why: 'not_yet' });
    await finish(account, quote);
    expect(await rowOf(quote)).toMatchObject({ state: 'cancelled', reason_code: 'order_exists' });
    await finish(account, order.id);
    expect(await rowOf(order.id)).toMatchObject({ state: 'ordered' });
    expect(quantitiesOf(await account.ordered('PO-1'))).toEqual(ordered);
  });

  test('never adopts an order', async () => {
    const account = placing.account();
    await account.add('PO-1', items, {
      quoteOnly: true,
      row: { state: 'held', reason_code: 'already_ordered' },
    });
    for (const action of ['adopt', 'release'] as const) {
      expect(await account.act(action, { poNumber: 'PO-1' })).toMatchObject([
        { kind: 'not_possible', why: expect.stringContaining('quote') },
      ]);
    }
  });
});

test('a quote ends if the service has an order that the ledger does not know', async () => {
  const account = placing.account();
  const order = await account.add('PO-1', items);
  await finish(account, order.id);
  await placing.pool.query('delete from imports where id = $1', [order.importId]);
  const sent = account.calls.length;
  const quote = await account.add('PO-1', items, { quoteOnly: true });
  await finish(account, quote.id);
  expect(sends(account.calls.slice(sent))).toEqual([]);
  expect(await rowOf(quote.id)).toMatchObject({ state: 'cancelled', reason_code: 'order_exists' });
});

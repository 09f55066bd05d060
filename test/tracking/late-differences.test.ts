import { expect, test } from 'vitest';
import type { OrderAnswer } from '../../src/dealer-api/answers.ts';
import { createTrackingLedger } from '../../src/ledger/tracking-ledger.ts';
import { useTracking } from './use-tracking.ts';
import { asAsked, second, watchedWith, withItems } from './watched.ts';

const { placing, withOrders } = useTracking();
const watched = watchedWith(withOrders);

test('a second order that shows its items only one poll later raises an alarm', async () => {
  const { poll } = await watched();
  expect((await poll(asAsked)).alarm).toBeNull();
  expect((await poll(second(undefined))).alarm).toBeNull();
  expect((await poll(second(5))).alarm).toMatch(/^The service shows larger/);
});

test('an order that later shows another quantity raises an alarm, and its correction withdraws it', async () => {
  const { poll } = await watched();
  expect((await poll(asAsked)).alarm).toBeNull();
  const later = (quantity: number) => (orders: OrderAnswer[]) =>
    orders.map((order) => withItems(order, quantity));
  expect((await poll(later(200))).alarm).toMatch(/^The service shows larger/);
  expect((await poll(later(1))).alarm).toMatch(/^The service shows smaller/);
  expect((await poll(asAsked)).alarm).toBeNull();
});

test('an alarm is not withdrawn because items are no longer shown', async () => {
  const { poll } = await watched();
  expect((await poll(second(5))).alarm).toMatch(/^The service shows larger/);
  expect((await poll(second(undefined))).alarm).toMatch(/^The service shows larger/);
  expect((await poll(asAsked)).alarm).toMatch(/^The service shows larger/);
});

test('also a PO that is closed is compared again when what is shown changes', async () => {
  const { account, poll } = await watched({ unchangedMs: 0 });
  expect(await poll(asAsked)).toMatchObject({ state: 'closed', alarm: null });
  // An open PO makes polls include its day.
  await account.add('PO-2', [{ sku: 'B', quantity: 2 }]);
  await account.run();
  expect(await poll(second(5))).toMatchObject({
    state: 'closed',
    alarm: expect.stringMatching(/^The service shows larger/),
  });
});

/** The kinds of all changes of PO-1's state in the feed. */
const kindsOf = async (account: string): Promise<string[]> => {
  const { rows } = await placing.pool.query(
    `select kind from feed where account = $1 and po_number = 'PO-1' and kind like 'po.%' order by id`,
    [account],
  );
  return rows.map(({ kind }) => kind.slice(3));
};

const withStatus =
  (orderStatus: string) =>
  (orders: OrderAnswer[]): OrderAnswer[] =>
    asAsked(orders).map((order) => ({ ...order, orderStatus }));

test('a closed PO whose order goes back is open again, until its order is final', async () => {
  const { account, poll } = await watched();
  expect(await poll(withStatus('Invoiced'))).toMatchObject({ state: 'closed' });
  await account.add('PO-2', [{ sku: 'B', quantity: 2 }]);
  await account.run();
  expect(await poll(withStatus('B/O'))).toMatchObject({ state: 'ordered', closed_at: null });
  expect(await poll(withStatus('B/O'))).toMatchObject({ state: 'ordered' });
  expect(await poll(withStatus('Invoiced'))).toMatchObject({ state: 'closed' });
  // A program that books orders must not get `ordered` twice.
  expect(await kindsOf(account.account)).toEqual(['read', 'ordered', 'closed', 'continued', 'closed']);
});

test('what changes of a final order leaves its PO closed', async () => {
  const { account, poll } = await watched();
  expect(await poll(withStatus('Invoiced'))).toMatchObject({ state: 'closed' });
  await account.add('PO-2', [{ sku: 'B', quantity: 2 }]);
  await account.run();
  const corrected = (orders: OrderAnswer[]) =>
    withStatus('Invoiced')(orders).map((order) => ({ ...order, trackingNumbers: ['1Z2'] }));
  expect(await poll(corrected)).toMatchObject({ state: 'closed' });
});

test('a comparison does not withdraw the alarm of a wish that came too late', async () => {
  const account = await withOrders(0);
  const { id } = await account.add('PO-1', [{ sku: 'B', quantity: 2 }]);
  let seen = 0;
  await account.step(id, async (name) => {
    if (name === 'intent_committed' && ++seen === 3) await account.act('cancel', { poNumber: 'PO-1' });
  });
  const alarm = expect.stringMatching(/^A person asked to cancel this PO/);
  expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', alarm });
  await account.poll();
  expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', alarm });
});

test('a back-order that appears after the PO was closed raises an alarm', async () => {
  const { account, poll } = await watched({ unchangedMs: 0 });
  expect(await poll(asAsked)).toMatchObject({ state: 'closed', alarm: null });
  await account.add('PO-2', [{ sku: 'B', quantity: 2 }]);
  await account.run();
  const backOrder = (orders: OrderAnswer[]) =>
    second(1)(orders).map((order) =>
      order.orderNumber === 'SECOND' ? { ...order, orderStatus: 'B/O' } : order,
    );
  expect(await poll(backOrder)).toMatchObject({
    state: 'closed',
    alarm: expect.stringMatching(/^The service shows larger/),
  });
});

test('another item than the one that the file asks for raises an alarm, even where it is what the cart had', async () => {
  const { account, poll } = await watched();
  await placing.pool.query(
    `update lines l set item_sku = 'A' from purchase_orders p where p.account = $1 and l.import_id = p.import_id`,
    [account.account],
  );
  expect((await poll(asAsked)).alarm).toBe(
    'The service has ordered other items than the file asks for: B for A (row 2). Check with the service.',
  );
});

test('an address that the service shows is compared with that of the file, as it stores it', async () => {
  const { account, poll } = await watched();
  const options = {
    ship_name: 'Müller & Söhne Großhandelsgesellschaft',
    ship_address1: '1 Elm St.',
    ship_address2: 'Unit 4',
    ship_city: 'Austin',
    ship_state: 'TX',
    ship_zip: '73301',
  };
  await placing.pool.query('update purchase_orders set options = $2 where account = $1', [
    account.account,
    JSON.stringify(options),
  ]);
  // Cut to 30 characters, in another case, without accents, lines joined; missing parts are unknown.
  const same = {
    shipName: 'MULLER & SOHNE GROSSHANDELSGE',
    shipAddress: '1 ELM ST, UNIT 4',
    shipZip: '73301-0001',
  };
  expect((await poll(asAsked, { ...same, shipCity: '' })).alarm).toBeNull();
  expect((await poll(asAsked, { ...same, shipCity: 'Dallas' })).alarm).toBe(
    'The service shows another address than the file has: ship_city is Dallas and not Austin. Check with the service.',
  );
  // Also for a PO that was compared before; a correction withdraws the alarm.
  expect((await poll(asAsked, { ...same, shipCity: 'AUSTIN' })).alarm).toBeNull();
});

test('an order that is missing does not hide the alarm of a wish that came too late', async () => {
  const { account } = await watched();
  await placing.pool.query(
    `update purchase_orders set alarm_code = 'late_wish', alarm = 'A person asked to cancel this PO, but its submission had been sent before. It is ordered: cancel the order with the service.' where account = $1`,
    [account.account],
  );
  const ledger = createTrackingLedger(placing.pool);
  const { id } = await account.row('PO-1');
  for (const told of [true, false]) expect(await ledger.markMissing(id, 'It is missing.')).toBe(told);
  expect((await account.row('PO-1')).alarm).toMatch(
    /^A person asked to cancel .* with the service\. It is missing\.$/,
  );
});

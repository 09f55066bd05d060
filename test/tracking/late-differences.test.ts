import { expect, test } from 'vitest';
import type { DealerApi, OrderAnswer } from '../../src/dealer-api/answers.ts';
import { useTracking } from './use-tracking.ts';

const { withOrders } = useTracking();

/** A PO of 2 B whose orders the service shows as a test says, from poll to poll. */
const watched = async (tracking: { unchangedMs?: number } = {}) => {
  let show = (orders: OrderAnswer[]): OrderAnswer[] => orders;
  const around = (api: DealerApi): DealerApi => ({
    ...api,
    listOrders: async (...args) => {
      const result = await api.listOrders(...args);
      if (result.kind !== 'ok') return result;
      return { kind: 'ok', value: result.value.map((po) => ({ ...po, orders: show(po.orders) })) };
    },
  });
  const account = await withOrders(1, { around, tracking });
  return {
    account,
    poll: async (next: typeof show) => {
      show = next;
      await account.poll();
      return account.row('PO-1');
    },
  };
};
const withItems = (order: OrderAnswer, quantity: number | undefined): OrderAnswer => ({
  ...order,
  lines: quantity === undefined ? [] : [{ sku: 'B', quantity }],
  items: (quantity === undefined ? [] : [{ sku: 'B', quantity }]) as never,
});
const asAsked = (orders: OrderAnswer[]) => orders.map((order) => withItems(order, 2));
/** A second order beside ours. */
const second = (quantity: number | undefined) => (orders: OrderAnswer[]) => [
  ...asAsked(orders),
  withItems({ ...orders[0]!, orderNumber: 'SECOND' }, quantity),
];

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
  // An open PO keeps its day polled.
  await account.add('PO-2', [{ sku: 'B', quantity: 2 }]);
  await account.run();
  expect(await poll(second(5))).toMatchObject({
    state: 'closed',
    alarm: expect.stringMatching(/^The service shows larger/),
  });
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

import { describe, expect, test } from 'vitest';
import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { answers, startScriptedServer } from '../dealer-api/scripted-server.ts';
import { rowsOf } from '../support/use-placing.ts';
import { hiding, two, useTracking } from './use-tracking.ts';

const { placing, withOrders, changesOf, makeOlder } = useTracking();

describe('what the date range does not show', () => {
  test('is looked up one by one, and nothing else is', async () => {
    const account = await withOrders(4, {
      around: hiding((poNumber) => poNumber === 'PO-2' || poNumber === 'PO-3'),
    });
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 4, lookedUp: 2 });
    expect(account.calls.slice(1).toSorted()).toEqual(['showOrder PO-2', 'showOrder PO-3']);
    expect(await changesOf(account, 'order_status')).toHaveLength(4);
  });

  test('takes turns: no PO waits forever behind others', async () => {
    const account = await withOrders(70, { around: hiding(() => true) });
    expect(await account.poll()).toMatchObject({ lookedUp: 50, seen: 50 });
    account.calls.length = 0;
    expect(await account.poll()).toMatchObject({ lookedUp: 50 });
    expect(account.calls.slice(1, 21).map((call) => Number(call.split('-')[1]))).toEqual(
      Array.from({ length: 20 }, (_, at) => 51 + at),
    );
  });

  test.each(['redirect', 'html'] as const)('a lone %s pauses nothing', async (kind) => {
    const account = await withOrders(1);
    placing.service.faults.replace([{ endpoint: 'listOrders', kind, count: 1 }]);
    expect(await account.poll()).toMatchObject({ kind: 'failed', waitMs: 60_000 });
    expect((await account.pause())?.code ?? null).toBeNull();
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1 });
  });

  test('is not missed while it cannot be read yet', async () => {
    const account = await withOrders(1, { around: hiding(() => true), rules: { readLagMs: 60_000 } });
    expect(await account.poll()).toMatchObject({ lookedUp: 0 });
  });

  test('raises an alarm, once, when an order must exist but none does; the alarm ends when one appears', async () => {
    const account = await withOrders(1);
    await placing.pool.query(
      'update dealer_service.submissions set dealer = dealer || $2 where dealer = $1',
      [account.dealer, ' gone'],
    );
    // Just submitted, so it may only be late.
    expect(await account.poll()).toMatchObject({ lookedUp: 1, alarms: 0 });
    await makeOlder(account, 1);
    expect(await account.poll()).toMatchObject({ lookedUp: 1, alarms: 1 });
    expect(await account.row('PO-1')).toMatchObject({
      state: 'ordered',
      alarm: expect.stringMatching(/^The service shows no order under this PO number/),
    });
    expect(await account.poll()).toMatchObject({ alarms: 0 });
    await placing.pool.query('update dealer_service.submissions set dealer = $1 where dealer = $1 || $2', [
      account.dealer,
      ' gone',
    ]);
    expect(await account.poll()).toMatchObject({ seen: 1, alarms: 0 });
    expect((await account.row('PO-1')).alarm).toBeNull();
  });

  test('raises an alarm when an order was accepted and nothing has shown it for a day, even if no lookup says so', async () => {
    let refuses = false;
    const account = await withOrders(2, {
      around: (api) => ({
        ...hiding((poNumber) => poNumber === 'PO-2')(api),
        showOrder: async (poNumber) =>
          refuses ? { kind: 'refused', status: 400, message: 'no' } : api.showOrder(poNumber),
      }),
    });
    refuses = true;
    await placing.pool.query(
      `update purchase_orders set ordered_at = ordered_at - interval '23 hours' where account = $1`,
      [account.account],
    );
    expect(await account.poll()).toMatchObject({ alarms: 0 });
    await makeOlder(account, 1);
    expect(await account.poll()).toMatchObject({ alarms: 1 });
    expect(await account.row('PO-2')).toMatchObject({
      alarm: expect.stringMatching(/no status check has shown it for 24 hours/),
    });
    expect((await account.row('PO-1')).alarm).toBeNull();
    expect(await account.poll()).toMatchObject({ alarms: 0 });
  });

  test('a refusal of one PO does not stop the lookups of the others', async () => {
    const front = await startScriptedServer();
    const account = await withOrders(3);
    front.script = (answer, socket, received) => {
      const status = received.url === '/orders/PO-2' ? 403 : 404;
      answers(received.url.startsWith('/orders?') ? 200 : status, '[]')(answer, socket, received);
    };
    account.moveTo(front.url);
    expect(await account.poll()).toMatchObject({ kind: 'polled', lookedUp: 3 });
    await front.stop();
    expect(await account.pause()).toMatchObject({ code: null, pollNote: null });
  });
});

test('a PO that was submitted twice counts as missing from its last submission on, not from its first', async () => {
  const nowhere = { kind: 'not_found', message: 'answered 404' } as const;
  let hidden = false;
  const around = (api: DealerApi): DealerApi => ({
    ...api,
    showOrder: async (...args) => (hidden ? nowhere : api.showOrder(...args)),
    listOrders: async (...args) => (hidden ? { kind: 'ok', value: [] } : api.listOrders(...args)),
  });
  const account = placing.account({ around });
  await account.add('PO-1', two);
  placing.service.faults.replace([
    { endpoint: 'submitOrder', kind: 'close-before', poNumber: 'PO-1', count: 1 },
  ]);
  await account.run();
  const [first, last] = await rowsOf(
    placing.pool,
    `select i.outcome
     from intents i join purchase_orders p on p.id = i.purchase_order_id
     where p.account = $1 and i.step = 'submit_order' order by i.id`,
    [account.account],
  );
  expect([first, last]).toMatchObject([{ outcome: 'unknown' }, { outcome: 'done' }]);
  // The first submission was hours ago; the order was created just now and cannot be read yet.
  hidden = true;
  expect(await account.poll()).toMatchObject({ lookedUp: 1, alarms: 0 });
  expect((await account.row('PO-1')).alarm).toBeNull();
  await account.becomeDue();
  expect(await account.poll()).toMatchObject({ lookedUp: 1, alarms: 1 });
});

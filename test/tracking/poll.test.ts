import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DealerApi, PoAnswer } from '../../src/dealer-api/answers.ts';
import { findFreePort } from '../../src/embedded/postmaster.ts';
import { readOverview } from '../../src/ledger/overview.ts';
import { silentLogger } from '../../src/logger.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { answers, startScriptedServer } from '../dealer-api/scripted-server.ts';
import {
  openPlacing,
  type Placing,
  type PlacingAccount,
  quantitiesOf,
  rowsOf,
  sends,
} from '../steering/placing-account.ts';

let placing: Placing;
let service: ListeningService;
beforeAll(async () => {
  placing = await openPlacing();
  service = await placing.serve({ catalogue: ['A,10.00,5,0,3,4', 'B,2.50,99,0,0,0'] });
});
afterAll(() => placing.end());

const dayMs = 86_400_000;
const two = [{ sku: 'B', quantity: 2 }];

/** An account with so many POs that are ordered. */
const withOrders = async (
  count: number,
  options: Partial<Parameters<Placing['account']>[0]> = {},
): Promise<PlacingAccount> => {
  const account = placing.account({ baseUrl: service.url, ...options });
  for (let at = 1; at <= count; at += 1) await account.add(`PO-${at}`, two);
  await account.run();
  account.calls.length = 0;
  return account;
};

const changesOf = (account: PlacingAccount, field: string): Promise<{ was: string; became: string }[]> =>
  rowsOf(
    placing.pool,
    `select c.was, c.became from status_changes c join orders o on o.id = c.order_id
     where o.account = $1 and c.field = $2 order by c.id`,
    [account.account, field],
  );

/** Orders of these dealers were placed so long ago. */
const makeOlder = async (account: PlacingAccount, days: number) => {
  await placing.pool.query(
    'update dealer_service.submissions set order_date = order_date - $2::int where dealer = $1',
    [account.dealer, days],
  );
  await placing.pool.query(
    `update intents i set begun_at = begun_at - $2::int * interval '1 day',
       ended_at = ended_at - $2::int * interval '1 day'
     from purchase_orders p where p.id = i.purchase_order_id and p.account = $1`,
    [account.account, days],
  );
  await placing.pool.query(
    `update purchase_orders set ordered_at = ordered_at - $2::int * interval '1 day' where account = $1`,
    [account.account, days],
  );
};

/** The date range does not show these POs. */
const hiding =
  (hidden: (poNumber: string) => boolean) =>
  (api: DealerApi): DealerApi => ({
    ...api,
    listOrders: async (...args) => {
      const result = await api.listOrders(...args);
      return result.kind === 'ok'
        ? { kind: 'ok', value: result.value.filter((po) => !hidden(po.poNumber!)) }
        : result;
    },
  });

describe('one poll', () => {
  test.each([1, 25])('asks once, however many POs are open: %i', async (count) => {
    const account = await withOrders(count);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: count, lookedUp: 0, alarms: 0 });
    expect(account.calls).toHaveLength(1);
    expect(account.calls[0]).toMatch(/^listOrders/);
  });

  test('of an account with nothing open asks nothing, and is noted', async () => {
    const account = placing.account({ baseUrl: service.url });
    expect(await account.poll()).toEqual({ kind: 'nothing_open' });
    expect(account.calls).toEqual([]);
    expect((await account.pause())!.polledAt).not.toBeNull();
  });

  test('asks from the day before the oldest open submission on', async () => {
    const account = await withOrders(2);
    await makeOlder(account, 40);
    await account.poll({ now: new Date() });
    const from = new Date(Date.now() - 41 * dayMs).toISOString().slice(0, 10).replaceAll('-', '');
    expect(account.calls).toEqual([`listOrders ${from}`]);
  });

  test('records statuses, dates, tracking and invoice numbers and each change of them exactly once', async () => {
    const account = await withOrders(1);
    await service.clock.setSpeed(0);
    const seen: string[] = [];
    const look = async () => {
      await account.poll();
      await account.poll();
      const [order] = await rowsOf(placing.pool, 'select * from orders where account = $1', [
        account.account,
      ]);
      seen.push(order.order_status);
      return order;
    };
    const first = await look();
    expect(first).toMatchObject({
      order_status: 'In O/E',
      tracking_numbers: [],
      invoice_number: null,
      warehouse: 'GA',
      ship_date: null,
    });
    expect(Number(first.order_total)).toBeGreaterThan(5);
    expect(first.items).toMatchObject([{ sku: 'B', order_quantity: 2 }]);
    let last = first;
    for (let hours = 0; hours < 48; hours += 1) {
      await service.clock.advance(3_600_000);
      if (hours % 4 === 3) last = await look();
    }
    expect(last.order_status).toBe('Invoiced');
    expect(last.tracking_numbers).toHaveLength(1);
    expect(last.invoice_number).toMatch(/^\d+$/);
    const distinct = seen.filter((status, at) => status !== seen[at - 1]);
    expect((await changesOf(account, 'order_status')).map(({ was, became }) => [was, became])).toEqual(
      distinct.map((status, at) => [at === 0 ? null : distinct[at - 1], status]),
    );
    expect(await changesOf(account, 'tracking_numbers')).toEqual([
      { was: '', became: last.tracking_numbers[0] },
    ]);
    expect(await changesOf(account, 'invoice_number')).toEqual([{ was: null, became: last.invoice_number }]);
    expect((await account.row('PO-1')).state).toBe('closed');
    expect(await account.poll()).toEqual({ kind: 'nothing_open' });
  });

  test('two at once of one account: one asks, the other leaves it to that one', async () => {
    const account = await withOrders(3);
    const kinds = (await Promise.all([account.poll(), account.poll()])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['busy', 'polled']);
    expect(await changesOf(account, 'order_status')).toHaveLength(3);
  });

  test('marks the result files that it changes, and no others', async () => {
    const account = await withOrders(2);
    await account.poll();
    await placing.pool.query('update imports set result_due = false where account = $1', [account.account]);
    await account.poll();
    const due = () =>
      rowsOf(placing.pool, 'select 1 from imports where account = $1 and result_due', [account.account]);
    expect(await due()).toEqual([]);
    await service.clock.advance(6 * 3_600_000);
    await account.poll();
    expect(await due()).toHaveLength(2);
  });

  test('takes any words of a service: unknown statuses, a list in an envelope, a PO once for each of its orders', async () => {
    const front = await startScriptedServer();
    const account = await withOrders(1);
    const [first] = (await account.row('PO-1')).order_numbers;
    const order = (order_number: string, quantity: number) => ({
      po_number: 'PO-1',
      order_details: [{ order_number, order_status: 'Am Zoll', items: [{ sku: 'B', quantity }] }],
    });
    front.script = answers(200, JSON.stringify({ data: [order(first!, 1), order('X-2', 1)] }));
    account.moveTo(front.url);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1, alarms: 0 });
    await front.stop();
    expect((await account.row('PO-1')).order_numbers).toEqual([first, 'X-2']);
    expect((await changesOf(account, 'order_status')).map(({ became }) => became)).toEqual([
      'Am Zoll',
      'Am Zoll',
    ]);
  });
});

describe('several orders of one PO', () => {
  test('are followed together: the sum is the file’s, and the PO is closed with the last of them', async () => {
    const account = placing.account({ baseUrl: service.url });
    await account.add('PO-1', [{ sku: 'A', quantity: 11 }], { options: { multiple_warehouse: true } });
    await account.run();
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1, alarms: 0 });
    const row = await account.row('PO-1');
    expect(row.order_numbers).toHaveLength(3);
    expect(quantitiesOf(await account.ordered('PO-1'))).toEqual({ A: 11 });
    expect(row.alarm).toBeNull();

    const [one, ...others] = row.order_numbers;
    const setSteps = (numbers: string[], steps: object) =>
      placing.pool.query('update dealer_service.orders set steps = $2 where order_number = any($1)', [
        numbers,
        JSON.stringify(steps),
      ]);
    await setSteps([one!], { Invoiced: 1 });
    await setSteps(others, {});
    await service.clock.advance(10);
    await account.poll();
    expect((await account.row('PO-1')).state).toBe('ordered');
    await setSteps(others, { Invoiced: 1 });
    expect(await account.poll()).toMatchObject({ closed: 1 });
    expect((await account.row('PO-1')).state).toBe('closed');
  });
});

describe('closing', () => {
  test('is for the statuses that the account calls final', async () => {
    const account = await withOrders(1, { tracking: { finalStatuses: ['In O/E', 'Shipped'] } });
    expect(await account.poll()).toMatchObject({ closed: 1 });
  });

  test('comes by itself when nothing has changed for so long', async () => {
    const account = await withOrders(2);
    await account.poll();
    await placing.pool.query(
      `update orders set changed_at = changed_at - interval '181 days' where account = $1 and po_number = 'PO-1'`,
      [account.account],
    );
    expect(await account.poll()).toMatchObject({ closed: 1 });
    expect((await account.row('PO-1')).state).toBe('closed');
    expect((await account.row('PO-2')).state).toBe('ordered');
  });
});

describe('what the date range does not show', () => {
  test('is looked up one by one, and only that', async () => {
    const account = await withOrders(4, {
      around: hiding((poNumber) => poNumber === 'PO-2' || poNumber === 'PO-3'),
    });
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 4, lookedUp: 2 });
    expect(account.calls.slice(1).toSorted()).toEqual(['showOrder PO-2', 'showOrder PO-3']);
    expect(await changesOf(account, 'order_status')).toHaveLength(4);
  });

  test('takes turns: no PO waits for ever behind others', async () => {
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
    service.faults.replace([{ endpoint: 'listOrders', kind, count: 1 }]);
    expect(await account.poll()).toMatchObject({ kind: 'failed', waitMs: 60_000 });
    expect((await account.pause())?.code ?? null).toBeNull();
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1 });
  });

  test('is not missed while it cannot be read yet', async () => {
    const account = await withOrders(1, { around: hiding(() => true), rules: { readLagMs: 60_000 } });
    expect(await account.poll()).toMatchObject({ lookedUp: 0 });
  });

  test('is an alarm, once, when no order stands there at all though it must; it ends when one shows up', async () => {
    const account = await withOrders(1);
    await placing.pool.query(
      'update dealer_service.submissions set dealer = dealer || $2 where dealer = $1',
      [account.dealer, ' gone'],
    );
    // Just submitted: it may only be late.
    expect(await account.poll()).toMatchObject({ lookedUp: 1, alarms: 0 });
    await makeOlder(account, 1);
    expect(await account.poll()).toMatchObject({ lookedUp: 1, alarms: 1 });
    expect(await account.row('PO-1')).toMatchObject({
      state: 'ordered',
      alarm: expect.stringMatching(/^No order stands under this PO number/),
    });
    expect(await account.poll()).toMatchObject({ alarms: 0 });
    await placing.pool.query('update dealer_service.submissions set dealer = $1 where dealer = $1 || $2', [
      account.dealer,
      ' gone',
    ]);
    expect(await account.poll()).toMatchObject({ seen: 1, alarms: 0 });
    expect((await account.row('PO-1')).alarm).toBeNull();
  });

  test('a refusal that is about one PO only leaves the others their turn', async () => {
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

test('a PO that had to be submitted again is missed from its last submission on, not from its first', async () => {
  const nowhere = { kind: 'not_found', message: 'answered 404' } as const;
  let hidden = false;
  const around = (api: DealerApi): DealerApi => ({
    ...api,
    showOrder: async (...args) => (hidden ? nowhere : api.showOrder(...args)),
    listOrders: async (...args) => (hidden ? { kind: 'ok', value: [] } : api.listOrders(...args)),
  });
  const account = placing.account({ baseUrl: service.url, around });
  await account.add('PO-1', two);
  service.faults.replace([{ endpoint: 'submitOrder', kind: 'close-before', poNumber: 'PO-1', count: 1 }]);
  await account.run();
  const [first, last] = await rowsOf(
    placing.pool,
    `select i.outcome
     from intents i join purchase_orders p on p.id = i.purchase_order_id
     where p.account = $1 and i.step = 'submit_order' order by i.id`,
    [account.account],
  );
  expect([first, last]).toMatchObject([{ outcome: 'unknown' }, { outcome: 'done' }]);
  // The first submission lies hours back, the order was made just now and cannot be read yet.
  hidden = true;
  expect(await account.poll()).toMatchObject({ lookedUp: 1, alarms: 0 });
  expect((await account.row('PO-1')).alarm).toBeNull();
  await account.becomeDue();
  expect(await account.poll()).toMatchObject({ lookedUp: 1, alarms: 1 });
});

describe('quantities', () => {
  const orderedWith = async (quantity: number) => {
    const around = (api: DealerApi): DealerApi => ({
      ...api,
      listOrders: async (...args) => {
        const result = await api.listOrders(...args);
        if (result.kind !== 'ok') return result;
        const lines = [{ sku: 'B', quantity }];
        const value: PoAnswer[] = result.value.map((po) => ({
          ...po,
          orders: po.orders.map((order) => ({ ...order, lines })),
        }));
        return { kind: 'ok', value };
      },
    });
    const account = await withOrders(1, { around });
    const polled = await account.poll();
    return { polled, alarm: (await account.row('PO-1')).alarm, account };
  };

  test.each([
    ['more', 3, /^More stands ordered/],
    ['less', 1, /^Less stands ordered/],
  ])('%s than the file asks for are an alarm, said once', async (_name, quantity, alarm) => {
    const found = await orderedWith(quantity);
    expect(found.polled).toMatchObject({ alarms: 1 });
    expect(found.alarm).toMatch(alarm);
    expect(await found.account.poll()).toMatchObject({ alarms: 0 });
    expect((await found.account.row('PO-1')).alarm).toMatch(alarm);
  });

  test.each([
    ['no items field', undefined],
    ['an empty list of items', []],
  ])(
    'that the service does not show (%s) are no alarm; it is said once for the account',
    async (_name, lines) => {
      const said: unknown[] = [];
      const logger = Object.assign(Object.create(silentLogger), {
        warn: (fields: { code?: string }) => fields.code === 'quantities_unreadable' && said.push(fields),
      });
      const unread = (pos: PoAnswer[]) =>
        pos.map((po) => ({ ...po, orders: po.orders.map((order) => ({ ...order, lines })) }));
      const around = (api: DealerApi): DealerApi => ({
        ...api,
        listOrders: async (...args) => {
          const result = await api.listOrders(...args);
          return result.kind === 'ok' ? { kind: 'ok', value: unread(result.value) } : result;
        },
      });
      const account = await withOrders(5, { around, logger });
      expect(await account.poll()).toMatchObject({ seen: 5, alarms: 0 });
      expect(said).toMatchObject([{ account: account.account, count: 5 }]);
      for (let at = 1; at <= 5; at += 1) expect((await account.row(`PO-${at}`)).alarm).toBeNull();
      await account.add('PO-6', two);
      await account.run();
      expect(await account.poll()).toMatchObject({ seen: 6, alarms: 0 });
      expect(said).toHaveLength(1);
      const { accounts } = await readOverview(placing.pool, [account.account]);
      expect(accounts[0]!.itemsUnreadableSince).toBeInstanceOf(Date);
    },
  );

  test('that are the file’s are none', async () => {
    expect(await orderedWith(2)).toMatchObject({ polled: { alarms: 0 }, alarm: null });
  });
});

describe('a PO that is held with a submission', () => {
  const held = async (quantity: number) => {
    const account = placing.account({ baseUrl: service.url, rules: { submissionConsumesCart: false } });
    await account.add('PO-1', two);
    service.faults.replace([{ endpoint: 'submitOrder', kind: 'close-before', count: 1 }]);
    await account.run();
    expect((await account.row('PO-1')).reason_code).toBe('submission_unknown');
    // The order comes after all: ours late, or somebody else's.
    if (quantity !== 2) {
      await account.api.deleteCart('PO-1');
      await account.api.createCart({ poNumber: 'PO-1', options: {} });
      await account.api.addItem('PO-1', { itemSku: 'B', quantity });
    }
    await account.api.createOrder('PO-1');
    account.calls.length = 0;
    return account;
  };

  test('becomes ordered when an equal new order shows up, with all that is known of it, even days later', async () => {
    const account = await held(2);
    await makeOlder(account, 5);
    expect(await account.poll()).toMatchObject({ kind: 'polled', adopted: 1 });
    const row = await account.row('PO-1');
    expect(row).toMatchObject({ state: 'ordered', reason_code: null, alarm: null });
    expect(row.order_numbers).toHaveLength(1);
    expect(await changesOf(account, 'order_status')).toHaveLength(1);
    expect(sends(account.calls)).toEqual([]);
    // The next poll still asks for the day of its submission.
    expect(await account.poll()).toMatchObject({ seen: 1, lookedUp: 0 });
  });

  test('stays held when the order is another one', async () => {
    const account = await held(3);
    expect(await account.poll()).toMatchObject({ kind: 'polled', adopted: 0, changes: 0 });
    expect((await account.row('PO-1')).state).toBe('held');
  });
});

describe('a service that fails', () => {
  test('on a range that is too long is asked for its days in parts', async () => {
    const account = await withOrders(3);
    await makeOlder(account, 40);
    service.faults.replace([{ endpoint: 'listOrders', kind: 'hang-before', count: 2 }]);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 3, lookedUp: 0, alarms: 0 });
    expect(account.calls.length).toBeGreaterThan(3);
  });

  test('is noted and said, never thrown; the next poll goes on', async () => {
    const account = await withOrders(1);
    // The range is three days: it is asked for whole, and then its first day.
    service.faults.replace([{ endpoint: 'listOrders', kind: '500-before', count: 2 }]);
    expect(await account.poll()).toEqual({ kind: 'failed', message: 'answered 500', waitMs: 60_000 });
    expect(await account.pause()).toMatchObject({ code: null, pollNote: 'answered 500', polledAt: null });
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1 });
    expect(await account.pause()).toMatchObject({ pollNote: null, polledAt: expect.any(Date) });
  });

  test('that is down pauses the account; when it is back the first good poll ends that', async () => {
    const account = await withOrders(1);
    const port = await findFreePort();
    account.moveTo(`http://127.0.0.1:${port}`);
    expect(await account.poll()).toMatchObject({ kind: 'failed', waitMs: 1000 });
    expect(await account.pause()).toMatchObject({ code: 'service_unreachable', pauses: 1 });
    await account.pauseEnds();
    expect(await account.poll()).toMatchObject({ kind: 'failed', waitMs: 2000 });
    await account.pauseEnds();
    account.moveTo(service.url);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1 });
    expect(await account.pause()).toMatchObject({ code: null, pauses: 0 });
  });

  test('with 429 pauses the account for placing too, and no poll asks meanwhile', async () => {
    const account = await withOrders(1);
    service.faults.replace([
      { endpoint: 'listOrders', kind: '429-seconds', retryAfterSeconds: 40, count: 1 },
    ]);
    expect(await account.poll()).toEqual({ kind: 'failed', message: 'answered 429', waitMs: 40_000 });
    await account.add('PO-2', two);
    account.calls.length = 0;
    await account.run();
    const paused = await account.poll();
    expect(paused).toMatchObject({ kind: 'paused', message: 'the account pauses: answered 429' });
    expect(paused).toHaveProperty('waitMs', expect.closeTo(40_000, -4));
    expect(account.calls).toEqual([]);
    await account.pauseEnds();
    expect(await account.poll()).toMatchObject({ kind: 'polled' });
  });

  test('in the middle of the look-ups keeps what was recorded, and says so', async () => {
    const account = await withOrders(4, { around: hiding((poNumber) => poNumber !== 'PO-1') });
    service.faults.replace([
      { endpoint: 'showOrder', kind: '429-seconds', retryAfterSeconds: 40, skip: 1, count: 1 },
    ]);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 2, lookedUp: 2 });
    expect(await account.pause()).toMatchObject({ code: 'rate_limited', pollNote: 'answered 429' });
    expect(await changesOf(account, 'order_status')).toHaveLength(2);
  });
});

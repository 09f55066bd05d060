import { beforeEach, describe, expect, test } from 'vitest';
import { startScriptedServer } from '../dealer-api/scripted-server.ts';
import { type PlacingAccount, rowsOf } from '../support/use-placing.ts';
import { two, useTracking } from './use-tracking.ts';

const { placing, withOrders, changesOf, makeOlder } = useTracking();
const dayMs = 86_400_000;
beforeEach(() => placing.service.clock.set());

const dayOf = (compact: string): number =>
  Date.parse(`${compact.slice(0, 4)}-${compact.slice(4, 6)}-${compact.slice(6)}`) / dayMs;

/** The real service behind a gateway that fails some ranges of days, and records the length of each range. */
const behindGateway = async (account: PlacingAccount) => {
  const front = await startScriptedServer();
  const gateway = {
    /** The status with which a range is refused. */
    refuse: (_first: number, _last: number): number | undefined => undefined,
    atMost(most: number) {
      gateway.refuse = (first, last) => (last - first + 1 > most ? 400 : undefined);
    },
    asked: [] as number[],
    stop: () => front.stop(),
  };
  front.script = async (answer, _socket, { url, headers }) => {
    const query = new URL(url, front.url).searchParams;
    const json = { 'content-type': 'application/json' };
    if (query.has('from_date')) {
      const [first, last] = [dayOf(query.get('from_date')!), dayOf(query.get('to_date')!)];
      gateway.asked.push(last - first + 1);
      const refused = gateway.refuse(first, last);
      if (refused !== undefined)
        return answer.writeHead(refused, json).end('{"error":"The range is too long."}');
    }
    const { authorization } = headers;
    const passed = await fetch(`${placing.service.url}${url}`, {
      headers: { authorization: authorization! },
    });
    return answer.writeHead(passed.status, json).end(await passed.text());
  };
  account.moveTo(front.url);
  return gateway;
};

/** Moves the last poll, and what it learned, into the past. */
const passTime = async (account: PlacingAccount, hours: number): Promise<void> => {
  await placing.pool.query(
    `update poll_ages set asked_at = asked_at - $2 * interval '1 hour' where account = $1`,
    [account.account, hours],
  );
  await placing.pool.query(
    `update account_states set range_learned_at = range_learned_at - $2 * interval '1 hour' where account = $1`,
    [account.account, hours],
  );
};

const statusesOf = async (account: PlacingAccount) =>
  (await changesOf(account, 'order_status')).map(({ became }) => became);

describe('an old order', () => {
  test('is asked for when its age is due: its status change is found then, and by hand at once', async () => {
    const account = await withOrders(1);
    await makeOlder(account, 20);
    const gateway = await behindGateway(account);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1 });
    const steps = (text: string) =>
      placing.pool.query(
        `update dealer_service.orders set steps = $2 from dealer_service.submissions s
         where s.submission_id = orders.submission_id and s.dealer = $1`,
        [account.dealer, text],
      );
    await steps('{"Picking":0}');
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 0, lookedUp: 0, alarms: 0 });
    expect(await statusesOf(account)).not.toContain('Picking');
    await passTime(account, 1);
    expect(await account.poll()).toMatchObject({ seen: 1, changes: 1 });
    expect(await statusesOf(account)).toContain('Picking');

    await steps('{"Shipped":0}');
    expect(await account.poll({ all: true })).toMatchObject({ seen: 1 });
    expect(await statusesOf(account)).toContain('Shipped');
    // If no open order is due, it still checks whether the service answers.
    expect(gateway.asked).toEqual([23, 3, 23, 23]);
    await gateway.stop();
  });

  test('that is held for 90 days makes no poll longer but one a day', async () => {
    const account = await withOrders(1);
    await makeOlder(account, 91);
    await placing.pool.query(
      `update purchase_orders set state = 'held', reason_code = 'submission_unknown', reason_text = 'unknown' where account = $1`,
      [account.account],
    );
    await placing.pool.query(
      `update intents set outcome = 'unknown' where step = 'submit_order'
         and purchase_order_id in (select id from purchase_orders where account = $1)`,
      [account.account],
    );
    await account.add('PO-2', two);
    await account.run();
    const gateway = await behindGateway(account);
    await placing.pool.query(
      'insert into poll_ages (account, older_than_days, asked_at) values ($1, 90, clock_timestamp())',
      [account.account],
    );
    for (let hour = 0; hour < 21; hour += 1) {
      expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1, adopted: 0 });
      await passTime(account, 1);
    }
    // Within a day its order is found, and the PO is ordered.
    await passTime(account, 1);
    expect(await account.poll()).toMatchObject({ adopted: 1 });
    expect((await account.row('PO-1')).state).toBe('ordered');
    expect(gateway.asked.filter((days) => days > 17)).toEqual([94]);
    await gateway.stop();
  });

  test('with a further order of today is not compared with its file before all of its orders are read', async () => {
    const account = placing.account();
    await account.add('PO-1', [{ sku: 'A', quantity: 11 }], { options: { multiple_warehouse: true } });
    await account.run();
    await makeOlder(account, 20);
    expect(await account.poll()).toMatchObject({ alarms: 0 });
    const numbers = (await account.row('PO-1')).order_numbers;
    expect(numbers.length).toBeGreaterThan(1);
    // The service has split an order today, and the ledger does not know that yet.
    await placing.pool.query(
      `with of_today as (
         insert into dealer_service.submissions overriding system value
         select (jsonb_populate_record(s, jsonb_build_object('submission_id', s.submission_id + 1000000, 'order_date', s.order_date + 20))).*
         from dealer_service.submissions s where s.dealer = $1 returning submission_id)
       update dealer_service.orders set submission_id = (select submission_id from of_today) where order_number = $2`,
      [account.dealer, numbers.at(-1)],
    );
    await placing.pool.query('delete from orders where account = $1 and order_number = $2', [
      account.account,
      numbers.at(-1),
    ]);
    expect(await account.poll()).toMatchObject({ seen: 1, alarms: 0 });
    expect((await account.row('PO-1')).order_numbers).toEqual(numbers);
    await passTime(account, 1);
    expect(await account.poll()).toMatchObject({ seen: 1, alarms: 0 });
    const [row] = await rowsOf(
      placing.pool,
      'select quantities_checked, alarm from purchase_orders where account = $1',
      [account.account],
    );
    expect(row).toEqual({ quantities_checked: true, alarm: null });
  });

  test('that no range shows is looked up in the turn of its age, also when one poll cannot look up all', async () => {
    const account = await withOrders(70, {
      around: (api) => ({ ...api, listOrders: async () => ({ kind: 'ok', value: [] }) }),
    });
    await makeOlder(account, 20);
    expect(await account.poll()).toMatchObject({ lookedUp: 50 });
    expect(await account.poll()).toMatchObject({ lookedUp: 20 });
    expect(await account.poll()).toMatchObject({ lookedUp: 0 });
    expect(await account.poll({ all: true })).toMatchObject({ lookedUp: 50 });
  });
});

describe('a service that answers a week at most', () => {
  test('is asked for weeks, also by a process that starts later, and for longer ranges when it allows them', async () => {
    const account = await withOrders(2);
    await makeOlder(account, 40);
    const gateway = await behindGateway(account);
    gateway.atMost(7);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 2, lookedUp: 0, alarms: 0 });
    expect(gateway.asked.slice(0, 4)).toEqual([43, 21, 10, 5]);
    // Each poll in these tests has a new client and a new ledger object, so only the database remembers.
    gateway.asked = [];
    expect(await account.poll({ all: true })).toMatchObject({ seen: 2 });
    expect(gateway.asked).toEqual([5, 5, 5, 5, 5, 5, 5, 5, 3]);

    gateway.asked = [];
    await passTime(account, 1);
    expect(await account.poll({ all: true })).toMatchObject({ seen: 2 });
    expect(gateway.asked.slice(0, 2)).toEqual([10, 5]);
    gateway.asked = [];
    await account.poll({ all: true });
    expect(Math.max(...gateway.asked)).toBe(5);

    gateway.atMost(100);
    for (const days of [10, 20, 40, 43]) {
      await passTime(account, 1);
      gateway.asked = [];
      expect(await account.poll({ all: true })).toMatchObject({ seen: 2 });
      expect(gateway.asked[0]).toBe(days);
    }
    await gateway.stop();
  });

  test('and refuses everything is not remembered as one', async () => {
    const account = await withOrders(1);
    const gateway = await behindGateway(account);
    gateway.atMost(0);
    expect(await account.poll()).toMatchObject({ kind: 'failed', waitMs: 60_000 });
    gateway.atMost(100);
    gateway.asked = [];
    expect(await account.poll()).toMatchObject({ seen: 1 });
    expect(gateway.asked).toEqual([3]);
    await gateway.stop();
  });
});

describe('a day that the service does not answer', () => {
  /** Orders from 12, 10, 4 and 0 days ago, and a gateway that answers no range containing the day 10 days ago. */
  const withUnreadDay = async () => {
    const account = placing.account();
    // Each step also ages the earlier orders.
    for (const days of [2, 6, 4]) {
      await account.add(`PO-${days}`, two);
      await account.run();
      await makeOlder(account, days);
    }
    await account.add('PO-0', two);
    await account.run();
    account.calls.length = 0;
    const gateway = await behindGateway(account);
    const bad = Math.floor(Date.now() / dayMs) - 10;
    gateway.refuse = (first, last) => (first <= bad && last >= bad ? 504 : undefined);
    return { account, gateway };
  };
  const lookups = (account: PlacingAccount) => account.calls.filter((call) => call.startsWith('showOrder'));
  const known = (account: PlacingAccount) =>
    rowsOf(placing.pool, 'select tries, why from unread_days where account = $1', [account.account]);

  test('costs lookups, and the days around it are read, in the next polls with a call for each side', async () => {
    const { account, gateway } = await withUnreadDay();
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 4, lookedUp: 1 });
    expect(lookups(account)).toEqual(['showOrder PO-6']);
    expect(await account.pause()).toMatchObject({ pollNote: null, code: null });
    expect(await known(account)).toEqual([{ tries: 1, why: 'answered 504' }]);
    for (let poll = 0; poll < 3; poll += 1) {
      gateway.asked = [];
      account.calls.length = 0;
      expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 4, lookedUp: 1 });
      expect(gateway.asked).toEqual([11, 3]);
    }
    await gateway.stop();
  });

  test('is tried again later and later, and read once the service answers it', async () => {
    const { account, gateway } = await withUnreadDay();
    await account.poll();
    const earlier = (minutes: number) =>
      placing.pool.query(
        `update unread_days set tried_at = tried_at - $2 * interval '1 minute' where account = $1`,
        [account.account, minutes],
      );
    await earlier(16);
    await account.poll();
    expect(await known(account)).toMatchObject([{ tries: 2 }]);
    await earlier(16);
    await account.poll();
    expect(await known(account)).toMatchObject([{ tries: 2 }]);
    gateway.refuse = () => undefined;
    await earlier(16);
    gateway.asked = [];
    expect(await account.poll()).toMatchObject({ seen: 4, lookedUp: 0 });
    expect(gateway.asked).toEqual([15]);
    expect(await known(account)).toEqual([]);
    await gateway.stop();
  });

  test('is read at once when a person asks', async () => {
    const { account, gateway } = await withUnreadDay();
    await account.poll();
    gateway.refuse = () => undefined;
    expect(await account.poll({ all: true })).toMatchObject({ seen: 4, lookedUp: 0 });
    expect(await known(account)).toEqual([]);
    await gateway.stop();
  });

  test('does not make the orders of older ages due with every poll', async () => {
    const { account, gateway } = await withUnreadDay();
    await makeOlder(account, 20);
    const bad = Math.floor(Date.now() / dayMs) - 30;
    gateway.refuse = (first, last) => (first <= bad && last >= bad ? 504 : undefined);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 4 });
    gateway.asked = [];
    expect(await account.poll()).toMatchObject({ kind: 'polled', lookedUp: 0 });
    expect(gateway.asked).toEqual([3]);
    // It stays recorded while its age is not due.
    expect(await known(account)).toMatchObject([{ tries: 1 }]);
    await gateway.stop();
  });

  test('teaches nothing about the length of a range', async () => {
    const { account, gateway } = await withUnreadDay();
    await account.poll();
    const rows = await rowsOf(
      placing.pool,
      'select longest_range_days from account_states where account = $1',
      [account.account],
    );
    expect(rows).toEqual([{ longest_range_days: null }]);
    await gateway.stop();
  });
});

test('a service that limits calls in the middle of a range is sent no lookup, and what was read is kept', async () => {
  const account = await withOrders(2);
  await makeOlder(account, 40);
  await account.add('PO-3', two);
  await account.run();
  account.calls.length = 0;
  const gateway = await behindGateway(account);
  const today = Math.floor(Date.now() / dayMs);
  gateway.refuse = (first, last) => (last - first > 9 ? 400 : first < today - 20 ? 429 : undefined);
  expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1, lookedUp: 0, alarms: 0 });
  expect(account.calls.filter((call) => !call.startsWith('listOrders'))).toEqual([]);
  expect(await account.pause()).toMatchObject({ code: 'rate_limited', pollNote: 'answered 429' });
  gateway.refuse = () => undefined;
  await account.pauseEnds();
  expect(await account.poll()).toMatchObject({ seen: 3 });
  await gateway.stop();
});

import { beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { createTrackingLedger } from '../../src/ledger/tracking-ledger.ts';
import { answers, startScriptedServer } from '../dealer-api/scripted-server.ts';
import { quantitiesOf, rowsOf } from '../support/use-placing.ts';
import { hiding, two, useTracking } from './use-tracking.ts';

const { placing, withOrders, changesOf, makeOlder } = useTracking();
const dayMs = 86_400_000;
// A poll asks for the days up to tomorrow; an earlier test may have left the service's clock beyond that.
beforeEach(() => placing.service.clock.set());

describe('one poll', () => {
  test.each([1, 25])('sends one request, however many POs are open: %i', async (count) => {
    const account = await withOrders(count);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: count, lookedUp: 0, alarms: 0 });
    expect(account.calls).toHaveLength(1);
    expect(account.calls[0]).toMatch(/^listOrders/);
  });

  test('of an account without open POs sends no request, and is recorded', async () => {
    const account = placing.account();
    expect(await account.poll()).toEqual({ kind: 'nothing_open' });
    expect(account.calls).toEqual([]);
    expect((await account.pause())!.polledAt).not.toBeNull();
  });

  test('asks for the days since the day before the oldest open submission', async () => {
    const account = await withOrders(2);
    await makeOlder(account, 40);
    await account.poll({ now: new Date() });
    const from = new Date(Date.now() - 41 * dayMs).toISOString().slice(0, 10).replaceAll('-', '');
    expect(account.calls).toEqual([`listOrders ${from}`]);
  });

  test('records statuses, dates, tracking and invoice numbers and each change of them exactly once', async () => {
    const account = await withOrders(1);
    await placing.service.clock.setSpeed(0);
    const seen: string[] = [];
    const readOrder = async () => {
      await account.poll();
      await account.poll();
      const [order] = await rowsOf(placing.pool, 'select * from orders where account = $1', [
        account.account,
      ]);
      seen.push(order.order_status);
      return order;
    };
    const first = await readOrder();
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
      await placing.service.clock.advance(3_600_000);
      if (hours % 4 === 3) last = await readOrder();
    }
    expect(last.order_status).toBe('Invoiced');
    expect(last.tracking_numbers).toHaveLength(1);
    expect(last.invoice_number).toMatch(/^\d+$/);
    const distinct = seen.filter((status, at) => status !== seen[at - 1]);
    expect((await changesOf(account, 'order_status')).map(({ was, became }) => [was, became])).toEqual(
      distinct.map((status, at) => [at === 0 ? null : distinct[at - 1], status]),
    );
    expect(await changesOf(account, 'tracking_numbers')).toEqual([
      { was: null, became: last.tracking_numbers[0] },
    ]);
    expect(await changesOf(account, 'invoice_number')).toEqual([{ was: null, became: last.invoice_number }]);
    expect((await account.row('PO-1')).state).toBe('closed');
    expect(await account.poll()).toEqual({ kind: 'nothing_open' });
  });

  test('two at once of one account: only one sends requests', async () => {
    const account = await withOrders(3);
    const tracking = createTrackingLedger(placing.pool);
    account.calls.length = 0;
    expect(await tracking.withPollLock(account.account, () => account.poll())).toEqual({ kind: 'busy' });
    expect(account.calls).toEqual([]);
    expect(await account.poll()).toMatchObject({ kind: 'polled' });
    expect(await changesOf(account, 'order_status')).toHaveLength(3);
  });

  test('marks only the result files whose POs changed', async () => {
    const account = await withOrders(2);
    await account.poll();
    await placing.pool.query('update imports set result_due = false where account = $1', [account.account]);
    await account.poll();
    const due = () =>
      rowsOf(placing.pool, 'select 1 from imports where account = $1 and result_due', [account.account]);
    expect(await due()).toEqual([]);
    await placing.service.clock.advance(6 * 3_600_000);
    await account.poll();
    expect(await due()).toHaveLength(2);
  });

  test('accepts unknown statuses, a list in an envelope, and a PO once for each of its orders', async () => {
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
  test('are tracked together: their sum matches the file, and the PO closes with the last of them', async () => {
    const account = placing.account();
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
    await placing.service.clock.advance(10);
    await account.poll();
    expect((await account.row('PO-1')).state).toBe('ordered');
    await setSteps(others, { Invoiced: 1 });
    expect(await account.poll()).toMatchObject({ closed: 1 });
    expect((await account.row('PO-1')).state).toBe('closed');
  });
});

describe('closing', () => {
  test('happens at the statuses that the account calls final', async () => {
    const account = await withOrders(1, { tracking: { finalStatuses: ['In O/E', 'Shipped'] } });
    expect(await account.poll()).toMatchObject({ closed: 1 });
  });

  test('happens automatically when nothing has changed for a long time', async () => {
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

describe('a service that fails', () => {
  test('on a long date range is asked for parts of the range', async () => {
    const account = await withOrders(3);
    await makeOlder(account, 40);
    placing.service.faults.replace([{ endpoint: 'listOrders', kind: 'hang-before', count: 2 }]);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 3, lookedUp: 0, alarms: 0 });
    expect(account.calls.length).toBeGreaterThan(3);
  });

  test('is recorded and logged, never thrown; the next poll continues', async () => {
    const account = await withOrders(1);
    // The range has three days: the poll asks for all, and then for the first day.
    placing.service.faults.replace([{ endpoint: 'listOrders', kind: '500-before', count: 2 }]);
    expect(await account.poll()).toEqual({ kind: 'failed', message: 'answered 500', waitMs: 60_000 });
    expect(await account.pause()).toMatchObject({ code: null, pollNote: 'answered 500', polledAt: null });
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1 });
    expect(await account.pause()).toMatchObject({ pollNote: null, polledAt: expect.any(Date) });
  });

  test('that is down pauses the account; the first successful poll ends the pause', async () => {
    const account = await withOrders(1);
    const port = await findFreePort();
    account.moveTo(`http://127.0.0.1:${port}`);
    expect(await account.poll()).toMatchObject({ kind: 'failed', waitMs: expect.closeTo(1000, -3) });
    expect(await account.pause()).toMatchObject({ code: 'connection_refused', pauses: 1 });
    await account.pauseEnds();
    expect(await account.poll()).toMatchObject({ kind: 'failed', waitMs: expect.closeTo(2000, -3) });
    await account.pauseEnds();
    account.moveTo(placing.service.url);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 1 });
    expect(await account.pause()).toMatchObject({ code: null, pauses: 0 });
  });

  test('with 429 also pauses placing for the account, and no poll sends a request meanwhile', async () => {
    const account = await withOrders(1);
    placing.service.faults.replace([
      { endpoint: 'listOrders', kind: '429-seconds', retryAfterSeconds: 40, count: 1 },
    ]);
    expect(await account.poll()).toEqual({
      kind: 'failed',
      message: 'answered 429',
      // The rest of the pause on the database's clock.
      waitMs: expect.closeTo(40_000, -4),
    });
    await account.add('PO-2', two);
    account.calls.length = 0;
    await account.run();
    const paused = await account.poll();
    expect(paused).toMatchObject({ kind: 'paused', message: 'account is paused (answered 429)' });
    expect(paused).toHaveProperty('waitMs', expect.closeTo(40_000, -4));
    expect(account.calls).toEqual([]);
    // A postponed poll has not failed.
    expect(await account.pause()).toMatchObject({ pollNote: 'answered 429' });
    await account.pauseEnds();
    expect(await account.poll()).toMatchObject({ kind: 'polled' });
  });

  test('during the lookups keeps what was recorded, and the poll reports it', async () => {
    const account = await withOrders(4, { around: hiding((poNumber) => poNumber !== 'PO-1') });
    placing.service.faults.replace([
      { endpoint: 'showOrder', kind: '429-seconds', retryAfterSeconds: 40, skip: 1, count: 1 },
    ]);
    expect(await account.poll()).toMatchObject({ kind: 'polled', seen: 2, lookedUp: 2 });
    expect(await account.pause()).toMatchObject({ code: 'rate_limited', pollNote: 'answered 429' });
    expect(await changesOf(account, 'order_status')).toHaveLength(2);
  });
});

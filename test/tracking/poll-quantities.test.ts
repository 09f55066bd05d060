import { describe, expect, test } from 'vitest';
import type { DealerApi, PoAnswer } from '../../src/dealer-api/answers.ts';
import { readOverview } from '../../src/ledger/overview.ts';
import { silentLogger } from '../../src/logger.ts';
import { sends } from '../support/use-placing.ts';
import { two, useTracking } from './use-tracking.ts';

const { placing, withOrders, changesOf, makeOlder } = useTracking();

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
    ['more', 3, /^The service shows larger/],
    ['less', 1, /^The service shows smaller/],
  ])('%s than the file asks for raise an alarm, once', async (_name, quantity, alarm) => {
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
    'that the service does not show (%s) raise no alarm; this is logged once for the account',
    async (_name, lines) => {
      const warnings: unknown[] = [];
      const logger = Object.assign(Object.create(silentLogger), {
        warn: (fields: { code?: string }) => fields.code === 'quantities_unreadable' && warnings.push(fields),
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
      expect(warnings).toMatchObject([{ account: account.account, count: 5 }]);
      for (let at = 1; at <= 5; at += 1) expect((await account.row(`PO-${at}`)).alarm).toBeNull();
      await account.add('PO-6', two);
      await account.run();
      expect(await account.poll()).toMatchObject({ seen: 6, alarms: 0 });
      expect(warnings).toHaveLength(1);
      const { accounts } = await readOverview(placing.pool, [account.account]);
      expect(accounts[0]!.itemsUnreadableSince).toBeInstanceOf(Date);
    },
  );

  test('that match the file raise no alarm', async () => {
    expect(await orderedWith(2)).toMatchObject({ polled: { alarms: 0 }, alarm: null });
  });
});

describe('a PO that was submitted and is held', () => {
  const held = async (quantity: number) => {
    const account = placing.account({ rules: { submissionConsumesCart: false } });
    await account.add('PO-1', two);
    placing.service.faults.replace([{ endpoint: 'submitOrder', kind: 'close-before', count: 1 }]);
    await account.run();
    expect((await account.row('PO-1')).reason_code).toBe('submission_unknown');
    // The order appears after all: ours, late, or somebody else's.
    if (quantity !== 2) {
      await account.api.deleteCart('PO-1');
      await account.api.createCart({ poNumber: 'PO-1', options: {} });
      await account.api.addItem('PO-1', { itemSku: 'B', quantity });
    }
    await account.api.createOrder('PO-1');
    account.calls.length = 0;
    return account;
  };

  test('becomes ordered when an equal new order appears, with all its data, even days later', async () => {
    const account = await held(2);
    await makeOlder(account, 5);
    expect(await account.poll()).toMatchObject({ kind: 'polled', adopted: 1 });
    const row = await account.row('PO-1');
    expect(row).toMatchObject({ state: 'ordered', reason_code: null, alarm: null });
    expect(row.order_numbers).toHaveLength(1);
    expect(await changesOf(account, 'order_status')).toHaveLength(1);
    expect(sends(account.calls)).toEqual([]);
    // The guard for unusual quantities learns from it, like from every order.
    const { rows: largest } = await placing.pool.query(
      'select item, quantity from largest_orders where account = $1 order by item',
      [account.account],
    );
    expect(largest).toEqual([
      { item: '', quantity: 2 },
      { item: 'B', quantity: 2 },
    ]);
    // The next poll still asks for the day of its submission.
    expect(await account.poll()).toMatchObject({ seen: 1, lookedUp: 0 });
  });

  test('stays held when the order differs', async () => {
    const account = await held(3);
    expect(await account.poll()).toMatchObject({ kind: 'polled', adopted: 0, changes: 0 });
    expect((await account.row('PO-1')).state).toBe('held');
  });
});

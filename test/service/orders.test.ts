import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderShipCodes, orderStatuses } from '../../src/contract/codes.ts';
import { orderDetail, poObject } from '../../src/contract/orders.ts';
import type { Service } from '../../src/service/build-service.ts';
import { ordersByPo, readAudit } from '../support/read-audit.ts';
import { type Caller, servicesOfTest, type TestServices } from './run-service.ts';

const hour = 3_600_000;
let services: TestServices;
let service: Service;
let call: Caller;
beforeAll(async () => {
  services = await servicesOfTest();
  const catalogue = await services.write(
    'sku,item_id,name,price,stock_GA,stock_ID,stock_IN,stock_TX\nPAD,1,Brake pad,12.50,10,5,0,2\nBOLT,2,Bolt,0.05,1000,0,0,100\n',
  );
  ({ service, call } = await services.build({ catalogue, admin: true }));
});
afterAll(() => services.end());

let made = 0;
/** Orders these quantities under a new PO number. */
const order = async (items: Record<string, number>, options: object = {}) => {
  const po = `PO-${++made}`;
  await call('POST', '/carts', { po_number: po, ...options });
  for (const [sku, quantity] of Object.entries(items)) {
    await call('POST', `/carts/${po}/items`, { item_sku: sku, quantity });
  }
  const submitted = await call('POST', '/orders', { po_number: po });
  return { po, submitted, show: async () => (await call('GET', `/orders/${po}`)).body };
};
const statusOf = async (shown: Promise<{ order_details: { order_status: string }[] }>) =>
  (await shown).order_details.map((detail) => detail.order_status);

describe('spec 2.5 and 4.5: submitting a cart', () => {
  test('answers a unique order number, under which the PO shows it; the cart is consumed', async () => {
    const [first, second] = [await order({ PAD: 1 }), await order({ PAD: 1 })];
    expect(first.submitted).toMatchObject({
      status: 200,
      body: { order_number: expect.stringMatching(/./) },
    });
    expect(first.submitted.body.order_number).not.toBe(second.submitted.body.order_number);
    expect((await first.show()).order_details[0].order_number).toBe(first.submitted.body.order_number);
    expect((await call('GET', `/carts/${first.po}`)).status).toBe(404);
  });

  test('without a cart it is 404, with an empty one 422, without a PO number 422', async () => {
    expect((await call('POST', '/orders', { po_number: 'none' })).body.type).toBe('urn:problem:no_cart');
    expect((await order({})).submitted.body.type).toBe('urn:problem:cart_empty');
    expect((await call('POST', '/orders', {})).body.errors[0].field).toBe('po_number');
  });

  test('the audit log has the carts, items, orders and quantities, and matches the orders', async () => {
    const { po, submitted } = await order({ PAD: 12, BOLT: 3 }, { multiple_warehouse: true });
    const log = await readAudit(services.pool, { poNumber: po });
    expect(log.map((entry) => [entry.endpoint, entry.outcome, entry.status])).toEqual([
      ['createCart', 'acted', 200],
      ['addItem', 'acted', 200],
      ['addItem', 'acted', 200],
      ['submitOrder', 'acted', 200],
    ]);
    expect(log[1]).toMatchObject({
      dealer: 'dealer',
      poNumber: po,
      detail: { sku: 'PAD', quantity: 12, cart_number: log[0]?.detail.cart_number },
    });
    const orders = (await ordersByPo(services.pool)).get(po) ?? [];
    expect(orders.map((entry) => entry.quantities)).toEqual([{ PAD: 10, BOLT: 3 }, { PAD: 2 }]);
    expect(orders[0]?.orderNumber).toBe(submitted.body.order_number);
  });
});

describe('spec 2.6 and 4.6: the PO object', () => {
  test('has where it goes, and its orders', async () => {
    const { po, show } = await order(
      { PAD: 1 },
      {
        ship_name: 'Ann',
        ship_address1: '1 Elm St',
        ship_address3: 'Unit 2',
        ship_city: 'Boise',
        ship_state: 'ID',
        ship_zip: '01234',
      },
    );
    const shown = await show();
    expect(poObject.strict().parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      po_number: po,
      ship_name: 'Ann',
      ship_address: '1 Elm St, Unit 2',
      ship_city: 'Boise',
      ship_state: 'ID',
      ship_zip: '01234',
    });
  });

  test('a PO without an order is 404, also while it has a cart', async () => {
    await call('POST', '/carts', { po_number: 'draft' });
    expect((await call('GET', '/orders/draft')).body.type).toBe('urn:problem:no_order');
  });
});

describe('spec 2.7: the order detail', () => {
  test('has every field, and nothing that has not happened yet', async () => {
    const { show } = await order({ PAD: 2, BOLT: 30 }, { proof_of_delivery: true });
    const [detail] = (await show()).order_details;
    expect(orderDetail.strict().parse(detail)).toEqual(detail);
    expect(detail).toMatchObject({
      order_status: 'In O/E',
      invoice_number: null,
      ship_date: null,
      invoice_date: null,
      tracking_numbers: [],
      warehouse: 'GA',
      ship_via: 'BEST',
      items: [
        {
          sku: 'PAD',
          name: 'Brake pad',
          order_quantity: 2,
          ship_quantity: 2,
          backorder_quantity: 0,
          price: 12.5,
        },
        {
          sku: 'BOLT',
          name: 'Bolt',
          order_quantity: 30,
          ship_quantity: 30,
          backorder_quantity: 0,
          price: 0.05,
        },
      ],
    });
    const today = (await services.pool.query("select (now() at time zone 'utc')::date::text as day")).rows[0]
      .day;
    expect(detail.order_date <= today && detail.order_date > '2000-01-01').toBe(true);
  });

  test('goods, freight and charges add up to the total, to the cent', async () => {
    const carts: Record<string, number>[] = [{ PAD: 1 }, { BOLT: 333 }, { PAD: 7, BOLT: 999 }];
    for (const items of carts) {
      const { show } = await order(items, { proof_of_delivery: true });
      const [detail] = (await show()).order_details;
      const cents = (amount: number) => Math.round(amount * 100);
      const goods = detail.items.reduce(
        (sum: number, item: { order_quantity: number; price: number }) =>
          sum + item.order_quantity * cents(item.price),
        0,
      );
      expect(cents(detail.order_total)).toBe(goods + cents(detail.freight) + cents(detail.misc_charges));
      expect(Math.min(detail.freight, detail.misc_charges)).toBeGreaterThan(0);
    }
  });

  test('its ship_via is on the list of 2.4 for every code that a cart takes', async () => {
    for (const code of ['AH2D', 'FE1D', 'US4C', undefined]) {
      const { show } = await order({ PAD: 1 }, { ship_via: code });
      expect(orderShipCodes).toContain((await show()).order_details[0].ship_via);
    }
  });

  test('with multiple_warehouse stock decides: one order per warehouse, quantities kept, back order at the first', async () => {
    const { show } = await order({ PAD: 20 }, { multiple_warehouse: true, default_warehouse: 'ID' });
    const shares = (await show()).order_details.map(
      (detail: { warehouse: string; items: { order_quantity: number; backorder_quantity: number }[] }) => [
        detail.warehouse,
        detail.items[0]?.order_quantity,
        detail.items[0]?.backorder_quantity,
      ],
    );
    expect(shares).toEqual([
      ['ID', 8, 3],
      ['GA', 10, 0],
      ['TX', 2, 0],
    ]);
  });
});

describe('spec 3: statuses', () => {
  test('an order in stock goes In O/E → Picking → Checking → Shipped → Invoiced, and what belongs to each appears', async () => {
    const { show } = await order({ PAD: 1, BOLT: 60 });
    const seen: string[] = [];
    for (let at = 0; at <= 40 * 4 && seen.at(-1) !== 'Invoiced'; at += 1) {
      const [detail] = (await show()).order_details;
      const shipped = ['Shipped', 'Invoiced'].includes(detail.order_status);
      const invoiced = detail.order_status === 'Invoiced';
      if (detail.order_status !== seen.at(-1)) seen.push(detail.order_status);
      expect(detail.tracking_numbers.length).toBe(shipped ? 2 : 0);
      expect(detail.ship_date !== null).toBe(shipped);
      expect(detail.invoice_date !== null).toBe(invoiced);
      expect(Number.isInteger(detail.invoice_number)).toBe(invoiced);
      if (invoiced) {
        expect(detail.order_date <= detail.ship_date && detail.ship_date <= detail.invoice_date).toBe(true);
      }
      await service.clock.advance(hour / 4);
    }
    expect(seen).toEqual(['In O/E', 'Picking', 'Checking', 'Shipped', 'Invoiced']);
    expect(orderStatuses).toEqual(expect.arrayContaining(seen));
  });

  test('an order with something missing goes over B/O, and ships all of it', async () => {
    const { show } = await order({ PAD: 15 });
    const seen: string[] = [];
    for (let at = 0; at <= 100 && seen.at(-1) !== 'Invoiced'; at += 1) {
      const [detail] = (await show()).order_details;
      if (detail.order_status !== seen.at(-1)) seen.push(detail.order_status);
      const missing = ['In O/E', 'B/O'].includes(detail.order_status) ? 5 : 0;
      expect(detail.items[0]).toMatchObject({
        order_quantity: 15,
        ship_quantity: 15 - missing,
        backorder_quantity: missing,
      });
      await service.clock.advance(hour);
    }
    expect(seen).toEqual(['In O/E', 'B/O', 'Picking', 'Checking', 'Shipped', 'Invoiced']);
  });

  test('an order on hold stays In O/E until it is released, once', async () => {
    const { show, submitted } = await order({ PAD: 1 }, { hold_order: true });
    await service.clock.advance(1_000 * hour);
    expect(await statusOf(show())).toEqual(['In O/E']);
    const release = () => call('POST', `/admin/orders/${submitted.body.order_number}/release`);
    expect((await release()).status).toBe(200);
    expect((await release()).status).toBe(404);
    expect(await statusOf(show())).toEqual(['In O/E']);
    await service.clock.advance(1_000 * hour);
    expect(await statusOf(show())).toEqual(['Invoiced']);
  });

  test('the clock can be stepped and sped up from outside, and every process sees the same status', async () => {
    const other = await services.build();
    const { po, show } = await order({ PAD: 1 });
    await call('POST', '/admin/clock', { advanceMs: 100 * hour });
    expect(await statusOf(show())).toEqual(['Invoiced']);
    expect((await other.call('GET', `/orders/${po}`)).body).toEqual(await show());
    const second = await order({ PAD: 1 });
    expect((await call('POST', '/admin/clock', { speed: 1e9 })).status).toBe(200);
    await expect.poll(() => statusOf(second.show())).toEqual(['Invoiced']);
    await service.clock.setSpeed(0);
    const stopped = await service.clock.read();
    expect(await service.clock.read()).toBe(stopped);
    expect((await call('POST', '/admin/clock', {})).status).toBe(422);
  });
});

describe('spec 4.7: orders in a range of days', () => {
  const range = (from: string, to: string) => call('GET', `/orders?from_date=${from}&to_date=${to}`);
  /** Orders a PO as of this day. */
  const onDay = async (day: string) => {
    const { po } = await order({ PAD: 1 });
    await services.pool.query('update dealer_service.submissions set order_date = $2 where po_number = $1', [
      po,
      day,
    ]);
    return po;
  };
  /** POs with an order from each of two warehouses, on three days from `day` on. */
  const manyOrders = (day: string, times: number) =>
    services.pool.query(
      `with made as (
         insert into dealer_service.submissions (cart_id, dealer, po_number, order_date, ship)
         select 1, 'dealer', $1 || ' ' || n, $1::date + n % 3,
           '{"ship_name":"","ship_address":"","ship_city":"","ship_state":"","ship_zip":""}'
         from generate_series(1, $2::integer) as n returning submission_id)
       insert into dealer_service.orders (submission_id, warehouse, ship_via, freight_cents, misc_cents, total_cents, items)
       select submission_id, warehouse, 'BEST', 0, 0, 0, '[]' from made, (values ('GA'), ('TX')) as two (warehouse)`,
      [day, times],
    );
  const posOf = (answer: { body: { po_number: string }[] }) => answer.body.map((entry) => entry.po_number);

  test('both days are inside, the days around are not', async () => {
    const pos = [];
    for (const day of ['2020-02-28', '2020-02-29', '2020-03-01', '2020-03-02']) pos.push(await onDay(day));
    expect(posOf(await range('20200229', '20200301'))).toEqual([pos[1], pos[2]]);
    expect(posOf(await range('20200229', '20200229'))).toEqual([pos[1]]);
    expect((await range('20190101', '20190131')).body).toEqual([]);
  });

  test('each PO is the one that its own address shows', async () => {
    const po = await onDay('2019-05-05');
    const { body } = await range('20190505', '20190505');
    expect(body).toEqual([(await call('GET', `/orders/${po}`)).body]);
  });

  test('the days may be carried in the query, in a JSON body or in a form', async () => {
    const po = await onDay('2018-01-01');
    const days = { from_date: '20180101', to_date: '20180101' };
    expect(posOf(await call('GET', '/orders', days))).toEqual([po]);
    expect(posOf(await call('GET', '/orders', new URLSearchParams(days).toString()))).toEqual([po]);
    expect(posOf(await call('GET', '/orders?from_date=20180101', 'to_date=20180101'))).toEqual([po]);
  });

  test.each([
    ['', '', 'from_date'],
    ['20200101', '', 'to_date'],
    ['2020-01-01', '20200102', 'from_date'],
    ['20200230', '20200301', 'from_date'],
    ['00000101', '20200301', 'from_date'],
    ['20200102', '20200101', 'to_date'],
  ])('from %j to %j is refused, naming %s', async (from, to, field) => {
    const { status, body } = await range(from, to);
    expect(status).toBe(422);
    expect(body.errors.map((entry: { field: string }) => entry.field)).toContain(field);
  });

  test('a list that the database does not let finish ends in a cut connection, never in a shorter list', async () => {
    await manyOrders('2011-01-01', 450);
    const failing = new pg.Pool({ connectionString: services.databaseUrl, max: 3 });
    const query = failing.query.bind(failing) as (...args: unknown[]) => unknown;
    let pages = 0;
    failing.query = ((...args: unknown[]) => {
      if ((args[0] as { name?: string }).name === 'service-range-page') pages += 1;
      return pages === 2 ? Promise.reject(new Error('Connection terminated')) : query(...args);
    }) as typeof failing.query;
    const cut = await services.listen({}, failing);
    const response = await fetch(`${cut.url}/orders?from_date=20110101&to_date=20110103`);
    await expect(response.text()).rejects.toThrow();
    await cut.stop();
    await failing.end();
  });

  test('a range of more POs than a page holds is whole, in order, and valid JSON', async () => {
    await manyOrders('2010-01-01', 1001);
    const { body } = await range('20100101', '20100103');
    expect(new Set(posOf({ body })).size).toBe(1001);
    expect(body.every((entry: { order_details: object[] }) => entry.order_details.length === 2)).toBe(true);
    const days = body.map(
      (entry: { order_details: { order_date: string }[] }) => entry.order_details[0]?.order_date,
    );
    expect(days).toEqual([...days].sort());
  });
});

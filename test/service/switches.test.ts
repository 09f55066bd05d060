import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceConfigSchema } from '../../src/service/config.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { type Caller, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
beforeAll(async () => {
  services = await servicesOfTest();
});
afterAll(() => services.end());

let made = 0;
const newPo = () => `PO-${++made}`;
const cartWith = async (call: Caller, po: string, skus: string[], options: object = {}) => {
  await call('POST', '/carts', { po_number: po, ...options });
  for (const sku of skus) await call('POST', `/carts/${po}/items`, { item_sku: sku, quantity: 2 });
};
const submit = (call: Caller, po: string) => call('POST', '/orders', { po_number: po });

describe('the list of faults for newcomers', () => {
  test('every switch has a default and a sentence', () => {
    const config = serviceConfigSchema.parse({});
    for (const [name, schema] of Object.entries(serviceConfigSchema.shape)) {
      expect(schema.description, name).toMatch(/\.$/);
      expect(config, name).toHaveProperty(name);
    }
  });
});

describe('envelope', () => {
  test('"data" puts every answer inside {"data": …}, and problems as they are', async () => {
    const { call } = await services.build({ envelope: 'data' });
    const po = newPo();
    expect((await call('POST', '/carts', { po_number: po })).body.data.po_number).toBe(po);
    expect((await call('GET', `/carts/${po}`)).body.data.items).toEqual([]);
    expect((await call('GET', '/orders?from_date=20000101&to_date=20000101')).body).toEqual({ data: [] });
    expect((await call('GET', '/orders/none')).body.status).toBe(404);
  });
});

describe('unknown fields', () => {
  test('are named, in bodies and in the query', async () => {
    const { call } = await services.build();
    const { status, body } = await call('POST', '/carts', { po_number: newPo(), colour: 'red' });
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'colour', code: 'unknown_field', message: expect.any(String) }],
    ]);
    const query = await call('GET', '/orders?from_date=20200101&to_date=20200101&page=2');
    expect(query.body.errors[0].field).toBe('page');
  });

  test('"lenient" takes the rest and stores nothing of them', async () => {
    const { call } = await services.build({ input: 'lenient' });
    const po = newPo();
    expect((await call('POST', '/carts', { po_number: po, colour: 'ultraviolet' })).status).toBe(200);
    expect(
      (await call('POST', `/carts/${po}/items`, { item_sku: 'A', quantity: 1, colour: 'ultraviolet' }))
        .status,
    ).toBe(200);
    expect((await submit(call, po)).status).toBe(200);
    for (const table of ['carts', 'cart_items', 'submissions', 'orders', 'audit']) {
      const { rows } = await services.pool.query(
        `select count(*)::integer as found from dealer_service.${table} as t where t::text like '%ultraviolet%'`,
      );
      expect(rows[0].found, table).toBe(0);
    }
  });
});

describe('existingCart', () => {
  test('"refused": 409, and the cart stays', async () => {
    const { call } = await services.build();
    const po = newPo();
    await cartWith(call, po, ['A']);
    expect((await call('POST', '/carts', { po_number: po })).body.type).toBe('urn:problem:cart_exists');
    expect((await call('GET', `/carts/${po}`)).body.items).toHaveLength(1);
  });

  test('"replaced": the new cart is empty and has another number', async () => {
    const { call } = await services.build({ existingCart: 'replaced' });
    const po = newPo();
    await cartWith(call, po, ['A']);
    const before = (await call('GET', `/carts/${po}`)).body.cart_number;
    const after = (await call('POST', '/carts', { po_number: po, ship_name: 'Ann' })).body.cart_number;
    expect(after).not.toBe(before);
    expect((await call('GET', `/carts/${po}`)).body).toMatchObject({
      cart_number: after,
      ship_name: 'Ann',
      items: [],
    });
  });
});

describe('poReuse and cartAfterSubmission', () => {
  test('"refused" and "consumed": a PO is ordered once', async () => {
    const { call } = await services.build();
    const po = newPo();
    await cartWith(call, po, ['A']);
    await submit(call, po);
    expect((await call('POST', '/carts', { po_number: po })).body.type).toBe('urn:problem:already_ordered');
    expect((await submit(call, po)).body.type).toBe('urn:problem:no_cart');
  });

  test('"allowed": a PO can be ordered again, and shows all its orders under the latest address', async () => {
    const { call } = await services.build({ poReuse: 'allowed' });
    const po = newPo();
    for (const name of ['Ann', 'Bob']) {
      await cartWith(call, po, ['A'], { ship_name: name });
      expect((await submit(call, po)).status).toBe(200);
    }
    const shown = (await call('GET', `/orders/${po}`)).body;
    expect([shown.ship_name, shown.order_details.length]).toEqual(['Bob', 2]);
    const day = shown.order_details[0].order_date.replaceAll('-', '');
    const list = (await call('GET', `/orders?from_date=${day}&to_date=${day}`)).body;
    expect(list.filter((entry: { po_number: string }) => entry.po_number === po)).toEqual([shown]);
    expect(new Set((await ordersByPo(services.pool)).get(po)?.map((order) => order.submission)).size).toBe(2);
  });

  test('"kept": the cart stays; it is ordered again only where re-use is allowed', async () => {
    const once = await services.build({ cartAfterSubmission: 'kept' });
    const po = newPo();
    await cartWith(once.call, po, ['A']);
    expect((await submit(once.call, po)).status).toBe(200);
    expect((await once.call('GET', `/carts/${po}`)).body.items).toHaveLength(1);
    expect((await submit(once.call, po)).body.type).toBe('urn:problem:already_ordered');
    const again = await services.build({ cartAfterSubmission: 'kept', poReuse: 'allowed' });
    expect((await submit(again.call, po)).status).toBe(200);
    expect((await ordersByPo(services.pool)).get(po)).toHaveLength(2);
  });
});

describe('sameSku', () => {
  test('"lines": two lines; "merged": one, with the sum, also in the answer and in the order', async () => {
    for (const [sameSku, quantities, answered] of [
      ['lines', [2, 2], 2],
      ['merged', [4], 4],
    ] as const) {
      const { call } = await services.build({ sameSku });
      const po = newPo();
      await cartWith(call, po, ['A', 'B']);
      const second = await call('POST', `/carts/${po}/items`, { item_sku: 'A', quantity: 2 });
      expect(second.body.available_quantity + second.body.backorder_quantity).toBe(answered);
      const inCart = (await call('GET', `/carts/${po}`)).body.items;
      const ofA = (items: { sku: string }[]) => items.filter((item) => item.sku === 'A');
      expect(ofA(inCart).map((item) => (item as unknown as { quantity: number }).quantity)).toEqual(
        quantities,
      );
      expect(inCart.map((item: { sku: string }) => item.sku).slice(0, 2)).toEqual(['A', 'B']);
      await submit(call, po);
      const [detail] = (await call('GET', `/orders/${po}`)).body.order_details;
      expect(
        ofA(detail.items).map((item) => (item as unknown as { order_quantity: number }).order_quantity),
      ).toEqual(quantities);
    }
  });
});

describe('itemsIn without carts', () => {
  test('show cart has no items, and they are ordered', async () => {
    const { call } = await services.build({ itemsIn: ['orders'] });
    const po = newPo();
    await cartWith(call, po, ['A']);
    expect((await call('GET', `/carts/${po}`)).body).not.toHaveProperty('items');
    await submit(call, po);
    expect((await ordersByPo(services.pool)).get(po)?.[0]?.quantities).toEqual({ A: 2 });
  });
});

describe('itemsIn without orders', () => {
  test('orders list no items; what was ordered is in the log', async () => {
    const { call } = await services.build({ itemsIn: ['carts'] });
    const po = newPo();
    await cartWith(call, po, ['A']);
    await submit(call, po);
    expect((await call('GET', `/orders/${po}`)).body.order_details[0].items).toEqual([]);
    expect((await ordersByPo(services.pool)).get(po)?.[0]?.quantities).toEqual({ A: 2 });
  });
});

describe('readLagMs', () => {
  test('reads show the past, writes see the present', async () => {
    const fresh = await services.build();
    const late = await services.build({ readLagMs: 60_000 });
    const po = newPo();
    await cartWith(late.call, po, ['A']);
    expect((await late.call('GET', `/carts/${po}`)).status).toBe(404);
    expect((await late.call('POST', '/carts', { po_number: po })).status).toBe(409);
    // As if a minute had passed.
    const age = (table: string, column: string) =>
      services.pool.query(`update dealer_service.${table} set ${column} = ${column} - interval '1 minute'`);
    await age('carts', 'created_at');
    expect((await late.call('GET', `/carts/${po}`)).body.items).toEqual([]);
    await age('cart_items', 'created_at');
    expect((await late.call('GET', `/carts/${po}`)).body.items).toHaveLength(1);
    await submit(late.call, po);
    expect((await late.call('GET', `/carts/${po}`)).status).toBe(200);
    expect((await late.call('GET', `/orders/${po}`)).status).toBe(404);
    const shown = (await fresh.call('GET', `/orders/${po}`)).body;
    const day = shown.order_details[0].order_date.replaceAll('-', '');
    const listed = async () => {
      const { body } = await late.call('GET', `/orders?from_date=${day}&to_date=${day}`);
      return body.some((entry: { po_number: string }) => entry.po_number === po);
    };
    expect(await listed()).toBe(false);
    await age('submissions', 'created_at');
    await age('carts', 'removed_at');
    expect((await late.call('GET', `/carts/${po}`)).status).toBe(404);
    expect((await late.call('GET', `/orders/${po}`)).body).toEqual(shown);
    expect(await listed()).toBe(true);
  });
});

describe('latencyMs', () => {
  test('no answer comes before it has passed', async () => {
    const { call } = await services.build({ latencyMs: 60 });
    const start = performance.now();
    expect((await call('GET', '/carts/none')).status).toBe(404);
    expect(performance.now() - start).toBeGreaterThanOrEqual(59);
  });
});

describe('clockSpeed', () => {
  test('orders progress that many times faster; 0 stops them', async () => {
    const stopped = await services.build({ clockSpeed: 0 });
    const po = newPo();
    await cartWith(stopped.call, po, ['A']);
    await submit(stopped.call, po);
    const statusOf = async (call: Caller) =>
      (await call('GET', `/orders/${po}`)).body.order_details[0].order_status;
    expect(await statusOf(stopped.call)).toBe('In O/E');
    const fast = await services.build({ clockSpeed: 1e8 });
    await expect.poll(() => statusOf(fast.call)).toBe('Invoiced');
    await services.build({ clockSpeed: 0 });
  });
});

describe('poolSize', () => {
  test('is the largest number of connections to Postgres', async () => {
    const { service, call } = await services.build({ poolSize: 2 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/carts/nobody')));
    expect([new Set(answers.map(({ status }) => status)), service.pool.totalCount]).toEqual([
      new Set([404]),
      2,
    ]);
  });
});

describe('idleTimeoutMs', () => {
  test('a connection that is no longer used is closed', async () => {
    const service = await services.listen({ idleTimeoutMs: 100 });
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /carts/nobody HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // Without the setting, Node would close it after more than a minute.
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: keep-alive/i);
  });
});

describe('dealers, tokens and defaults', () => {
  test('without a token or with an unknown one: 401 with the expected scheme', async () => {
    const { dealer } = services.newDealer();
    const { call } = await services.build({ dealers: [dealer] });
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Basic ${dealer.token}` },
    ]) {
      const {
        status,
        headers: answered,
        body,
      } = await call('GET', '/carts/x', undefined, headers as Record<string, string>);
      expect([status, answered['www-authenticate'], body.type]).toEqual([
        401,
        'Bearer',
        'urn:problem:unauthenticated',
      ]);
      expect(JSON.stringify(body)).not.toContain(dealer.token);
    }
  });

  test('a dealer sees its own carts and orders only', async () => {
    const [ann, bob] = [services.newDealer(), services.newDealer()];
    const { call } = await services.build({ dealers: [ann.dealer, bob.dealer] });
    const as =
      (who: typeof ann): Caller =>
      (method, url, payload) =>
        call(method, url, payload, who.auth);
    const po = newPo();
    await cartWith(as(ann), po, ['A']);
    expect((await as(bob)('GET', `/carts/${po}`)).status).toBe(404);
    expect((await as(bob)('DELETE', `/carts/${po}`)).status).toBe(404);
    expect((await as(bob)('POST', '/carts', { po_number: po })).status).toBe(200);
    await submit(as(ann), po);
    expect((await as(bob)('GET', `/orders/${po}`)).status).toBe(404);
    expect((await as(bob)('GET', '/orders?from_date=20000101&to_date=29991231')).body).toEqual([]);
  });

  test('defaults: the request before the dealer, the dealer before the configuration', async () => {
    const { dealer, auth } = services.newDealer({ defaults: { default_warehouse: 'TX', ship_via: 'UP2D' } });
    const { call } = await services.build({
      dealers: [dealer],
      defaults: { ship_via: 'US1C', ship_name: 'Depot', pay_type: 'CC' },
    });
    const po = newPo();
    const created = await call('POST', '/carts', { po_number: po, default_warehouse: 'IN' }, auth);
    expect(created.body.shipment_type).toBe('dealer');
    expect((await call('GET', `/carts/${po}`, undefined, auth)).body).toMatchObject({
      default_warehouse: 'IN',
      ship_via: 'UP2D',
      ship_name: 'Depot',
      pay_type: 'CC',
      allow_backorder: true,
    });
  });

  test('a suspended dealer gets 403 for everything, one that may only read for what changes something', async () => {
    const [none, read] = [services.newDealer({ access: 'none' }), services.newDealer({ access: 'read' })];
    const { call } = await services.build({ dealers: [none.dealer, read.dealer] });
    const statuses = async (auth: Record<string, string>) => [
      (await call('POST', '/carts', { po_number: newPo() }, auth)).status,
      (await call('GET', '/orders?from_date=20200101&to_date=20200101', undefined, auth)).status,
    ];
    expect(await statuses(none.auth)).toEqual([403, 403]);
    expect(await statuses(read.auth)).toEqual([403, 200]);
  });
});

describe('ratePerSecond and rateBurst', () => {
  test('a dealer beyond its bucket gets 429 with Retry-After over all processes; another dealer does not', async () => {
    const [ann, bob] = [services.newDealer(), services.newDealer()];
    const config = { dealers: [ann.dealer, bob.dealer], ratePerSecond: 0.001, rateBurst: 3 };
    const [one, two] = [await services.build(config), await services.build(config)];
    const get = (call: Caller, who: typeof ann) => call('GET', '/carts/x', undefined, who.auth);
    const statuses = [];
    for (const call of [one.call, two.call, one.call]) statuses.push((await get(call, ann)).status);
    expect(statuses).toEqual([404, 404, 404]);
    const refused = await get(two.call, ann);
    expect([refused.status, refused.body.type]).toEqual([429, 'urn:problem:too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(900);
    expect((await get(one.call, bob)).status).toBe(404);
    // As if the time had passed for one more token.
    await services.pool.query(
      "update dealer_service.rate_buckets set full_at = full_at - interval '1000 seconds'",
    );
    expect((await get(one.call, ann)).status).toBe(404);
    expect((await get(one.call, ann)).status).toBe(429);
  });
});

describe('what is refused at the start', () => {
  const refusal = (config: object) =>
    serviceConfigSchema.safeParse(config).error?.issues.map((issue) => issue.path.join('.'));
  test('outside loopback: no dealers, fault modes, admin', () => {
    expect(refusal({ host: '0.0.0.0' })).toEqual(['dealers']);
    const dealers = [{ name: 'a', token: 't' }];
    expect(refusal({ host: '10.0.0.1', dealers, admin: true })).toEqual(['admin']);
    expect(refusal({ host: 'example.org', dealers, faults: [{ kind: 'delay' }] })).toEqual(['faults']);
    expect(refusal({ host: '0.0.0.0', dealers })).toBeUndefined();
    expect(refusal({ host: '0.0.0.0', anyone: true })).toBeUndefined();
  });

  test.each(['127.0.0.1', '127.8.9.1', '::1', 'localhost', '::ffff:127.0.0.1'])('%s is loopback', (host) => {
    expect(refusal({ host })).toBeUndefined();
  });

  test('two dealers with one token or one name, an unknown switch, a misspelt value', () => {
    const [a, b] = [
      { name: 'a', token: 't' },
      { name: 'b', token: 't' },
    ];
    expect(refusal({ dealers: [a, b] })).toEqual(['dealers.1.token']);
    expect(refusal({ dealers: [a, { ...a, token: 'u' }] })).toEqual(['dealers.1.name']);
    expect(refusal({ evnelope: 'data' })).toEqual(['']);
    expect(refusal({ envelope: 'date' })).toEqual(['envelope']);
  });

  test('a port that is taken, with a sentence', async () => {
    const first = await services.listen();
    await expect(services.listen({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({
      code: 'port_taken',
      message: expect.stringContaining('already listening there'),
    });
  });
});

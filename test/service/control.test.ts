import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { problem } from '../../src/contract/problems.ts';
import { serviceConfigSchema } from '../../src/service/config.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { expectSound } from './expect-sound.ts';
import { type Caller, callerOf, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let service: ListeningService;
let call: Caller;
const dealers = [
  { name: 'north', token: 'north-token' },
  { name: 'south', token: 'south-token' },
];
const north = { authorization: 'Bearer north-token' };
const south = { authorization: 'Bearer south-token' };

beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({
    dealers,
    admin: true,
    seed: [{ dealer: 'north', po_number: 'always', items: [{ item_sku: 'A', quantity: 1 }] }],
    faults: [{ kind: '503-before', poNumber: 'faulty' }],
  });
  call = callerOf(service);
});
beforeEach(async () => {
  expect((await call('POST', '/admin/reset')).status).toBe(200);
});
afterAll(() => services.end());

const shown = async (po: string, who = north) => (await call('GET', `/orders/${po}`, undefined, who)).body;
const seed = (...seeds: object[]) =>
  call(
    'POST',
    '/admin/seed',
    seeds.map((one) => ({ dealer: 'north', ...one })),
  );
const oneItem = { items: [{ item_sku: 'A', quantity: 1 }] };

describe('reset', () => {
  test('brings everything back to the start: data, numbers, clock, faults, journal and configured seeds', async () => {
    const first = await seed({ po_number: 'P1', ...oneItem, ordered: true });
    await call('POST', '/admin/clock', { set: '2020-01-01T00:00:00Z', speed: 5 });
    await call('PUT', '/admin/faults', []);
    await call('GET', '/carts/always', undefined, north);
    const counts = await call('POST', '/admin/reset');
    expect([counts.status, counts.body]).toEqual([200, { carts: 2, orders: 1 }]);
    expect((await call('GET', '/orders/P1', undefined, north)).status).toBe(404);
    expect((await call('GET', '/admin/journal')).body).toHaveLength(1);
    expect((await call('GET', '/carts/faulty', undefined, north)).status).toBe(503);
    const cart = (await call('GET', '/carts/always', undefined, north)).body;
    expect([cart.cart_number, cart.items]).toEqual(['C10000001', [expect.objectContaining({ sku: 'A' })]]);
    expect((await seed({ po_number: 'P1', ...oneItem, ordered: true })).body).toEqual(first.body);
    const clock = (await call('GET', '/admin/clock')).body;
    expect([clock.now.slice(0, 4), clock.speed]).toEqual([String(new Date().getUTCFullYear()), 0]);
    await expectSound(services.pool);
  });

  test('of one dealer or one PO leaves the rest', async () => {
    await seed({ po_number: 'P1', ...oneItem, ordered: true }, { po_number: 'P2', ...oneItem });
    await seed({ dealer: 'south', po_number: 'P1', ...oneItem, ordered: true });
    const statuses = () =>
      Promise.all([
        call('GET', '/orders/P1', undefined, north),
        call('GET', '/carts/P2', undefined, north),
        call('GET', '/orders/P1', undefined, south),
      ]).then((answers) => answers.map(({ status }) => status));
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await call('POST', '/admin/reset', { dealer: 'north', poNumber: 'P1' })).body).toEqual({
      carts: 1,
      orders: 1,
    });
    expect(await statuses()).toEqual([404, 200, 200]);
    await call('POST', '/admin/reset', { dealer: 'north' });
    expect(await statuses()).toEqual([404, 404, 200]);
    await call('POST', '/admin/reset', { poNumber: 'P1' });
    expect(await statuses()).toEqual([404, 404, 404]);
    expect((await call('POST', '/carts', { po_number: 'P1' }, north)).status).toBe(200);
    await expectSound(services.pool);
  });

  test('waits for running calls, drops delayed ones, and closes held connections', async () => {
    await call('PUT', '/admin/faults', [
      { kind: 'act-late', cutBy: '500', delayMs: 600_000, poNumber: 'late' },
      { kind: 'hang-before', poNumber: 'held' },
    ]);
    expect((await call('POST', '/carts', { po_number: 'late' }, north)).status).toBe(500);
    const { hostname, port } = new URL(service.url);
    const held = connect(Number(port), hostname);
    const closed = new Promise((resolve) => held.once('close', resolve));
    held.write(`GET /carts/held HTTP/1.1\r\nHost: x\r\nAuthorization: ${north.authorization}\r\n\r\n`);
    await expect.poll(async () => (await call('GET', '/admin/faults')).body[1].given).toBe(1);
    const busy = Array.from({ length: 20 }, (_, at) =>
      call('POST', '/carts', { po_number: `busy-${at}` }, north),
    );
    await call('POST', '/admin/reset');
    await closed;
    await Promise.all(busy);
    expect((await call('GET', '/carts/late', undefined, north)).status).toBe(404);
    await expectSound(services.pool);
  });
});

describe('a call that is delayed when a reset comes', () => {
  const kinds = ['the fault delay', 'the fault act-late', 'latencyMs'];
  const scopes: [string, object | undefined][] = [
    ['everything', undefined],
    ['its dealer', { dealer: 'north' }],
    ['its PO', { poNumber: 'waits' }],
    ['its PO of its dealer', { dealer: 'north', poNumber: 'waits' }],
  ];
  test.each(kinds.flatMap((kind) => scopes.map(([name, scope]) => [kind, name, scope] as const)))(
    '%s: a reset of %s drops it with its journal entry',
    async (kind, _name, scope) => {
      const delayMs = 500;
      const slow = await services.listen({
        dealers,
        admin: true,
        ...(kind === 'latencyMs' ? { latencyMs: delayMs } : {}),
      });
      const control = callerOf(slow);
      await control('POST', '/admin/reset');
      if (kind === 'the fault delay')
        slow.faults.replace([{ kind: 'delay', delayMs, endpoint: 'createCart' }]);
      if (kind === 'the fault act-late')
        slow.faults.replace([{ kind: 'act-late', cutBy: 'hang', delayMs, endpoint: 'createCart' }]);
      const create = (po_number: string) =>
        fetch(`${slow.url}/carts`, {
          method: 'POST',
          headers: { ...north, 'content-type': 'application/json' },
          body: JSON.stringify({ po_number }),
        }).then(
          ({ status }) => status,
          () => 'closed',
        );
      const answer = create('waits');
      const isDelayed = () =>
        kind === 'latencyMs'
          ? slow.control.journal.list({ poNumber: 'waits' }).length
          : (slow.faults.list()[0]?.given ?? 0);
      await expect.poll(isDelayed).toBe(1);
      const before = await control('POST', '/admin/reset', scope);
      expect(before.status).toBe(200);
      if (kind !== 'the fault act-late' || scope === undefined) expect(await answer).toBe('closed');
      slow.faults.replace([]);
      expect(slow.control.journal.list({ poNumber: 'waits' })).toEqual([]);
      // This call's delay ends after the first call's delay would have ended.
      slow.faults.replace([{ kind: 'delay', delayMs, endpoint: 'createCart', count: 1 }]);
      expect(await create('later')).toBe(200);
      expect((await control('GET', '/carts/waits', undefined, north)).status).toBe(404);
      await expectSound(services.pool);
      await slow.stop();
    },
  );

  test('a reset of something else leaves it', async () => {
    service.faults.replace([{ kind: 'delay', delayMs: 200, poNumber: 'waits' }]);
    const answer = call('POST', '/carts', { po_number: 'waits' }, north);
    await expect.poll(() => service.faults.list()[0]?.given).toBe(1);
    await call('POST', '/admin/reset', { dealer: 'south' });
    await call('POST', '/admin/reset', { poNumber: 'other' });
    expect((await answer).status).toBe(200);
  });
});

describe('clock', () => {
  test('everything that has a date follows it: an order of another day is listed on that day', async () => {
    await call('POST', '/admin/clock', { set: '2031-12-31T23:59:59.900Z', freeze: true });
    await seed({ po_number: 'future', ...oneItem, ordered: true });
    const dates = async () => {
      const { order_date, ship_date, invoice_date } = (await shown('future')).order_details[0];
      return [order_date, ship_date, invoice_date];
    };
    expect(await dates()).toEqual(['2031-12-31', null, null]);
    const list = async (day: string) =>
      (await call('GET', `/orders?from_date=${day}&to_date=${day}`, undefined, north)).body.length;
    expect([await list('20311231'), await list('20320101')]).toEqual([1, 0]);
    const { body } = await call('POST', '/admin/clock', { advanceMs: 4 * 86_400_000 });
    expect(body).toMatchObject({ now: '2032-01-04T23:59:59.900Z', speed: 0 });
    const [, shipped, invoiced] = await dates();
    expect(shipped >= '2032-01-01' && shipped <= invoiced && invoiced <= '2032-01-04').toBe(true);
    await call('POST', '/admin/clock', { set: '2031-12-31T23:59:59.950Z' });
    expect(await dates()).toEqual(['2031-12-31', null, null]);
  });

  test('freezes and runs again; `real` is the real time', async () => {
    expect((await call('POST', '/admin/clock', { speed: 1e6 })).body.speed).toBe(1e6);
    const before = (await call('POST', '/admin/clock', { freeze: true })).body;
    expect((await call('GET', '/admin/clock')).body).toEqual(before);
    expect((await call('POST', '/admin/clock', { set: 'real' })).body.now.slice(0, 10)).toBe(
      new Date().toISOString().slice(0, 10),
    );
    await call('POST', '/admin/clock', { advanceMs: 1e13 });
    for (let times = 0; times < 30; times += 1) await call('POST', '/admin/clock', { advanceMs: 1e13 });
    await seed({ po_number: 'last', ...oneItem, status: 'Invoiced' });
    expect((await shown('last')).order_details[0]).toMatchObject({
      order_date: '9999-12-31',
      invoice_date: '9999-12-31',
    });
  });
});

describe('status by hand', () => {
  test.each(['In O/E', 'B/O', 'Picking', 'Checking', 'Shipped', 'Invoiced'])(
    'an order gets the status %s, forwards and backwards, and stays in it',
    async (status) => {
      const [{ order_numbers }] = (
        await seed({ po_number: 'S', ...oneItem, hold_order: true, ordered: true })
      ).body;
      for (const next of [status, 'Invoiced', 'Picking', status]) {
        const answer = await call('PUT', `/admin/orders/${order_numbers[0]}/status`, { status: next });
        expect(answer.body).toEqual({ order_number: order_numbers[0], order_status: next });
        await call('POST', '/admin/clock', { advanceMs: 1e9 });
        const [detail] = (await shown('S')).order_details;
        expect(detail.order_status).toBe(next);
        expect(detail.invoice_number !== null).toBe(next === 'Invoiced');
        expect(detail.tracking_numbers.length > 0).toBe(next === 'Shipped' || next === 'Invoiced');
      }
    },
  );

  test('an order on hold is released once; unknown orders are 404', async () => {
    const [{ order_numbers }] = (await seed({ po_number: 'H', ...oneItem, hold_order: true, ordered: true }))
      .body;
    const release = () => call('POST', `/admin/orders/${order_numbers[0]}/release`);
    expect([(await release()).status, (await release()).status]).toEqual([200, 404]);
    expect((await call('PUT', '/admin/orders/1/status', { status: 'Shipped' })).status).toBe(404);
  });
});

describe('journal', () => {
  test('has every request, also refused and unknown ones, with its body, and filters it', async () => {
    const since = new Date().toISOString();
    await call('POST', '/carts', { po_number: 'J', colour: 'red' }, { ...north, 'x-request-id': 'j-1' });
    await call('POST', '/carts', 'po_number=J', north);
    await call('GET', '/orders/J', undefined, south);
    await call('GET', '/items', undefined, north);
    await call('GET', '/carts/J', undefined, { authorization: 'Bearer wrong' });
    await call('GET', '/carts/faulty', undefined, north);
    await call('POST', '/carts', { po_number: 'J', comment1: 'x'.repeat(5_000) }, north);
    const all = (await call('GET', `/admin/journal?since=${since}`)).body;
    expect(all.map((e: { endpoint: string; status: number }) => [e.endpoint, e.status])).toEqual([
      ['createCart', 422],
      ['createCart', 200],
      ['showOrder', 404],
      [null, 404],
      ['showCart', 401],
      ['showCart', 503],
      ['createCart', 422],
    ]);
    expect(all[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: 'j-1',
      dealer: 'north',
      poNumber: 'J',
      endpoint: 'createCart',
      method: 'POST',
      path: '/carts',
      body: { po_number: 'J', colour: 'red' },
      bodyBytes: 32,
      bodyCut: false,
      status: 422,
      durationMs: expect.any(Number),
      fault: null,
    });
    expect([all[1].body, all[6].bodyCut, all[5].fault]).toEqual([{ po_number: 'J' }, true, '503-before']);
    expect(JSON.stringify(all)).not.toContain('token');
    const count = async (query: string) => (await call('GET', `/admin/journal?${query}`)).body.length;
    expect(await count('dealer=south')).toBe(1);
    expect(await count('poNumber=J&endpoint=createCart')).toBe(3);
    expect(await count('limit=2')).toBe(2);
    expect(await count(`until=${since}`)).toBeLessThan(7);
    expect((await call('DELETE', '/admin/journal')).status).toBe(204);
    expect(await count('')).toBe(0);
  });
});

describe('who may control the service', () => {
  test('loopback and, from elsewhere, the admin token; never a page of another site', async () => {
    const addresses = Object.values(networkInterfaces()).flat();
    const outside = addresses.find((address) => address?.family === 'IPv4' && !address.internal)?.address;
    const open = await services.listen({ host: '0.0.0.0', dealers, adminToken: 'let-me' });
    const port = new URL(open.url).port;
    const clockAt = async (host: string, headers: Record<string, string> = {}) =>
      (await fetch(`http://${host}:${port}/admin/clock`, { headers })).status;
    expect(await clockAt('127.0.0.1')).toBe(200);
    expect(await clockAt('127.0.0.1', { origin: 'https://evil.example' })).toBe(403);
    // A machine without a network cannot try the rest.
    if (outside === undefined) return;
    expect(await clockAt(outside)).toBe(403);
    expect(await clockAt(outside, { authorization: 'Bearer wrong' })).toBe(403);
    expect(await clockAt(outside, north)).toBe(403);
    expect(await clockAt(outside, { authorization: 'Bearer let-me' })).toBe(200);
  });

  test('without admin and without a token there is no /admin', async () => {
    const { call: plain } = await services.build();
    expect((await plain('POST', '/admin/reset')).status).toBe(404);
  });

  test('outside loopback, admin and faults need an admin token', () => {
    const base = { host: '0.0.0.0', dealers, admin: true, faults: [{ kind: 'delay' }] };
    const paths = (config: object) =>
      serviceConfigSchema.safeParse(config).error?.issues.map((issue) => issue.path.join('.'));
    expect(paths(base)).toEqual(['admin', 'faults']);
    expect(paths({ ...base, adminTokenEnv: 'ADMIN' })).toBeUndefined();
  });
});

test('wrong input to the admin endpoints is answered with a problem that names it', async () => {
  const json = { 'content-type': 'application/json' };
  const cases: [Parameters<Caller>[0], string, object | string | undefined, number, string?][] = [
    ['POST', '/admin/reset', { dealer: 'east' }, 422, 'dealer'],
    ['POST', '/admin/reset', { po: 'x' }, 422, 'po'],
    ['POST', '/admin/reset', '[]', 422],
    ['POST', '/admin/clock', {}, 422],
    ['POST', '/admin/clock', undefined, 422],
    ['POST', '/admin/clock', { speed: 1, freeze: true }, 422],
    ['POST', '/admin/clock', { set: 'yesterday' }, 422, 'set'],
    ['POST', '/admin/clock', { set: '0000-01-01' }, 422, 'set'],
    ['POST', '/admin/clock', { advanceMs: -1 }, 422, 'advanceMs'],
    ['POST', '/admin/clock', { speed: '2' }, 422, 'speed'],
    ['POST', '/admin/seed', '"x"', 422],
    ['POST', '/admin/seed', '[]', 422],
    ['POST', '/admin/seed', '{', 400],
    ['POST', '/admin/seed', { dealer: 'north', po_number: 'a\u0000' }, 422, '0.po_number'],
    ['POST', '/admin/seed', { dealer: 'north', po_number: 'x', items: [{ quantity: 1 }] }, 422],
    [
      'POST',
      '/admin/seed',
      { dealer: 'north', po_number: 'x', items: [{ item_sku: 'A', quantity: 100_000 }] },
      422,
      '0.items.0.quantity',
    ],
    [
      'POST',
      '/admin/seed',
      { dealer: 'north', po_number: 'x', order_date: '2026-02-30' },
      422,
      '0.order_date',
    ],
    ['PUT', '/admin/orders/1/status', { status: 'Sold' }, 422, 'status'],
    ['PUT', '/admin/orders/%00/status', { status: 'Shipped' }, 404],
    ['PUT', '/admin/faults', [{ kind: 'storm' }], 422, '0.kind'],
    ['GET', '/admin/journal?since=monday', undefined, 422, 'since'],
    ['GET', '/admin/journal?limit=0', undefined, 422, 'limit'],
    ['GET', '/admin/journal?endpoint=carts', undefined, 422, 'endpoint'],
    ['GET', '/admin/nothing', undefined, 404],
    ['DELETE', '/admin/reset', undefined, 405],
    ['GET', '/admin/seed', undefined, 405],
    ['GET', '/admin', undefined, 404],
    ['POST', '/admin/seed', '[1]', 422, '0'],
    ['GET', '/admin/journal?limit=x', undefined, 422, 'limit'],
    ['GET', '/admin/journal?limit=5001', undefined, 422, 'limit'],
  ];
  for (const [method, url, body, status, field] of cases) {
    const answer = await call(method, url, body, typeof body === 'string' ? json : {});
    expect([url, body, answer.status]).toEqual([url, body, status]);
    expect(problem.parse(answer.body).status).toBe(status);
    if (field) expect(answer.body.errors.map((entry: { field: string }) => entry.field)).toContain(field);
  }
});

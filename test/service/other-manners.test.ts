import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LogFields, silentLogger } from '../../src/logger.ts';
import { serviceConfigSchema } from '../../src/service/config.ts';
import { type Caller, callerOf, servicesOfTest, type TestServices } from './run-service.ts';

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

describe('problems', () => {
  test('each has one sentence as its message, also to those outside the endpoints', async () => {
    const service = await services.listen();
    const call = callerOf(service);
    const po = newPo();
    expect((await call('POST', '/carts', { po_number: po, ship_to: '1' })).body).toMatchObject({
      type: 'urn:problem:invalid',
      message: 'Some fields are invalid. ship_to: exactly 7 characters',
    });
    expect((await call('GET', '/carts/none')).body.message).toBe('This PO has no cart');
    expect((await call('GET', '/nowhere')).body.message).toBe('Nothing was found at this path');
    const response = await fetch(service.url, { headers: { x: 'x'.repeat(20_000) } });
    expect([response.status, await response.json()]).toEqual([
      431,
      expect.objectContaining({ message: 'The request headers are too large' }),
    ]);
  });
});

describe('input', () => {
  test('"lenient" takes null, text for numbers and booleans, numbers for items, and a slash at the end', async () => {
    const { call } = await services.build({ input: 'lenient' });
    const po = newPo();
    const created = await call('POST', '/carts/', {
      po_number: po,
      ship_name: null,
      cc_last_four: '42',
      hold_order: 'yes',
    });
    expect(created.status).toBe(200);
    expect(
      (await call('POST', `/carts/${po}/items/`, { item_id: 7, quantity: '3', note: null })).status,
    ).toBe(200);
    expect((await call('GET', `/carts/${po}/`)).body).toMatchObject({
      ship_name: null,
      cc_last_four: 42,
      hold_order: true,
      items: [{ sku: 'ID-7', quantity: 3 }],
    });
    expect((await call('GET', '/orders/?from_date=20200101&to_date=20200101')).body).toEqual([]);
    for (const quantity of ['three', '1.5', true, {}]) {
      expect((await call('POST', `/carts/${po}/items`, { item_id: 7, quantity })).status).toBe(422);
    }
    expect((await call('POST', '/carts', { po_number: null })).body.errors[0].field).toBe('po_number');
    expect((await call('POST', '/carts', { po_number: 4711 })).status).toBe(422);
  });

  test('"strict" refuses each of them', async () => {
    const { call } = await services.build();
    const po = newPo();
    await cartWith(call, po, []);
    for (const option of [{ ship_name: null }, { cc_last_four: '42' }, { hold_order: 'yes' }]) {
      expect((await call('POST', '/carts', { po_number: newPo(), ...option })).status).toBe(422);
    }
    for (const item of [
      { item_id: 7, quantity: 1 },
      { item_id: '7', quantity: '1' },
    ]) {
      expect((await call('POST', `/carts/${po}/items`, item)).status).toBe(422);
    }
    expect((await call('GET', `/carts/${po}/`)).status).toBe(404);
  });
});

describe('warehouses and shipCodes', () => {
  test('added codes are accepted, ship orders, and are in the OpenAPI document', async () => {
    const catalogue = await services.write(
      'sku,item_id,name,price,stock_GA,stock_ID,stock_IN,stock_TX,stock_NV\nPAD,1,Pad,1.00,1,0,0,0,5\n',
    );
    const { dealer, auth } = services.newDealer({ defaults: { ship_via: 'DRONE' } });
    const config = { warehouses: ['NV'], shipCodes: ['DRONE'], catalogue, dealers: [dealer] };
    const { call } = await services.build(config);
    const po = newPo();
    const cart = { po_number: po, default_warehouse: 'NV', multiple_warehouse: true };
    expect((await call('POST', '/carts', cart, auth)).status).toBe(200);
    await call('POST', `/carts/${po}/items`, { item_sku: 'PAD', quantity: 6 }, auth);
    await call('POST', '/orders', { po_number: po }, auth);
    const { order_details } = (await call('GET', `/orders/${po}`, undefined, auth)).body;
    expect(
      order_details.map((detail: { warehouse: string; ship_via: string }) => [
        detail.warehouse,
        detail.ship_via,
      ]),
    ).toEqual([
      ['NV', 'DRONE'],
      ['GA', 'DRONE'],
    ]);
    const { paths, components } = (await call('GET', '/openapi.json')).body;
    const { properties } = paths['/carts'].post.requestBody.content['application/json'].schema;
    expect([properties.default_warehouse.enum, properties.ship_via.enum.at(-1)]).toEqual([
      ['GA', 'ID', 'IN', 'TX', 'NV'],
      'DRONE',
    ]);
    expect(components.schemas.OrderDetail.properties.ship_via.enum.at(-1)).toBe('DRONE');
    const anything = await services.build({ warehouses: ['NV'] });
    await cartWith(anything.call, newPo(), ['A'], { default_warehouse: 'NV' });
    const plain = await services.build();
    expect((await plain.call('POST', '/carts', { po_number: newPo(), default_warehouse: 'NV' })).status).toBe(
      422,
    );
    expect(JSON.stringify((await plain.call('GET', '/openapi.json')).body)).not.toContain('DRONE');
  });

  test('a default that is no code is refused at the start, by name', () => {
    const refused = serviceConfigSchema.safeParse({ defaults: { ship_via: 'DRONE' } });
    expect(refused.error?.issues[0]?.path).toEqual(['defaults', 'ship_via']);
    expect(
      serviceConfigSchema.safeParse({ defaults: { ship_via: 'DRONE' }, shipCodes: ['DRONE'] }).success,
    ).toBe(true);
  });
});

describe('cors', () => {
  const origin = 'https://shop.example';
  test('pages of listed origins may call and read the answer, others may not', async () => {
    const { call } = await services.build({ cors: [origin] });
    const preflight = await call('OPTIONS', '/carts', undefined, {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });
    expect([preflight.status, preflight.headers]).toEqual([
      204,
      expect.objectContaining({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'content-type',
      }),
    ]);
    const answer = await call('GET', '/carts/none', undefined, { origin });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([404, origin]);
    expect(answer.headers['access-control-expose-headers']).toContain('X-Request-Id');
    const other = await call('GET', '/carts/none', undefined, { origin: 'https://evil.example' });
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });

  test('["*"] allows all; a list with something else is refused', async () => {
    const { call } = await services.build({ cors: ['*'] });
    const answer = await call('GET', '/carts/none', undefined, { origin, 'sec-fetch-site': 'cross-site' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([404, '*']);
    expect(serviceConfigSchema.safeParse({ cors: ['shop.example'] }).success).toBe(false);
  });
});

describe('anyone', () => {
  test('listens outside loopback without tokens, under any name, but not for pages of other sites', async () => {
    const service = await services.listen({ host: '0.0.0.0', anyone: true });
    const call = callerOf(service);
    const status = async (headers: Record<string, string>) =>
      (await call('GET', '/carts/none', undefined, headers)).status;
    expect(await status({ host: 'mock:8480' })).toBe(404);
    expect(await status({ host: 'mock:8480', authorization: 'Bearer whatever' })).toBe(404);
    expect(await status({ host: 'mock:8480', origin: 'https://evil.example' })).toBe(403);
    expect(
      serviceConfigSchema.safeParse({ anyone: true, dealers: [{ name: 'a', token: 't' }] }).success,
    ).toBe(false);
  });
});

describe('examples', () => {
  test('creates the cart that the example of DELETE names, and leaves it alone at the next start', async () => {
    for (let start = 0; start < 2; start += 1) {
      const { call } = await services.build({ seed: [{ po_number: 'PO-1002' }] });
      expect((await call('GET', '/carts/PO-1002')).status).toBe(200);
    }
  });
});

describe('probes and the log', () => {
  test('/healthz and /readyz answer under any name, and /readyz needs the database', async () => {
    const { service, call } = await services.build();
    const host = { host: '10.0.0.7:8480' };
    expect((await call('GET', '/readyz', undefined, host)).body).toEqual({ status: 'ok' });
    await services.cutOff(service);
    expect((await call('GET', '/healthz', undefined, host)).body).toEqual({ status: 'ok' });
    expect((await call('GET', '/readyz', undefined, host)).status).toBe(503);
  });

  test('every request is a line of level debug', async () => {
    const heard: { fields: LogFields; message: string }[] = [];
    const logger = {
      ...silentLogger,
      debug: (fields: LogFields, message: string) => heard.push({ fields, message }),
    };
    const { call } = await services.build({}, logger);
    await call('GET', '/carts/none', undefined, { 'x-request-id': 'seen' });
    expect(heard.filter(({ fields }) => fields.requestId === 'seen')).toMatchObject([
      { fields: { method: 'GET', path: '/carts/none', status: 404, dealer: 'dealer' }, message: 'Served' },
    ]);
  });
});

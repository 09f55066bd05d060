import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminMethods } from '../../src/service/control/admin-endpoints.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { type Caller, callerOf, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let service: ListeningService;
let call: Caller;
const dealers = [{ name: 'north', token: 'n' }];
beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({ dealers, admin: true });
  call = callerOf(service);
});
afterAll(() => services.end());

/** Every call of /admin, with a body that it accepts. */
const calls: [Parameters<Caller>[0], string, object?][] = [
  ['POST', '/admin/reset'],
  ['POST', '/admin/seed', { po_number: 'new' }],
  ['GET', '/admin/clock'],
  ['POST', '/admin/clock', { advanceMs: 1_000 }],
  ['GET', '/admin/faults'],
  ['PUT', '/admin/faults', [{ kind: 'html' }]],
  ['GET', '/admin/journal'],
  ['DELETE', '/admin/journal'],
  ['PUT', '/admin/orders/1/status', { status: 'Shipped' }],
  ['POST', '/admin/orders/1/release'],
];

test('these are all calls', () => {
  const known = adminMethods.flatMap(([pattern, methods]) =>
    methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${pattern}`),
  );
  const tried = calls.map(([method, url]) => {
    const [pattern] = adminMethods.find(([one]) => one.test(url))!;
    return `${method} ${pattern}`;
  });
  // The pattern for reset and seed stands for two calls.
  expect(new Set(tried)).toEqual(new Set(known));
});

/** State that a refused call must not change. */
const state = async () => {
  const { rows } = await services.pool.query(
    'select (select count(*)::integer from dealer_service.carts) as carts, base_ms from dealer_service.clock',
  );
  const faults = service.faults.list().length;
  return { ...rows[0], faults, journal: service.control.journal.list().length };
};

describe('what a call would not read is refused, and it does nothing', () => {
  test.each(calls)('%s %s: an unknown query parameter', async (method, url, body) => {
    await service.control.seed([{ po_number: `kept ${method} ${url}` }]);
    await call('GET', '/carts/any', undefined, { authorization: 'Bearer n' });
    const before = await state();
    for (const name of ['poNumbr', 'po', 'dealers', 'scope', 'all']) {
      const answer = await call(method, `${url}?${name}=x`, body);
      expect([name, answer.status, answer.body.errors]).toEqual([
        name,
        422,
        [
          {
            field: name,
            code: 'unknown_field',
            message: expect.stringMatching(/this call takes none|the fields are dealer, poNumber/),
          },
        ],
      ]);
    }
    // Only the journal has these.
    if (!url.endsWith('/journal'))
      expect((await call(method, `${url}?poNumber=x`, body)).body.errors[0].field).toBe('poNumber');
    expect(await state()).toEqual(before);
  });

  test.each(calls.filter(([, , body], at) => body === undefined && at > 0))(
    '%s %s: a body',
    async (method, url) => {
      await call('GET', '/carts/any', undefined, { authorization: 'Bearer n' });
      const before = await state();
      const answer = await call(method, url, { poNumber: 'x' });
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [{ field: 'body', code: 'unknown_field', message: expect.stringContaining('takes no body') }],
      ]);
      expect(await state()).toEqual(before);
    },
  );
});

test('the journal of one PO is emptied', async () => {
  const authorization = 'Bearer n';
  for (const po of ['J1', 'J2']) await call('GET', `/carts/${po}`, undefined, { authorization });
  expect((await call('DELETE', '/admin/journal?poNumber=J1')).status).toBe(204);
  const left = service.control.journal.list().map(({ poNumber }) => poNumber);
  expect([left.includes('J1'), left.includes('J2')]).toEqual([false, true]);
});

describe('where an admin token is configured', () => {
  test('one that is sent and wrong is refused everywhere, also on loopback', async () => {
    const open = await services.listen({ host: '0.0.0.0', dealers, adminToken: 'let-me' });
    const control = callerOf(open);
    await open.control.seed([{ po_number: 'kept' }]);
    for (const authorization of [
      'Bearer wrong',
      'Bearer let-me2',
      'Bearer n',
      'let-me',
      'Bearer ',
      'Basic bGV0LW1l',
    ])
      for (const [method, url, body] of calls) {
        const answer = await control(method, url, body, { authorization });
        expect([authorization, url, answer.status]).toEqual([authorization, url, 403]);
        expect(answer.body.detail).toMatch(
          /does not have the admin token.*Send "Authorization: Bearer TOKEN"/,
        );
      }
    const { rows } = await services.pool.query("select 1 from dealer_service.carts where po_number = 'kept'");
    expect(rows).toHaveLength(1);
    for (const headers of [{}, { authorization: 'Bearer let-me' }, { authorization: 'bearer   let-me' }])
      expect(
        (await control('GET', '/admin/clock', undefined, headers as Record<string, string>)).status,
      ).toBe(200);
  });

  test('the right one is enough, whatever the name of the service and the page', async () => {
    for (const config of [{ dealers }, {}]) {
      const open = await services.listen({ ...config, admin: true, adminToken: 'let-me' });
      const control = callerOf(open);
      const foreign = {
        host: 'orders.test:8480',
        origin: 'https://shop.example',
        'sec-fetch-site': 'cross-site',
      };
      const authorization = 'Bearer let-me';
      expect((await control('GET', '/admin/clock', undefined, foreign)).status).toBe(403);
      expect((await control('GET', '/admin/clock', undefined, { ...foreign, authorization })).status).toBe(
        200,
      );
    }
  });
});

test('a refusal of /admin says what to do', async () => {
  const foreign = { host: 'orders.test' };
  const without = await call('GET', '/admin/clock', undefined, foreign);
  expect(without.body.detail).toMatch(
    /under a name of loopback, such as http:\/\/127\.0\.0\.1:.*start the service with an admin token \(--admin-token-env\)/,
  );
  const open = await services.listen({ host: '0.0.0.0', dealers, adminToken: 'let-me' });
  const withToken = await callerOf(open)('GET', '/admin/clock', undefined, foreign);
  expect(withToken.body.detail).toMatch(/name of loopback.*send the header "Authorization: Bearer TOKEN"/);
  const addresses = Object.values(networkInterfaces()).flat();
  const outside = addresses.find((address) => address?.family === 'IPv4' && !address.internal)?.address;
  // A machine without a network cannot try the rest.
  if (outside === undefined) return;
  const answer = await fetch(`http://${outside}:${new URL(open.url).port}/admin/clock`);
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    403,
    expect.stringContaining('Send the header "Authorization: Bearer TOKEN"'),
  ]);
});

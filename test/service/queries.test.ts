import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let call: Caller;
beforeAll(async () => {
  services = await servicesOfTest();
  ({ call } = await services.build({ admin: true, input: 'lenient' }));
});
afterAll(() => services.end());

const range = 'from_date=20200101&to_date=20200131';
const paths = ['/orders', '/orders/a', '/carts/a', '/admin/journal', '/admin/clock', '/nothing'];

test.each(paths)(
  'percent codes in the query of %s that are not UTF-8 are refused, as those of forms',
  async (path) => {
    for (const query of ['x=%FC', '%FC=x', 'x=%zz', 'x=a%', 'x=%C3%28', `${range}&x=%ED%A0%80`]) {
      const answer = await call('GET', `${path}?${query}`);
      expect([query, answer.status, answer.body.type]).toEqual([query, 400, 'urn:problem:malformed']);
      expect(answer.body.detail).toContain('The query contains');
      expect(answer.headers['x-request-id']).toMatch(/./);
    }
  },
);

test.each(paths)('a field that is given twice in the query of %s is refused', async (path) => {
  for (const query of ['x=1&x=1', 'x=1&%78=2', 'x&x', `${range}&from_date=20200101`]) {
    const answer = await call('GET', `${path}?${query}`);
    const field = query.includes('from_date') ? 'from_date' : 'x';
    expect([query, answer.status, answer.body.errors]).toEqual([
      query,
      422,
      [{ field, code: 'duplicate_field', message: 'the field is given more than once' }],
    ]);
  }
});

test('a field in the query and in the body is refused, whatever its values; nothing is stored', async () => {
  const days = { from_date: '20200101', to_date: '20200131' };
  const cases: [Parameters<Caller>[0], string, object | string, string[]][] = [
    ['GET', `/orders?${range}`, days, ['from_date', 'to_date']],
    ['GET', '/orders?from_date=20200101', days, ['from_date']],
    ['GET', '/orders?to_date=20200131', range, ['to_date']],
    ['POST', '/carts?po_number=both', { po_number: 'both' }, ['po_number']],
    ['POST', '/carts?po_number=other', 'po_number=both', ['po_number']],
  ];
  for (const [method, url, body, fields] of cases) {
    const answer = await call(method, url, body);
    expect([url, answer.status]).toEqual([url, 422]);
    expect(answer.body.errors).toEqual(
      fields.map((field) => ({ field, code: 'duplicate_field', message: expect.any(String) })),
    );
  }
  expect((await call('GET', '/carts/both')).status).toBe(404);
});

test('one date in the query and the other in the body are read', async () => {
  const answer = await call('GET', '/orders?from_date=2020%30101&', { to_date: '20200131' });
  expect([answer.status, answer.body]).toEqual([200, []]);
});

test('wrong fields are named in plain words, at every endpoint', async () => {
  const { call: strict } = await services.build();
  const po = 'words';
  await strict('POST', '/carts', { po_number: po });
  const wrong = [undefined, null, true, 1.5, 'x'.repeat(300), [], {}];
  const words = new Set<string>();
  const send = async (method: 'GET' | 'POST', url: string, body: object | undefined) => {
    const answer = await strict(method, url, body);
    for (const { message } of answer.body.errors ?? []) words.add(message);
  };
  const fields = [
    'po_number',
    'ship_to',
    'ship_via',
    'allow_backorder',
    'cc_last_four',
    'promo_code',
    'pay_type',
  ];
  for (const value of wrong) {
    for (const field of fields) await send('POST', '/carts', { po_number: 'p', [field]: value });
    for (const field of ['item_sku', 'item_id', 'quantity', 'note'])
      await send('POST', `/carts/${po}/items`, { quantity: 1, [field]: value });
    await send('POST', '/orders', { po_number: value });
    await send('GET', '/orders', { from_date: value, to_date: value });
  }
  await send('POST', '/orders', undefined);
  expect(words.size).toBeGreaterThan(10);
  expect(
    [...words].filter((message) => /invalid|received|expected|undefined|null|NaN/i.test(message)),
  ).toEqual([]);
  const missing = await strict('POST', '/orders', {});
  expect(missing.body.errors).toEqual([
    { field: 'po_number', code: 'invalid_type', message: 'is missing; it must be text' },
  ]);
  const unknown = await strict('POST', `/carts/${po}/items`, { item_sku: 'A', quantity: 1, colour: 'red' });
  expect(unknown.body.errors[0].message).toBe(
    'unknown field; the fields are item_sku, item_id, quantity, note',
  );
});

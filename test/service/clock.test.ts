import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { type Caller, callerOf, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let service: ListeningService;
let call: Caller;
beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({ admin: true });
  call = callerOf(service);
});
afterAll(() => services.end());

/** Moments across all valid years, with various milliseconds. */
const moments = [
  '1970-01-01T00:00:00.001Z',
  '2026-01-31T08:00:00.999Z',
  '2262-04-11T23:47:16.855Z',
  '4501-06-15T12:34:56.789Z',
  '9998-12-31T23:59:59.999Z',
  ...Array.from({ length: 200 }, (_, at) => new Date(at * 1.2667e12 + ((at * 7_919) % 1_000)).toISOString()),
];

test('a stopped clock shows the moment to which it was set, to the millisecond', async () => {
  for (const set of moments) {
    const { body } = await call('POST', '/admin/clock', { freeze: true, set });
    expect(body.now).toBe(set);
    expect((await call('GET', '/admin/clock')).body.now).toBe(set);
  }
});

test('it steps by single milliseconds, also in the far future', async () => {
  await call('POST', '/admin/clock', { freeze: true, set: '9998-12-31T23:59:59.990Z' });
  for (let ms = 991; ms < 1_000; ms += 1)
    expect((await call('POST', '/admin/clock', { advanceMs: 1 })).body.now).toBe(
      `9998-12-31T23:59:59.${ms}Z`,
    );
  expect((await call('POST', '/admin/clock', { advanceMs: 1 })).body.now).toBe('9999-01-01T00:00:00.000Z');
});

test('an order that is placed at midnight has the day that the clock shows', async () => {
  for (const day of ['1970-01-02', '2026-03-01', '4501-06-15', '9998-12-31']) {
    await call('POST', '/admin/clock', { freeze: true, set: `${day}T00:00:00.000Z` });
    const po_number = `midnight ${day}`;
    await service.control.seed([{ po_number, items: [{ item_sku: 'A', quantity: 1 }], status: 'Invoiced' }]);
    const [order] = (await call('GET', `/orders/${encodeURIComponent(po_number)}`)).body.order_details;
    expect([order.order_date, order.ship_date, order.invoice_date]).toEqual([day, day, day]);
  }
});

test('a clock that has run past every date still answers', async () => {
  for (let times = 0; times < 40; times += 1) await service.clock.advance(1e15);
  expect((await call('GET', '/admin/clock')).body.now).toBe('9999-12-31T00:00:00.000Z');
  await service.control.reset();
});

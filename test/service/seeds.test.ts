import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({ dealers, admin: true });
  call = callerOf(service);
});
beforeEach(async () => {
  expect((await call('POST', '/admin/reset')).status).toBe(200);
});
afterAll(() => services.end());

const shown = async (po: string) => (await call('GET', `/orders/${po}`, undefined, north)).body;
const seed = (...seeds: object[]) =>
  call(
    'POST',
    '/admin/seed',
    seeds.map((one) => ({ dealer: 'north', ...one })),
  );
const oneItem = { items: [{ item_sku: 'A', quantity: 1 }] };

describe('seed', () => {
  test('creates carts, orders and statuses; the orders stay in their status', async () => {
    const made = await seed(
      { po_number: 'open', ship_name: 'Ann', items: [{ item_sku: 'A', quantity: 2, note: 'n' }] },
      { po_number: 'old', ...oneItem, order_date: '2024-02-29' },
      { po_number: 'sent', ...oneItem, status: 'Shipped' },
      { po_number: 'back', ...oneItem, status: 'B/O', multiple_warehouse: true },
    );
    expect(made.status).toBe(200);
    expect(made.body[0]).toMatchObject({ dealer: 'north', po_number: 'open', order_numbers: [] });
    expect(made.body[2].order_numbers).toEqual([(await shown('sent')).order_details[0].order_number]);
    expect((await call('GET', '/carts/open', undefined, north)).body).toMatchObject({
      ship_name: 'Ann',
      items: [{ sku: 'A', quantity: 2, note: 'n' }],
    });
    expect((await shown('old')).order_details[0]).toMatchObject({
      order_date: '2024-02-29',
      order_status: 'Invoiced',
      invoice_date: expect.stringMatching(/^2024-03-/),
    });
    const listed = await call('GET', '/orders?from_date=20240229&to_date=20240229', undefined, north);
    expect(listed.body.map((po: { po_number: string }) => po.po_number)).toEqual(['old']);
    const day = (await call('GET', '/admin/clock')).body.now.slice(0, 10);
    await call('POST', '/admin/clock', { advanceMs: 1e10 });
    expect((await shown('sent')).order_details[0]).toMatchObject({
      order_status: 'Shipped',
      ship_date: day,
      invoice_date: null,
      tracking_numbers: [expect.any(String)],
    });
    expect((await shown('back')).order_details[0].order_status).toBe('B/O');
    await expectSound(services.pool);
  });

  test('names the seed and the field that is wrong', async () => {
    const wrong = await seed({ po_number: 'ok' }, { po_number: 'x', ship_to: '1', colour: 'red' });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      [
        { field: '1.ship_to', code: 'exact_length', message: 'exactly 7 characters' },
        { field: '1.colour', code: 'unknown_field', message: 'unknown field' },
      ],
    ]);
    expect((await call('GET', '/carts/ok', undefined, north)).status).toBe(404);
    expect(wrong.body.detail).toBe(
      'Seed 2 is invalid; nothing was stored: ship_to: exactly 7 characters; colour: unknown field.',
    );
    const used = await seed({ po_number: 'ok' }, { po_number: 'ok' });
    expect([used.status, used.body.detail]).toEqual([
      409,
      'Seed 2 (PO ok): This PO already has a cart. Nothing of it was created; the seed before it stays.',
    ]);
    const unnamed = await call('POST', '/admin/seed', { po_number: 'x' });
    expect([unnamed.status, unnamed.body.errors[0]]).toEqual([
      422,
      { field: '0.dealer', code: 'unknown_dealer', message: 'one of north, south' },
    ]);
    expect((await seed({ po_number: 'none', ordered: true })).body.type).toBe('urn:problem:cart_empty');
  });

  test('of one that is refused nothing is created, whatever step refuses it, so the corrected one is accepted', async () => {
    const strict = await services.listen({
      dealers,
      admin: true,
      maxItemsPerCart: 1,
      catalogue: await services.write(
        'sku,item_id,name,price,stock_GA,stock_ID,stock_IN,stock_TX\nA,1,A,1.00,5,5,5,5\n',
      ),
    });
    const control = callerOf(strict);
    const wrong = [
      {
        items: [
          { item_sku: 'A', quantity: 1 },
          { item_sku: 'none', quantity: 1 },
        ],
      },
      {
        items: [
          { item_sku: 'A', quantity: 1 },
          { item_sku: 'A', quantity: 1 },
        ],
      },
      { items: [{ item_sku: 'A', quantity: 99 }], allow_backorder: false },
      { ordered: true },
    ];
    for (const more of wrong) {
      const before = (await control('POST', '/admin/reset')).status;
      const refused = await control('POST', '/admin/seed', { dealer: 'north', po_number: 'R', ...more });
      expect([before, refused.status, refused.body.detail]).toEqual([
        200,
        422,
        expect.stringContaining('Nothing was created.'),
      ]);
      const { rows } = await services.pool.query('select count(*)::integer as n from dealer_service.audit');
      expect(rows[0]).toEqual({ n: 0 });
      const corrected = { dealer: 'north', po_number: 'R', ...oneItem, ordered: true };
      expect((await control('POST', '/admin/seed', corrected)).status).toBe(200);
      await expectSound(services.pool);
    }
    await strict.stop();
  });

  test('a setting with a wrong seed stops the start with a sentence', async () => {
    const config = { seed: [{ po_number: 'x', status: 'Sold' }] };
    await expect(services.build(config)).rejects.toMatchObject({
      code: 'seed_refused',
      message: expect.stringContaining('0.status'),
    });
  });
});

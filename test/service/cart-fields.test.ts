import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cartShown } from '../../src/contract/carts.ts';
import { type Caller, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let call: Caller;
beforeAll(async () => {
  services = await servicesOfTest();
  ({ call } = await services.build());
});
afterAll(() => services.end());

let made = 0;
const newPo = () => `PO-${++made}`;

/** Creates a cart with one option and shows it. */
const withOption = async (option: object) => {
  const po = newPo();
  const created = await call('POST', '/carts', { po_number: po, ...option });
  const shown = created.status === 200 ? await call('GET', `/carts/${po}`) : undefined;
  return { created, shown: shown?.body };
};
const expectRefused = async (option: object, field: string, code?: string) => {
  const { created } = await withOption(option);
  expect(created.status).toBe(422);
  expect(created.body.errors).toEqual([
    { field, code: code ?? expect.any(String), message: expect.any(String) },
  ]);
};

describe('spec 2.1: every field of a cart', () => {
  test.each(['GA', 'ID', 'IN', 'TX'])('default_warehouse takes %s', async (code) => {
    expect((await withOption({ default_warehouse: code })).shown.default_warehouse).toBe(code);
  });

  test.each(['default_warehouse', 'ship_via', 'cross_ship_via', 'pay_type'])(
    '%s refuses a code that is not on its list, by name',
    (field) => expectRefused({ [field]: 'XX' }, field),
  );

  // The first list of spec 2.4.
  const cartCodes = ['AH2D', 'BEST', 'FE1D', 'FE2D', 'UP1D', 'UP2D', 'US1C', 'US4C'];
  test.each(cartCodes)('ship_via and cross_ship_via take %s', async (code) => {
    const { shown } = await withOption({ ship_via: code, cross_ship_via: code });
    expect([shown.ship_via, shown.cross_ship_via]).toEqual([code, code]);
  });

  test.each(['CPU', 'TRK', 'UPS', '1DAY', 'best', ''])(
    'ship_via refuses %j, which only an answer may contain, or nothing',
    (code) => expectRefused({ ship_via: code }, 'ship_via'),
  );

  const lengths: [string, number][] = [
    ['ship_name', 30],
    ['ship_address1', 30],
    ['ship_address2', 30],
    ['ship_address3', 30],
    ['ship_city', 17],
    ['ship_state', 2],
    ['ship_zip', 15],
    ['ship_phone', 15],
    ['email', 50],
    ['comment1', 50],
    ['comment2', 50],
    ['description', 50],
  ];
  test.each(lengths)('%s takes %i characters as people count them, and no more', async (field, max) => {
    const longest = '😀'.repeat(max);
    expect((await withOption({ [field]: longest })).shown[field]).toBe(longest);
    await expectRefused({ [field]: 'x'.repeat(max + 1) }, field, 'max_length');
  });

  test('ship_to takes exactly 7 characters (spec 2.1)', async () => {
    expect((await withOption({ ship_to: '0012345' })).shown.ship_to).toBe('0012345');
    await expectRefused({ ship_to: '001234' }, 'ship_to', 'exact_length');
    await expectRefused({ ship_to: '00123456' }, 'ship_to', 'exact_length');
  });

  test.each(['allow_backorder', 'hold_order', 'multiple_warehouse', 'proof_of_delivery'])(
    '%s takes true and false, and no text in JSON',
    async (field) => {
      expect((await withOption({ [field]: true })).shown[field]).toBe(true);
      expect((await withOption({ [field]: false })).shown[field]).toBe(false);
      await expectRefused({ [field]: 'true' }, field);
    },
  );

  test('promo_code takes any text, and keeps it to the character', async () => {
    const code = ` "a\\b" 'c'; -- \t\u00a0 ☃ ${'p'.repeat(300)}`;
    expect((await withOption({ promo_code: code })).shown.promo_code).toBe(code);
  });

  test.each(['CC', 'OO'])('pay_type takes %s', async (code) => {
    expect((await withOption({ pay_type: code })).shown.pay_type).toBe(code);
  });

  test('cc_last_four takes the integers of four digits', async () => {
    expect((await withOption({ cc_last_four: 42 })).shown.cc_last_four).toBe(42);
    expect((await withOption({ cc_last_four: 9999 })).shown.cc_last_four).toBe(9999);
    for (const bad of [10_000, -1, 1.5, '0042']) await expectRefused({ cc_last_four: bad }, 'cc_last_four');
  });

  test('only po_number is required', async () => {
    expect((await call('POST', '/carts', { po_number: newPo() })).status).toBe(200);
    const { status, body } = await call('POST', '/carts', { ship_name: 'Ann' });
    expect(status).toBe(422);
    expect(body.errors).toEqual([expect.objectContaining({ field: 'po_number' })]);
  });

  test('one answer names everything that is wrong', async () => {
    const { created } = await withOption({ ship_to: 'x', ship_state: 'Texas', pay_type: 'PP' });
    const fields = created.body.errors.map((entry: { field: string }) => entry.field);
    expect(fields.sort()).toEqual(['pay_type', 'ship_state', 'ship_to']);
  });

  test('text that cannot be stored unchanged is refused', async () => {
    await expectRefused({ comment1: 'a\u0000b' }, 'comment1', 'unstorable');
    await expectRefused({ promo_code: 'a\ud800' }, 'promo_code', 'unstorable');
  });
});

describe('spec 2.1: valid PO numbers', () => {
  test.each([
    ['a slash', 'A/1'],
    ['slashes around', '/A/'],
    ['the path of an endpoint', 'x/items'],
    ['spaces', ' 4 711 '],
    ['unicode', 'Größe-☃-😀'],
    ['percent signs', '100%25%2F%'],
    ['a question mark and a hash', 'A?b=c#d&e'],
    ['dots', '...'],
    ['plus', 'a+b'],
    ['a colon and a star', ':po*'],
    ['200 characters', 'ü'.repeat(200)],
  ])('%s works in every path', async (_, po) => {
    const path = encodeURIComponent(po);
    expect((await call('POST', '/carts', { po_number: po })).body.po_number).toBe(po);
    expect((await call('GET', `/carts/${path}`)).body.po_number).toBe(po);
    expect((await call('POST', `/carts/${path}/items`, { item_sku: 'S', quantity: 1 })).status).toBe(200);
    expect((await call('DELETE', `/carts/${path}`)).body).toEqual({ po_number: po });
    await call('POST', '/carts', { po_number: po });
    await call('POST', `/carts/${path}/items`, { item_sku: 'S', quantity: 1 });
    expect((await call('POST', '/orders', { po_number: po })).status).toBe(200);
    expect((await call('GET', `/orders/${path}`)).body.po_number).toBe(po);
  });

  test.each([
    ['empty', ''],
    ['one dot', '.'],
    ['two dots', '..'],
    ['a control character', 'a\nb'],
    ['NUL', 'a\u0000'],
    ['a C1 control character', 'a\u0085'],
    ['half a character', 'a\ud800'],
    ['201 characters', 'x'.repeat(201)],
    ['a number', 4711],
  ])('%s is refused by name', async (_, po) => {
    const { status, body } = await call('POST', '/carts', { po_number: po });
    expect(status).toBe(422);
    expect(body.errors[0].field).toBe('po_number');
  });

  test('PO numbers that differ in case or in a space are different', async () => {
    for (const po of ['case', 'CASE', 'case ']) {
      expect((await call('POST', '/carts', { po_number: po })).status).toBe(200);
    }
  });
});

describe('spec 2.2 and 4.1: the answer to creating a cart', () => {
  test('a unique cart number, the PO number and the shipment type', async () => {
    const [first, second] = [await withOption({}), await withOption({ ship_name: 'Ann' })];
    expect(first.created.body).toEqual({
      cart_number: expect.stringMatching(/./),
      po_number: expect.any(String),
      shipment_type: 'dealer',
    });
    expect(second.created.body.shipment_type).toBe('drop_ship');
    expect(first.created.body.cart_number).not.toBe(second.created.body.cart_number);
  });
});

describe('spec 4.2: show cart', () => {
  test('shows every field of 2.1 and 2.2, with null for what neither was given nor has a default', async () => {
    const { shown } = await withOption({ ship_city: 'Boise' });
    expect(Object.keys(cartShown.shape).filter((name) => !(name in shown))).toEqual([]);
    expect(cartShown.strict().parse(shown)).toEqual(shown);
    expect([shown.ship_city, shown.ship_zip]).toEqual(['Boise', null]);
  });

  test('a PO without a cart is 404', async () => {
    expect((await call('GET', '/carts/nobody')).body.type).toBe('urn:problem:no_cart');
  });
});

describe('spec 4.4: delete cart', () => {
  test('removes the cart with its items; a second time there is nothing to delete', async () => {
    const po = newPo();
    await call('POST', '/carts', { po_number: po });
    await call('POST', `/carts/${po}/items`, { item_sku: 'S', quantity: 1 });
    expect(await call('DELETE', `/carts/${po}`)).toMatchObject({ status: 200, body: { po_number: po } });
    expect((await call('DELETE', `/carts/${po}`)).status).toBe(404);
    expect((await call('GET', `/carts/${po}`)).status).toBe(404);
    await call('POST', '/carts', { po_number: po });
    expect((await call('GET', `/carts/${po}`)).body.items).toEqual([]);
  });
});

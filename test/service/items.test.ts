import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCatalogue } from '../../src/service/catalogue.ts';
import { type Caller, servicesOfTest, type TestServices } from './run-service.ts';

const catalogueText = `sku,item_id,name,price,stock_GA,stock_ID,stock_IN,stock_TX
00501,1001,Brake pad,12.50,10,5,0,2
A-2,1002,"Bolt, M8",0.05,0,0,0,100
FREE,,Sticker,0,1000,0,0,0
`;
let services: TestServices;
let call: Caller;
beforeAll(async () => {
  services = await servicesOfTest();
  const catalogue = await services.write(catalogueText);
  ({ call } = await services.build({ catalogue, maxItemsPerCart: 3, maxQuantity: 500 }));
});
afterAll(() => services.end());

let made = 0;
const newCart = async (options: object = {}) => {
  const po = `PO-${++made}`;
  await call('POST', '/carts', { po_number: po, ...options });
  return { po, add: (item: object) => call('POST', `/carts/${po}/items`, item) };
};

describe('spec 2.3 and 4.3: adding items', () => {
  test('by SKU: answers SKU, name, quantities and price', async () => {
    const { add } = await newCart();
    expect(await add({ item_sku: '00501', quantity: 4, note: 'left side' })).toMatchObject({
      status: 200,
      body: {
        sku: '00501',
        name: 'Brake pad',
        available_quantity: 4,
        backorder_quantity: 0,
        dealer_price: 12.5,
      },
    });
  });

  test('by ID: answers the SKU of that ID', async () => {
    const { add } = await newCart();
    expect((await add({ item_id: '1002', quantity: 1 })).body.sku).toBe('A-2');
  });

  test('the SKU or the ID is required, and not both', async () => {
    const { add } = await newCart();
    for (const item of [{ quantity: 1 }, { quantity: 1, item_sku: '00501', item_id: '1001' }]) {
      const { status, body } = await add(item);
      expect([status, body.errors[0].code]).toEqual([422, 'one_of']);
    }
  });

  test.each([0, -1, 1.5, '2', null, undefined, 501, 1e21])(
    'the quantity %j is refused by name',
    async (quantity) => {
      const { add } = await newCart();
      const { status, body } = await add({ item_sku: '00501', quantity });
      expect(status).toBe(422);
      expect(body.errors[0].field).toBe('quantity');
    },
  );

  test('a note takes 30 characters, and show cart has it', async () => {
    const { po, add } = await newCart();
    await add({ item_sku: '00501', quantity: 1, note: 'n'.repeat(30) });
    expect((await add({ item_sku: '00501', quantity: 1, note: 'n'.repeat(31) })).body.errors[0].code).toBe(
      'max_length',
    );
    const { items } = (await call('GET', `/carts/${po}`)).body;
    expect(items).toEqual([
      {
        sku: '00501',
        name: 'Brake pad',
        quantity: 1,
        note: 'n'.repeat(30),
        available_quantity: 1,
        backorder_quantity: 0,
        dealer_price: 12.5,
      },
    ]);
  });

  test('an item that is not sold is refused by the name that was sent', async () => {
    const { add } = await newCart();
    expect((await add({ item_sku: '501', quantity: 1 })).body.errors[0].field).toBe('item_sku');
    expect((await add({ item_id: '00501', quantity: 1 })).body.errors[0].field).toBe('item_id');
  });

  test('a PO without a cart is 404', async () => {
    expect((await call('POST', '/carts/none/items', { item_sku: '00501', quantity: 1 })).body.type).toBe(
      'urn:problem:no_cart',
    );
  });

  test('a cart takes as many items as configured', async () => {
    const { add } = await newCart();
    for (let at = 0; at < 3; at += 1) expect((await add({ item_sku: 'FREE', quantity: 1 })).status).toBe(200);
    expect((await add({ item_sku: 'FREE', quantity: 1 })).body.type).toBe('urn:problem:cart_full');
  });
});

describe('stock (spec 2.1: default_warehouse, multiple_warehouse, allow_backorder)', () => {
  test('what the default warehouse lacks is a back order', async () => {
    const { add } = await newCart({ default_warehouse: 'ID' });
    expect((await add({ item_sku: '00501', quantity: 7 })).body).toMatchObject({
      available_quantity: 5,
      backorder_quantity: 2,
    });
  });

  test('an earlier line has taken its stock', async () => {
    const { add } = await newCart();
    await add({ item_sku: '00501', quantity: 8 });
    expect((await add({ item_sku: '00501', quantity: 8 })).body).toMatchObject({
      available_quantity: 2,
      backorder_quantity: 6,
    });
  });

  test('with multiple_warehouse every warehouse counts', async () => {
    const { add } = await newCart({ multiple_warehouse: true });
    expect((await add({ item_sku: '00501', quantity: 20 })).body).toMatchObject({
      available_quantity: 17,
      backorder_quantity: 3,
    });
  });

  test('without back orders, an item that is out of stock is refused and not added', async () => {
    const { po, add } = await newCart({ allow_backorder: false });
    expect((await add({ item_sku: '00501', quantity: 11 })).body).toMatchObject({
      type: 'urn:problem:insufficient_stock',
      errors: [{ field: 'quantity', message: expect.stringContaining('10') }],
    });
    expect((await call('GET', `/carts/${po}`)).body.items).toEqual([]);
  });
});

describe('the catalogue', () => {
  const given = (catalogue: string) => ({ catalogue, unknownItems: 'refused' as const, warehouses: [] });

  test('of a file has made-up items beside those of the file, if that is wanted', async () => {
    const file = await services.write(catalogueText);
    const find = await openCatalogue({ catalogue: file, unknownItems: 'made-up', warehouses: ['QC'] });
    expect(find({ item_sku: '00501' })).toMatchObject({
      priceCents: 1250,
      stock: { QC: expect.any(Number) },
    });
    expect(find({ item_sku: 'anything' })).toEqual(
      (await openCatalogue({ ...given('any'), warehouses: ['QC'] }))({ item_sku: 'anything' }),
    );
    expect((await openCatalogue(given(file)))({ item_sku: 'anything' })).toBeUndefined();
  });

  test('"any" sells every SKU and every ID, always at the same price and with the same stock', async () => {
    const [first, second] = [await openCatalogue(given('any')), await openCatalogue(given('any'))];
    const prices = new Set<number>();
    for (let at = 0; at < 200; at += 1) {
      const item = first({ item_sku: `S${at}` });
      expect(second({ item_sku: `S${at}` })).toEqual(item);
      prices.add(item?.priceCents ?? 0);
    }
    expect(prices.size).toBeGreaterThan(190);
    expect(first({ item_id: '77' })).toEqual(first({ item_sku: 'ID-77' }));
  });

  test.each([
    ['price', catalogueText.replace('12.50', '12.50 EUR'), /line 2, column price/],
    ['stock', catalogueText.replace('100\n', 'many\n'), /line 3, column stock_TX/],
    ['missing column', catalogueText.replaceAll('stock_GA', 'GA'), /column stock_GA/],
    ['SKU twice', `${catalogueText}00501,9,Pad,1.00,0,0,0,0\n`, /00501 appears twice/],
    ['nothing', 'sku,item_id,name,price,stock_GA,stock_ID,stock_IN,stock_TX\n', /no items/],
  ])('a file with a wrong %s is refused with the place', async (_, text, message) => {
    await expect(openCatalogue(given(await services.write(text)))).rejects.toThrow(message);
  });

  test('a missing file is refused by its name', async () => {
    await expect(openCatalogue(given('/nowhere/catalogue.csv'))).rejects.toMatchObject({
      code: 'catalogue_unreadable',
      message: expect.stringContaining('/nowhere/catalogue.csv'),
    });
  });
});

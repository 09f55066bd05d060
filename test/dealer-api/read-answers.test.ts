import { describe, expect, test } from 'vitest';
import * as answers from '../../src/dealer-api/read-answers.ts';

/** The envelopes of docs/spec-decisions.md around the same body. */
const envelopes = (thing: unknown): [string, unknown][] => [
  ['bare', thing],
  ['in data', { data: thing }],
  ['in data twice', { data: { data: thing } }],
  ['in a list of one', [thing]],
  ['in data as a list of one', { data: [thing], meta: { pages: 1 } }],
];

describe('reading the answer to create cart', () => {
  test.each(envelopes({ cart_number: 'C-1', shipment_type: 'ground' }))('%s', (_, body) => {
    expect(answers.readCartCreated(body)).toEqual({ cartNumber: 'C-1', shipmentType: 'ground' });
  });
  test('a cart number may be a number', () => {
    expect(answers.readCartCreated({ cart_number: 17 })).toEqual({
      cartNumber: '17',
      shipmentType: undefined,
    });
  });
  test.each([{}, null, [], 'C-1', { cart_number: '' }, { cart_number: null }])('%j is refused', (body) => {
    expect(answers.readCartCreated(body)).toBeUndefined();
  });
});

describe('reading the answer to add item', () => {
  const item = { sku: 'A', name: 'N', available_quantity: 3, backorder_quantity: 1, dealer_price: 12.5 };
  test.each(envelopes(item))('%s', (_, body) => {
    expect(answers.readItemAdded(body)).toEqual({
      sku: 'A',
      name: 'N',
      availableQuantity: 3,
      backorderQuantity: 1,
      dealerPrice: '12.5',
    });
  });
  test('numbers may be sent as text', () => {
    expect(
      answers.readItemAdded({ sku: 1001, available_quantity: '3', dealer_price: ' 0.10 ' }),
    ).toMatchObject({
      sku: '1001',
      availableQuantity: 3,
      dealerPrice: '0.10',
    });
  });
  test.each(['$12', '1,50', '', 'NaN', true, 1e21, Number.NaN])(
    'a price of %s is not readable',
    (dealer_price) => {
      expect(answers.readItemAdded({ sku: 'A', dealer_price })).toMatchObject({ dealerPrice: undefined });
    },
  );
  test.each([1.5, 3_000_000_000, 'many', -3e10])('a quantity of %s is not readable', (available_quantity) => {
    expect(answers.readItemAdded({ sku: 'A', available_quantity })).toMatchObject({
      availableQuantity: undefined,
    });
  });
  test('an answer without any known field is refused', () => {
    expect(answers.readItemAdded({ status: 'added' })).toBeUndefined();
  });
});

describe('reading the answer to show cart', () => {
  test.each(envelopes({ cart_number: 'C', items: [{ sku: 'A', quantity: 2 }] }))('%s', (_, body) => {
    expect(answers.readCart(body)).toEqual({
      cartNumber: 'C',
      lines: [{ sku: 'A', itemId: undefined, quantity: 2 }],
    });
  });
  test('a list of items without a cart number is a cart', () => {
    expect(answers.readCart({ items: [{ item_id: 7, order_quantity: '2' }] })?.lines).toEqual([
      { sku: undefined, itemId: '7', quantity: 2 },
    ]);
  });
  test('one unreadable item, or none shown, makes its lines unreadable, not empty', () => {
    expect(
      answers.readCart({ cart_number: 'C', items: [{ sku: 'A', quantity: 2 }, { sku: 'B' }] })?.lines,
    ).toBeUndefined();
    expect(answers.readCart({ cart_number: 'C', items: 3 })?.lines).toBeUndefined();
    expect(answers.readCart({ cart_number: 'C' })?.lines).toBeUndefined();
  });
  test('an empty cart is readable', () => {
    expect(answers.readCart({ cart_number: 'C', items: [] })?.lines).toEqual([]);
  });
  test('text is refused', () => {
    expect(answers.readCart('C')).toBeUndefined();
  });
});

describe('reading the answer to submit order', () => {
  test.each(envelopes({ order_number: 90017 }))('%s', (_, body) => {
    expect(answers.readOrderCreated(body)).toEqual({ orderNumber: '90017' });
  });
  test('an answer without an order number is refused', () => {
    expect(answers.readOrderCreated({ status: 'ok' })).toBeUndefined();
  });
});

describe('reading the orders of a PO', () => {
  const detail = (over: Record<string, unknown> = {}) => ({ order_number: 'O-1', ...over });
  const linesOf = (items: unknown) =>
    answers.readPo({ po_number: 'P', order_details: [detail({ items })] })?.orders[0]?.lines;

  test.each(envelopes({ po_number: 'P', order_details: [detail()] }))('%s', (_, body) => {
    expect(answers.readPo(body)).toMatchObject({ poNumber: 'P', orders: [{ orderNumber: 'O-1' }] });
  });

  test('a list with one PO object per order contains all orders', () => {
    const each = ['O-1', 'O-2'].map((order_number) => ({
      po_number: 'P',
      order_details: [{ order_number }],
    }));
    expect(answers.readPo(each)?.orders.map((order) => order.orderNumber)).toEqual(['O-1', 'O-2']);
    expect(answers.readPo({ data: each })?.orders).toHaveLength(2);
    expect(answers.readPo({ orders: each })?.orders).toHaveLength(2);
  });

  test('a list about several POs cannot be read', () => {
    expect(
      answers.readPo([
        { po_number: 'P', order_details: [] },
        { po_number: 'Q', order_details: [] },
      ]),
    ).toBeUndefined();
  });

  test.each([
    [{ order_quantity: 5, quantity: 4, ship_quantity: 1, backorder_quantity: 1 }, 5],
    [{ quantity: 4, ship_quantity: 1, backorder_quantity: 1 }, 4],
    [{ ship_quantity: 1, backorder_quantity: 2 }, 3],
    [{ ship_quantity: 1 }, 1],
    [{ backorder_quantity: 2 }, 2],
  ])('the quantity of %j is %i', (item, quantity) => {
    expect(linesOf([{ sku: 'A', ...item }])).toEqual([{ sku: 'A', quantity }]);
  });

  test("one unreadable item makes the order's lines unreadable, and the order is kept verbatim", () => {
    const items = [{ sku: 'A', quantity: 1 }, { what: 'B' }];
    const po = answers.readPo({ po_number: 'P', order_details: [detail({ items })] });
    expect(po?.orders[0]).toMatchObject({ lines: undefined, items });
    expect(linesOf(undefined)).toBeUndefined();
  });

  test.each([
    [['1Z'], ['1Z']],
    [
      [{ tracking_number: '1Z' }, { number: 7 }],
      ['1Z', '7'],
    ],
    [[{ code: '1Z' }], ['1Z']],
    [[{ a: 'x', b: 'y' }], ['{"a":"x","b":"y"}']],
    ['1Z', ['1Z']],
    [null, []],
    [[], []],
  ])('tracking numbers %j', (tracking_numbers, expected) => {
    expect(
      answers.readPo({ order_details: [detail({ tracking_numbers })] })?.orders[0]?.trackingNumbers,
    ).toEqual(expected);
  });

  test('an invoice number may be text, money is decimal text, dates are verbatim', () => {
    const order = answers.readPo({
      order_details: [
        detail({ invoice_number: 'INV-7', freight: 0.1, order_total: '99.90', order_date: '03/01/2026' }),
      ],
    })?.orders[0];
    expect(order).toMatchObject({
      invoiceNumber: 'INV-7',
      freight: '0.1',
      orderTotal: '99.90',
      orderDate: '03/01/2026',
    });
  });

  test.each([{}, null, 'none', { order_details: null }, { order_details: [{ order_status: 'Shipped' }] }])(
    '%j has no readable orders',
    (body) => {
      expect(answers.readPo(body)).toBeUndefined();
    },
  );
});

describe('reading the orders of a date range', () => {
  const pos = [
    { po_number: 'P', order_details: [{ order_number: '1' }] },
    { po_number: 'Q', order_details: [{ order_number: '2' }] },
  ];
  test.each([
    ['bare', pos],
    ['in data', { data: pos }],
    ['under a single key', { purchase_orders: pos }],
    ['in data under a single key', { data: { purchase_orders: pos } }],
  ])('%s', (_, body) => {
    expect(answers.readPoList(body)?.map((po) => po.poNumber)).toEqual(['P', 'Q']);
  });
  test('an empty list is no orders', () => {
    expect(answers.readPoList([])).toEqual([]);
  });
  test.each([{}, null, { a: [], b: [] }, [{ order_details: [] }], [...pos, {}]])(
    '%j is refused as a whole',
    (body) => {
      expect(answers.readPoList(body)).toBeUndefined();
    },
  );
});

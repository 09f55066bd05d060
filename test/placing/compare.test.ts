import { describe, expect, test } from 'vitest';
import { compareCart, compareOrders } from '../../src/placing/compare.ts';
import type { Line } from '../../src/placing/types.ts';
import { cart, line, order } from './lines.ts';

const asked: Line[] = [
  line({ rowNumber: 2, itemSku: 'A', quantity: 2 }),
  line({ rowNumber: 3, itemSku: 'B', quantity: 5 }),
];

describe('orders under a PO', () => {
  test('without orders there are none', () => {
    expect(compareOrders([], [], asked)).toBe('none');
  });

  test('those that existed before are ignored', () => {
    expect(compareOrders([order('1', [{ sku: 'A', quantity: 2 }])], ['1'], asked)).toBe('none');
  });

  test('equal quantities are equal, in any order of lines', () => {
    const lines = [
      { sku: 'B', quantity: 5 },
      { sku: 'A', quantity: 2 },
    ];
    expect(compareOrders([order('1', lines)], [], asked)).toBe('equal');
  });

  test('several orders count together', () => {
    const orders = [
      order('1', [{ sku: 'A', quantity: 2 }]),
      order('2', [{ sku: 'B', quantity: 3 }]),
      order('3', [{ sku: 'B', quantity: 2 }]),
    ];
    expect(compareOrders(orders, [], asked)).toBe('equal');
    expect(compareOrders(orders.slice(0, 2), [], asked)).toBe('less');
    expect(compareOrders(orders, ['1'], asked)).toBe('less');
  });

  test('one SKU in two rows of the file counts together, merged at the service or not', () => {
    const twice = [line({ itemSku: 'A', quantity: 2 }), line({ rowNumber: 3, itemSku: 'A', quantity: 3 })];
    const halves = [
      { sku: 'A', quantity: 2 },
      { sku: 'A', quantity: 3 },
    ];
    expect(compareOrders([order('1', [{ sku: 'A', quantity: 5 }])], [], twice)).toBe('equal');
    expect(compareOrders([order('1', halves)], [], twice)).toBe('equal');
    expect(compareOrders([order('1', halves.slice(1))], [], twice)).toBe('less');
  });

  test('a SKU in another case, or with blanks around it, is the same SKU', () => {
    const mixed = [
      { sku: 'a ', quantity: 2 },
      { sku: ' b', quantity: 5 },
    ];
    expect(compareOrders([order('1', mixed)], [], asked)).toBe('equal');
    expect(compareOrders([order('1', [{ sku: 'a', quantity: 3 }, mixed[1]!])], [], asked)).toBe('more');
    expect(compareCart(cart(mixed as never), asked)).toBe('equal');
  });

  test('unless the file tells two SKUs apart only by that', () => {
    const two = [line({ itemSku: 'A', quantity: 2 }), line({ rowNumber: 3, itemSku: 'a', quantity: 3 })];
    const swapped = [
      { sku: 'A', quantity: 3 },
      { sku: 'a', quantity: 2 },
    ];
    expect(compareOrders([order('1', swapped)], [], two)).toBe('more');
  });

  test('a unit more is more, also where another line has less', () => {
    const lines = [
      { sku: 'A', quantity: 3 },
      { sku: 'B', quantity: 1 },
    ];
    expect(compareOrders([order('1', lines)], [], asked)).toBe('more');
  });

  test('a SKU that the file does not ask for is more', () => {
    const lines = [
      { sku: 'A', quantity: 2 },
      { sku: 'B', quantity: 5 },
      { sku: 'C', quantity: 1 },
    ];
    expect(compareOrders([order('1', lines)], [], asked)).toBe('more');
  });

  test('one order that cannot be read makes all of them unreadable', () => {
    expect(compareOrders([order('1', [{ sku: 'A', quantity: 9 }]), order('2', undefined)], [], asked)).toBe(
      'unreadable',
    );
  });

  test('an order that shows no items is unreadable, not less', () => {
    expect(compareOrders([order('1', [])], [], asked)).toBe('unreadable');
    const rest = order('2', [{ sku: 'A', quantity: 2 }]);
    expect(compareOrders([order('1', []), rest], [], asked)).toBe('unreadable');
  });

  test('lines are matched by the SKU that the service answered', () => {
    const lines = [
      line({ itemSku: 'old', quantity: 1, answer: { sku: 'new' } }),
      line({ rowNumber: 3, itemSku: undefined, itemId: '77', quantity: 2, answer: { sku: 'S77' } }),
    ];
    const placed = [
      { sku: 'new', quantity: 1 },
      { sku: 'S77', quantity: 2 },
    ];
    expect(compareOrders([order('1', placed)], [], lines)).toBe('equal');
  });

  test('a line known only by its id cannot be compared', () => {
    const lines = [line({ itemSku: undefined, itemId: '77' })];
    expect(compareOrders([order('1', [{ sku: 'S77', quantity: 1 }])], [], lines)).toBe('unreadable');
  });
});

describe('the cart under a PO', () => {
  const item = (sku: string | undefined, quantity: number, itemId?: string) => ({ sku, itemId, quantity });

  test('no cart is absent', () => {
    expect(compareCart(undefined, asked)).toBe('absent');
  });

  test('the lines of the file are equal; fewer are incomplete; more or others are different', () => {
    expect(compareCart(cart([item('B', 5), item('A', 2)]), asked)).toBe('equal');
    expect(compareCart(cart([item('A', 2)]), asked)).toBe('incomplete');
    expect(compareCart(cart([]), asked)).toBe('incomplete');
    expect(compareCart(cart([item('A', 1), item('C', 1)]), asked)).toBe('different');
    expect(compareCart(cart([item('A', 2), item('B', 5), item('B', 5)]), asked)).toBe('different');
    expect(compareCart(cart([item('A', 2), item('B', 5), item('C', 1)]), asked)).toBe('different');
  });

  test('items that are not shown are unreadable', () => {
    expect(compareCart(cart(undefined), asked)).toBe('unreadable');
  });

  test('items shown by their id are matched through the answer to their line', () => {
    const lines = [line({ itemSku: undefined, itemId: '77', quantity: 2, answer: { sku: 'S77' } })];
    expect(compareCart(cart([item(undefined, 2, '77')]), lines)).toBe('equal');
    expect(compareCart(cart([item(undefined, 3, '77')]), lines)).toBe('different');
    expect(compareCart(cart([item(undefined, 2, '78')]), lines)).toBe('unreadable');
  });
});

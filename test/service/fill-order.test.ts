import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyDefaults } from '../../src/service/cart-options.ts';
import { fillOrder } from '../../src/service/fill-order.ts';

const stock = fc.record({
  GA: fc.nat({ max: 20 }),
  ID: fc.nat({ max: 20 }),
  IN: fc.nat({ max: 20 }),
  TX: fc.nat({ max: 20 }),
});
const skus = ['A', 'B', 'C'];
const lines = fc.array(
  fc.record({
    sku: fc.constantFrom(...skus),
    name: fc.constant('x'),
    quantity: fc.integer({ min: 1, max: 60 }),
    priceCents: fc.nat({ max: 99_999 }),
  }),
  { minLength: 1, maxLength: 8 },
);

test('for any stock, the orders of a cart have exactly its quantities, no warehouse ships more than it has, and the totals add up', () => {
  fc.assert(
    fc.property(lines, fc.tuple(stock, stock, stock), fc.boolean(), (cart, stocks, several) => {
      const options = applyDefaults({ multiple_warehouse: several, default_warehouse: 'IN' }, {}, {});
      const stockOf = (sku: string): Record<string, number> => stocks[skus.indexOf(sku)]!;
      const orders = fillOrder(cart, options, stockOf);
      const items = orders.flatMap((order) => order.items.map((item) => ({ ...item, at: order.warehouse })));
      const sum = (list: { quantity: number }[]) => list.reduce((total, one) => total + one.quantity, 0);
      for (const sku of skus) {
        expect(sum(items.filter((item) => item.sku === sku))).toBe(
          sum(cart.filter((line) => line.sku === sku)),
        );
        for (const order of orders) {
          const sent = items.filter((item) => item.sku === sku && item.at === order.warehouse);
          const available = sent.reduce((total, item) => total + item.available, 0);
          expect(available).toBeLessThanOrEqual(stockOf(sku)[order.warehouse]!);
        }
      }
      expect(new Set(orders.map((order) => order.warehouse)).size).toBe(orders.length);
      if (!several) expect(orders.map((order) => order.warehouse)).toEqual(['IN']);
      for (const order of orders) {
        const goods = order.items.reduce((total, item) => total + item.quantity * item.price_cents, 0);
        expect(order.total_cents).toBe(goods + order.freight_cents + order.misc_cents);
      }
    }),
    { seed: 20_26, numRuns: 500 },
  );
});

import { warehouses } from '../contract/codes.ts';
import type { CartOptionValues } from './cart-options.ts';
import type { CatalogueItem } from './catalogue.ts';

/** A line of the cart that is ordered. */
export interface CartLine {
  sku: string;
  name: string;
  quantity: number;
  priceCents: number;
}

/** An item of an order as stored. `available` is the quantity that the warehouse can ship now. */
export interface StoredItem {
  sku: string;
  name: string;
  quantity: number;
  available: number;
  price_cents: number;
}

/** An order as stored, without the numbers that Postgres assigns. */
export interface NewOrder {
  warehouse: string;
  freight_cents: number;
  misc_cents: number;
  total_cents: number;
  items: StoredItem[];
}

/** The warehouses that may fill a cart, in the order in which they are tried (spec 2.1: multiple_warehouse). */
const warehousesOf = (options: CartOptionValues, all: readonly string[]): string[] => {
  const first = options.default_warehouse ?? 'GA';
  return options.multiple_warehouse ? [first, ...all.filter((other) => other !== first)] : [first];
};

/** How many pieces are in stock for a cart with these options. */
export const stockFor = (item: CatalogueItem, options: CartOptionValues): number =>
  warehousesOf(options, Object.keys(item.stock)).reduce(
    (sum, warehouse) => sum + (item.stock[warehouse] ?? 0),
    0,
  );

const baseFreightCents: Record<string, number> = {
  UP1D: 3_995,
  FE1D: 3_995,
  UP2D: 2_495,
  FE2D: 2_495,
  AH2D: 4_995,
};

const freightCents = (shipVia: string | null, pieces: number): number =>
  (baseFreightCents[shipVia ?? ''] ?? 995) + 25 * pieces;

const signatureCents = 450;

/**
 * Splits a cart into orders, one for each warehouse that ships something (spec 2.1: multiple_warehouse, and 2.7).
 * Each line is filled from its warehouses in their order; the rest is back-ordered at the first one. The quantities
 * of all orders add up to those of the cart. Money is in cents. Each order has its own freight and signature charge,
 * because it is a shipment of its own.
 */
export const fillOrder = (
  lines: readonly CartLine[],
  options: CartOptionValues,
  stockOf: (sku: string) => CatalogueItem['stock'],
  all: readonly string[] = warehouses,
): NewOrder[] => {
  const asked = warehousesOf(options, all);
  const left = new Map<string, number>();
  const itemsAt = new Map<string, StoredItem[]>();
  const give = (warehouse: string, line: CartLine, quantity: number, available: number) => {
    const items = itemsAt.get(warehouse) ?? [];
    items.push({ sku: line.sku, name: line.name, quantity, available, price_cents: line.priceCents });
    itemsAt.set(warehouse, items);
  };
  for (const line of lines) {
    const taken = asked.map((warehouse) => ({ warehouse, quantity: 0 }));
    let missing = line.quantity;
    for (const share of taken) {
      const key = JSON.stringify([share.warehouse, line.sku]);
      const inStock = left.get(key) ?? stockOf(line.sku)[share.warehouse] ?? 0;
      share.quantity = Math.min(inStock, missing);
      left.set(key, inStock - share.quantity);
      missing -= share.quantity;
    }
    for (const [at, { warehouse, quantity }] of taken.entries()) {
      const backordered = at === 0 ? missing : 0;
      if (quantity + backordered > 0) give(warehouse, line, quantity + backordered, quantity);
    }
  }
  return asked.flatMap((warehouse) => {
    const items = itemsAt.get(warehouse);
    if (!items) return [];
    const pieces = items.reduce((sum, item) => sum + item.quantity, 0);
    const goods = items.reduce((sum, item) => sum + item.quantity * item.price_cents, 0);
    const freight = freightCents(options.ship_via, pieces);
    const misc = options.proof_of_delivery ? signatureCents : 0;
    return [
      { warehouse, freight_cents: freight, misc_cents: misc, total_cents: goods + freight + misc, items },
    ];
  });
};

import type pg from 'pg';
import type { CartCreated, CartRequest, CartShown } from '../contract/carts.ts';
import type { ItemAdded, ItemRequest } from '../contract/items.ts';
import { actedSql } from './audit.ts';
import { applyDefaults, type CartOptionValues, shipmentTypeOf } from './cart-options.ts';
import type { Catalogue, ExpectedPrice } from './catalogue.ts';
import {
  atVersionSql,
  type ChangeRequest,
  changePo,
  changeValues,
  factsSql,
  type PoFacts,
  type PoKey,
  type Queryable,
} from './change-po.ts';
import type { ServiceConfig } from './config.ts';
import type { Dealer } from './dealer-schema.ts';
import { stockFor } from './fill-order.ts';

export interface StoreDeps {
  pool: Queryable;
  config: ServiceConfig;
  catalogue: Catalogue;
  expectedPrice?: ExpectedPrice | undefined;
}

export type CreateOutcome =
  | { kind: 'created'; cart: CartCreated }
  | { kind: 'cart_exists' | 'already_ordered' };

/**
 * Creates a cart (spec 4.1), atomic with its audit row. Not idempotent: a second call finds the first one's cart and
 * is refused or replaces it, as `existingCart` says (docs/spec-decisions.md#carts).
 */
export const createCart = (
  { pool, config }: StoreDeps,
  change: ChangeRequest,
  request: CartRequest,
  dealer: Dealer,
): Promise<CreateOutcome> => {
  const { key } = change;
  const { po_number: _, ...given } = request;
  const shipmentType = shipmentTypeOf(given);
  const question = {
    name: 'service-before-create',
    text: factsSql(
      `cart.cart_id, cart.cart_number,
       exists (select from dealer_service.submissions where dealer = $1 and po_number = $2) as ordered`,
    ),
    values: [key.dealer, key.poNumber],
  };
  type Facts = PoFacts & { cart_id: string | null; cart_number: string | null; ordered: boolean };
  return changePo<Facts, CreateOutcome>(pool, question, (before) => {
    if (before.cart_id && config.existingCart === 'refused') return { result: { kind: 'cart_exists' } };
    if (before.ordered && config.poReuse === 'refused') return { result: { kind: 'already_ordered' } };
    const write = {
      name: 'service-create-cart',
      // The old cart is removed first: a PO number can have only one open cart.
      text: `with at_version as (${atVersionSql}),
             replaced as (
               update dealer_service.carts set removed_at = clock_timestamp(), removed_by = 'replaced'
               where cart_id = $7 and exists (select from at_version) returning cart_number),
             cart as (
               insert into dealer_service.carts (dealer, po_number, shipment_type, options)
               select $1, $2, $5, $6 from at_version left join replaced on true returning cart_number),
             audited as (${actedSql(
               'createCart',
               "jsonb_strip_nulls(jsonb_build_object('cart_number', cart_number, 'replaced_cart_number', $8::text))",
               'cart',
             )})
             select cart_number from cart`,
      values: [
        ...changeValues(change, before),
        shipmentType,
        JSON.stringify(applyDefaults(given, dealer.defaults, config.defaults)),
        before.cart_id,
        before.cart_number,
      ],
    };
    const created = (made: pg.QueryResult<{ cart_number: string }>): CreateOutcome => {
      const { cart_number } = made.rows[0]!;
      return { kind: 'created', cart: { cart_number, po_number: key.poNumber, shipment_type: shipmentType } };
    };
    return { write, read: created };
  });
};

export type AddOutcome =
  | { kind: 'added'; item: ItemAdded }
  | { kind: 'no_cart' | 'unknown_item' | 'cart_full' }
  | { kind: 'insufficient_stock'; available: number };

/**
 * Adds an item (spec 4.3), atomic with its audit row. Not idempotent: each call adds a line, or, if equal SKUs are
 * merged, adds to the line of the same SKU. available + backorder is the line's quantity; earlier lines of the same
 * SKU use up stock first.
 */
export const addItem = async (
  { pool, config, catalogue, expectedPrice }: StoreDeps,
  change: ChangeRequest,
  request: ItemRequest,
): Promise<AddOutcome> => {
  const found = catalogue(request);
  const expected = found?.isMadeUp ? await expectedPrice?.(request) : undefined;
  const item = found && expected !== undefined ? { ...found, priceCents: expected } : found;
  const question = {
    name: 'service-before-add',
    text: factsSql(
      'cart.cart_id, cart.cart_number, cart.options, held.*',
      `cross join lateral (
         select count(*)::integer as lines,
           coalesce(sum(quantity) filter (where sku = $3), 0)::integer as already,
           coalesce(sum(available_quantity) filter (where sku = $3), 0)::integer as already_available
         from dealer_service.cart_items where cart_id = cart.cart_id) as held`,
    ),
    values: [change.key.dealer, change.key.poNumber, item?.sku ?? ''],
  };
  type Facts = PoFacts & {
    cart_id: string | null;
    cart_number: string;
    options: CartOptionValues;
    lines: number;
    already: number;
    already_available: number;
  };
  return changePo<Facts, AddOutcome>(pool, question, (cart) => {
    if (!cart.cart_id) return { result: { kind: 'no_cart' } };
    if (!item) return { result: { kind: 'unknown_item' } };
    if (cart.lines >= config.maxItemsPerCart) return { result: { kind: 'cart_full' } };
    const left = Math.max(stockFor(item, cart.options) - cart.already_available, 0);
    const available = Math.min(left, request.quantity);
    if (available < request.quantity && cart.options.allow_backorder === false) {
      return { result: { kind: 'insufficient_stock', available } };
    }
    const write = {
      name: 'service-add-item',
      text: `with at_version as (${atVersionSql}),
             item as (
               insert into dealer_service.cart_items
                 (cart_id, sku, name, quantity, available_quantity, price_cents, note)
               select $5, $7, $8, $9, $10, $11, $12 from at_version returning sku, quantity)
             ${actedSql('addItem', "jsonb_build_object('cart_number', $6::text, 'sku', sku, 'quantity', quantity)", 'item')}`,
      values: [
        ...changeValues(change, cart),
        cart.cart_id,
        cart.cart_number,
        item.sku,
        item.name,
        request.quantity,
        available,
        item.priceCents,
        request.note ?? null,
      ],
    };
    const merged = config.sameSku === 'merged';
    const lineQuantity = request.quantity + (merged ? cart.already : 0);
    const lineAvailable = available + (merged ? cart.already_available : 0);
    const added = {
      sku: item.sku,
      name: item.name,
      available_quantity: lineAvailable,
      backorder_quantity: lineQuantity - lineAvailable,
      dealer_price: item.priceCents / 100,
    };
    return { write, read: () => ({ kind: 'added', item: added }) };
  });
};

/** Deletes a cart (spec 4.4), atomic with its audit row. False if there is no cart, so a repeat changes nothing. */
export const deleteCart = ({ pool }: StoreDeps, change: ChangeRequest): Promise<boolean> => {
  const question = {
    name: 'service-before-delete',
    text: factsSql('cart.cart_id'),
    values: [change.key.dealer, change.key.poNumber],
  };
  return changePo<PoFacts & { cart_id: string | null }, boolean>(pool, question, (cart) => {
    if (!cart.cart_id) return { result: false };
    const write = {
      name: 'service-delete-cart',
      text: `with at_version as (${atVersionSql}),
             cart as (
               update dealer_service.carts set removed_at = clock_timestamp(), removed_by = 'deleted'
               where cart_id = $5 and exists (select from at_version) returning cart_number)
             ${actedSql('deleteCart', "jsonb_build_object('cart_number', cart_number)", 'cart')}`,
      values: [...changeValues(change, cart), cart.cart_id],
    };
    return { write, read: () => true };
  });
};

/** Selects a cart's items; `line` sorts them by when they were added. With `merged`, equal SKUs share a line. */
export const linesSql = (cartId: string, until: string, merged: boolean): string =>
  merged
    ? `select min(item_id) as line, sku, min(name) as name, sum(quantity)::integer as quantity,
         sum(available_quantity)::integer as available, max(price_cents)::integer as price_cents, max(note) as note
       from dealer_service.cart_items where cart_id = ${cartId} and created_at <= ${until} group by sku`
    : `select item_id as line, sku, name, quantity, available_quantity as available, price_cents, note
       from dealer_service.cart_items where cart_id = ${cartId} and created_at <= ${until}`;

interface LineRow {
  sku: string;
  name: string;
  quantity: number;
  available: number;
  price_cents: number;
  note: string | null;
}

/** Reads a cart (spec 4.2) as of `readLagMs` ago; undefined if there was none then. */
export const readCart = async ({ pool, config }: StoreDeps, key: PoKey): Promise<CartShown | undefined> => {
  const found = await pool.query<{
    cart_number: string;
    shipment_type: string;
    options: CartOptionValues;
    lines: LineRow[];
  }>({
    name: `service-read-cart-${config.sameSku}`,
    text: `select cart.cart_number, cart.shipment_type, cart.options,
             (select coalesce(json_agg(item order by item.line), '[]')
              from (${linesSql('cart.cart_id', 'seen.until', config.sameSku === 'merged')}) as item) as lines
           from (select clock_timestamp() - $3 * interval '1 millisecond' as until) as seen
           join dealer_service.carts as cart
             on cart.dealer = $1 and cart.po_number = $2 and cart.created_at <= seen.until
             and (cart.removed_at is null or cart.removed_at > seen.until)
           order by cart.cart_id desc limit 1`,
    values: [key.dealer, key.poNumber, config.readLagMs],
  });
  const cart = found.rows[0];
  if (!cart) return undefined;
  const items = cart.lines.map((line) => ({
    sku: line.sku,
    name: line.name,
    quantity: line.quantity,
    note: line.note,
    available_quantity: line.available,
    backorder_quantity: line.quantity - line.available,
    dealer_price: line.price_cents / 100,
  }));
  return {
    cart_number: cart.cart_number,
    po_number: key.poNumber,
    shipment_type: cart.shipment_type,
    ...cart.options,
    ...(config.itemsIn.includes('carts') ? { items } : {}),
  };
};

import type pg from 'pg';
import type { PoObject } from '../contract/orders.ts';
import { actedSql } from './audit.ts';
import { type CartOptionValues, shipToOf } from './cart-options.ts';
import { linesSql, type StoreDeps } from './carts-store.ts';
import {
  atVersionSql,
  type ChangeRequest,
  changePo,
  changeValues,
  factsSql,
  type PoFacts,
  type PoKey,
} from './change-po.ts';
import { codeListsOf } from './code-lists.ts';
import { fillOrder } from './fill-order.ts';
import { planSteps } from './order-progress.ts';
import { type OrderRow, presentPo } from './present-order.ts';

export type SubmitOutcome =
  | { kind: 'ordered'; orderNumber: string }
  | { kind: 'no_cart' | 'cart_empty' | 'already_ordered' | 'insufficient_stock' };

interface CartToOrder extends PoFacts {
  cart_id: string | null;
  cart_number: string;
  options: CartOptionValues;
  ordered: boolean;
  lines: { sku: string; name: string; quantity: number; price_cents: number }[];
}

/**
 * Submits a cart (spec 4.5): one statement creates the orders of a PO, one per warehouse, removes the cart and writes
 * the audit row. Of two concurrent calls one finds no cart, or, if carts are kept, an existing order; only poReuse
 * together with kept carts allows a second order.
 */
export const submitCart = (
  { pool, config, catalogue }: StoreDeps,
  change: ChangeRequest,
): Promise<SubmitOutcome> => {
  const { key } = change;
  const question = {
    name: `service-before-submit-${config.sameSku}`,
    text: factsSql(
      `cart.cart_id, cart.cart_number, cart.options,
       exists (select from dealer_service.submissions where dealer = $1 and po_number = $2) as ordered,
       (select coalesce(json_agg(item order by item.line), '[]')
        from (${linesSql('cart.cart_id', "'infinity'", config.sameSku === 'merged')}) as item) as lines`,
    ),
    values: [key.dealer, key.poNumber],
  };
  return changePo<CartToOrder, SubmitOutcome>(pool, question, (cart) => {
    if (!cart.cart_id) return { result: { kind: 'no_cart' } };
    if (cart.ordered && config.poReuse === 'refused') return { result: { kind: 'already_ordered' } };
    if (cart.lines.length === 0) return { result: { kind: 'cart_empty' } };
    const orders = fillOrder(
      cart.lines.map((line) => ({ ...line, priceCents: line.price_cents })),
      cart.options,
      (sku) => catalogue({ item_sku: sku })?.stock ?? {},
      codeListsOf(config).warehouses,
    );
    const isShort = (order: (typeof orders)[number]) =>
      order.items.some((item) => item.available < item.quantity);
    if (cart.options.allow_backorder === false && orders.some(isShort))
      return { result: { kind: 'insufficient_stock' } };
    const rows = orders.map((order) => ({
      ...order,
      ship_via: cart.options.ship_via ?? 'BEST',
      steps: cart.options.hold_order
        ? null
        : planSteps(JSON.stringify([key.dealer, key.poNumber, order.warehouse]), isShort(order)),
    }));
    const write = {
      name: 'service-submit',
      text: `with at_version as (${atVersionSql}),
             cart as (
               update dealer_service.carts set removed_at = clock_timestamp(), removed_by = 'submitted'
               where cart_id = $5 and $7 and exists (select from at_version)),
             submission as (
               insert into dealer_service.submissions (cart_id, dealer, po_number, ship)
               select $5, $1, $2, $8 from at_version returning submission_id),
             made as (
               insert into dealer_service.orders
                 (number_prefix, submission_id, warehouse, ship_via, freight_cents, misc_cents, total_cents, items, steps)
               select $10, submission_id, warehouse, ship_via, freight_cents, misc_cents, total_cents, items, nullif(steps, 'null')
               from submission, jsonb_to_recordset($9) as wanted (warehouse text, ship_via text, freight_cents bigint,
                 misc_cents bigint, total_cents bigint, items jsonb, steps jsonb)
               returning order_id, order_number, items),
             audited as (${actedSql(
               'submitOrder',
               `jsonb_build_object('cart_number', $6::text, 'orders', jsonb_agg(
                  jsonb_build_object('order_number', order_number, 'items', items) order by order_id))`,
               // Without `having`, the aggregate returns a row even if no order was created.
               'made having count(*) > 0',
             )})
             select order_number from made order by order_id limit 1`,
      values: [
        ...changeValues(change, cart),
        cart.cart_id,
        cart.cart_number,
        config.cartAfterSubmission === 'consumed',
        JSON.stringify(shipToOf(cart.options)),
        JSON.stringify(rows),
        config.orderPrefix,
      ],
    };
    const ordered = (made: pg.QueryResult<{ order_number: string }>): SubmitOutcome => ({
      kind: 'ordered',
      orderNumber: made.rows[0]!.order_number,
    });
    return { write, read: ordered };
  });
};

const orderColumns = `s.po_number, s.ship, s.order_date::text as order_date, s.placed_ms, o.order_id,
  o.order_number, o.warehouse, o.ship_via, o.freight_cents, o.misc_cents, o.total_cents, o.items, o.steps`;

const clockSql = `select dealer_service.clock_ms() as clock_ms,
  (extract(epoch from epoch) * 1000)::double precision as epoch_ms from dealer_service.clock`;

/** Reads a PO (spec 4.6) as of `readLagMs` ago; undefined if it had no order then. */
export const readPo = async ({ pool, config }: StoreDeps, key: PoKey): Promise<PoObject | undefined> => {
  const found = await pool.query<OrderRow & { clock_ms: number; epoch_ms: number }>({
    name: 'service-read-po',
    text: `select ${orderColumns}, clock.*
           from (${clockSql}) as clock
           cross join dealer_service.submissions as s
           join dealer_service.orders as o using (submission_id)
           where s.dealer = $1 and s.po_number = $2
             and s.created_at <= clock_timestamp() - $3 * interval '1 millisecond'
           order by o.order_id`,
    values: [key.dealer, key.poNumber, config.readLagMs],
  });
  const [first, ...others] = found.rows;
  const { itemsIn } = config;
  return (
    first && presentPo([first, ...others], { clockMs: first.clock_ms, epochMs: first.epoch_ms, itemsIn })
  );
};

/** A range of days (spec 4.7): YYYYMMDD, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** Large enough to make round trips cheap, small enough to keep a page of orders small in memory. */
const posPerPage = 200;

/**
 * Reads the POs ordered in a range of days (spec 4.7), page by page, each with all its orders of that range, as of
 * `readLagMs` before the first page was read. Memory does not grow with the range.
 */
export async function* readRange(
  { pool, config }: StoreDeps,
  dealer: string,
  range: DayRange,
): AsyncGenerator<PoObject[], void, undefined> {
  const start = await pool.query<{ until: string; clock_ms: number; epoch_ms: number }>({
    name: 'service-range-start',
    text: `select (clock_timestamp() - $1 * interval '1 millisecond')::text as until, clock.*
           from (${clockSql}) as clock`,
    values: [config.readLagMs],
  });
  const { until, clock_ms: clockMs, epoch_ms: epochMs } = start.rows[0]!;
  let cursor = { order_date: range.from, submission_id: '0' };
  for (;;) {
    // Pages are cut by the first submission of each PO in the range; its other orders in the range come with it.
    const page = await pool.query<OrderRow & { lead_date: string; lead_id: string }>({
      name: 'service-range-page',
      text: `select ${orderColumns}, lead.order_date::text as lead_date, lead.submission_id as lead_id
             from (
               select first.po_number, first.order_date, first.submission_id
               from dealer_service.submissions as first
               where first.dealer = $1 and first.order_date <= $3::date
                 and (first.order_date, first.submission_id) > ($4::date, $5::bigint)
                 and first.order_date >= $2::date and first.created_at <= $6::timestamptz
                 and not exists (
                   select from dealer_service.submissions as earlier
                   where earlier.dealer = $1 and earlier.po_number = first.po_number
                     and earlier.submission_id < first.submission_id
                     and earlier.order_date between $2::date and $3::date and earlier.created_at <= $6::timestamptz)
               order by first.order_date, first.submission_id limit ${posPerPage}) as lead
             join dealer_service.submissions as s
               on s.dealer = $1 and s.po_number = lead.po_number
               and s.order_date between $2::date and $3::date and s.created_at <= $6::timestamptz
             join dealer_service.orders as o on o.submission_id = s.submission_id
             order by lead.order_date, lead.submission_id, o.order_id`,
      values: [dealer, range.from, range.to, cursor.order_date, cursor.submission_id, until],
    });
    const pos: PoObject[] = [];
    let rows: OrderRow[] = [];
    const close = () => {
      const [first, ...others] = rows;
      if (first) pos.push(presentPo([first, ...others], { clockMs, epochMs, itemsIn: config.itemsIn }));
      rows = [];
    };
    for (const row of page.rows) {
      if (rows.length > 0 && rows[0]!.po_number !== row.po_number) close();
      rows.push(row);
    }
    close();
    yield pos;
    const last = page.rows[page.rows.length - 1];
    if (!last || pos.length < posPerPage) return;
    cursor = { order_date: last.lead_date, submission_id: last.lead_id };
  }
}

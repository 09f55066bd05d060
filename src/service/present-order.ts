import { createHash } from 'node:crypto';
import type { OrderDetail, PoObject } from '../contract/orders.ts';
import type { ShipTo } from './cart-options.ts';
import type { ServiceConfig } from './config.ts';
import type { StoredItem } from './fill-order.ts';
import { type OrderSteps, statusAt } from './order-progress.ts';

/** An order with its submission, as read from the database. pg returns bigints as text. */
export interface OrderRow {
  po_number: string;
  ship: ShipTo;
  order_date: string;
  placed_ms: number;
  order_id: string;
  order_number: string;
  warehouse: string;
  ship_via: OrderDetail['ship_via'];
  freight_cents: string;
  misc_cents: string;
  total_cents: string;
  items: StoredItem[];
  steps: OrderSteps | null;
}

const money = (cents: number | string): number => Number(cents) / 100;

const dayMs = 86_400_000;
const lastDay = Date.parse('9999-12-31T00:00:00Z');

/** The day on which the clock shows `ms` after an order was placed on `day`, at `placedAt` (Unix milliseconds). */
const dayAfter = (day: string, placedAt: number, ms: number | undefined): string | null => {
  if (ms === undefined) return null;
  const days = Math.floor((placedAt + ms) / dayMs) - Math.floor(placedAt / dayMs);
  return new Date(Math.min(Date.parse(`${day}T00:00:00Z`) + days * dayMs, lastDay))
    .toISOString()
    .slice(0, 10);
};

const piecesPerParcel = 50;

const trackingNumbers = (orderNumber: string, pieces: number): string[] =>
  Array.from({ length: Math.min(20, Math.ceil(pieces / piecesPerParcel)) }, (_, parcel) =>
    `1Z${createHash('sha256').update(`${orderNumber}/${parcel}`).digest('hex').slice(0, 16)}`.toUpperCase(),
  );

/** The reading of the service's clock at which orders are shown, and whether their items are. */
interface Shown {
  clockMs: number;
  /** The moment at which its reading is 0 (Unix milliseconds). */
  epochMs: number;
  itemsIn: ServiceConfig['itemsIn'];
}

/**
 * The order detail (spec 2.7) at one reading of the service's clock. Status, dates, invoice and tracking numbers are
 * derived from the stored steps. From Picking on nothing is back-ordered any more. All dates are those of the service's
 * clock.
 */
const presentOrder = (row: OrderRow, { clockMs, epochMs, itemsIn }: Shown): OrderDetail => {
  const elapsedMs = clockMs - row.placed_ms;
  const placedAt = epochMs + row.placed_ms;
  const status = statusAt(row.steps, elapsedMs);
  const reached = (step: keyof OrderSteps) => (row.steps?.[step] ?? Number.POSITIVE_INFINITY) <= elapsedMs;
  const [filled, shipped, invoiced] = [reached('Picking'), reached('Shipped'), reached('Invoiced')];
  return {
    order_number: row.order_number,
    order_status: status,
    invoice_number: invoiced ? 50_000_000 + Number(row.order_id) : null,
    freight: money(row.freight_cents),
    misc_charges: money(row.misc_cents),
    order_total: money(row.total_cents),
    warehouse: row.warehouse,
    order_date: row.order_date,
    ship_date: shipped ? dayAfter(row.order_date, placedAt, row.steps?.Shipped) : null,
    invoice_date: invoiced ? dayAfter(row.order_date, placedAt, row.steps?.Invoiced) : null,
    ship_via: row.ship_via,
    tracking_numbers: shipped
      ? trackingNumbers(
          row.order_number,
          row.items.reduce((sum, item) => sum + item.quantity, 0),
        )
      : [],
    items: (itemsIn.includes('orders') ? row.items : []).map((item) => ({
      sku: item.sku,
      name: item.name,
      order_quantity: item.quantity,
      ship_quantity: filled ? item.quantity : item.available,
      backorder_quantity: filled ? 0 : item.quantity - item.available,
      price: money(item.price_cents),
    })),
  };
};

/** The PO object (spec 2.6) with all its orders, by order number. The address is that of the latest order. */
export const presentPo = (rows: readonly [OrderRow, ...OrderRow[]], shown: Shown): PoObject => ({
  po_number: rows[0].po_number,
  ...(rows[rows.length - 1] ?? rows[0]).ship,
  order_details: rows.map((row) => presentOrder(row, shown)),
});

import { z } from 'zod';
import { poNumber } from './carts.ts';
import { orderShipCodes, orderStatuses } from './codes.ts';

/** Spec 2.5, request. */
export const orderRequest = z.object({ po_number: poNumber });

/** Spec 2.5, response. */
export const orderCreated = z.object({ order_number: z.string() }).meta({ id: 'OrderCreated' });

/** An item of an order. Our choice (docs/spec-decisions.md#orders). */
const orderItem = z
  .object({
    sku: z.string(),
    name: z.string(),
    order_quantity: z.int(),
    ship_quantity: z.int(),
    backorder_quantity: z.int(),
    price: z.number(),
  })
  .meta({ id: 'OrderItem' });

/** Dates in answers (docs/spec-decisions.md#orders): YYYY-MM-DD, or null if it has not happened yet. */
const dateOrNull = z.string().nullable();

/** Spec 2.7: one order under a PO. */
export const orderDetail = z
  .object({
    order_number: z.string(),
    order_status: z.enum(orderStatuses),
    invoice_number: z.int().nullable(),
    freight: z.number(),
    misc_charges: z.number(),
    order_total: z.number(),
    warehouse: z.string(),
    order_date: dateOrNull,
    ship_date: dateOrNull,
    invoice_date: dateOrNull,
    ship_via: z.enum(orderShipCodes),
    tracking_numbers: z.array(z.string()),
    items: z.array(orderItem),
  })
  .meta({ id: 'OrderDetail' });
export type OrderDetail = z.infer<typeof orderDetail>;

/** Spec 2.6: a PO and every order under it. */
export const poObject = z
  .object({
    po_number: z.string(),
    ship_name: z.string(),
    ship_address: z.string(),
    ship_city: z.string(),
    ship_state: z.string(),
    ship_zip: z.string(),
    order_details: z.array(orderDetail),
  })
  .meta({ id: 'PoObject' });
export type PoObject = z.infer<typeof poObject>;

/** Spec 4.7: a day as YYYYMMDD, and a day that exists. */
const compactDate = z
  .string()
  .refine(
    (text) => {
      const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
      if (!parts || parts[1] === '0000') return false;
      const day = new Date(`${parts[1]}-${parts[2]}-${parts[3]}T00:00:00Z`);
      return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10).replaceAll('-', '') === text;
    },
    { error: 'a date in the form YYYYMMDD', params: { rule: 'date' } },
  )
  .meta({ pattern: '^[0-9]{8}$', description: 'A day in the form YYYYMMDD.' });

/** Spec 4.7: both days are required, and the range includes both. */
export const orderRange = z
  .object({ from_date: compactDate, to_date: compactDate })
  .refine((range) => range.from_date <= range.to_date, {
    error: 'from_date on or before to_date',
    path: ['to_date'],
    params: { rule: 'range' },
  });

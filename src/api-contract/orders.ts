import { z } from 'zod';
import {
  accountName,
  cappedCount,
  commaList,
  id,
  listOrder,
  listQuery,
  money,
  orNull,
  pageOf,
  poState,
  time,
} from './basics.ts';
import { shownOrder } from './po-order.ts';

const day = z.iso
  .date('a day such as 2026-11-26')
  .refine((text) => text >= '0001-01-01', 'a day such as 2026-11-26');
const flag = z
  .stringbool({ error: 'true or false' })
  .or(z.boolean({ error: 'true or false' }))
  .optional();

/** Which orders: every given condition must hold. */
const orderFilterShape = {
  account: accountName.optional(),
  status: commaList(z.string().min(1).max(100), 20)
    .optional()
    .describe('One or more statuses of the service, in a query separated by commas.'),
  importId: id.optional().describe('Only orders of one purchase file.'),
  late: flag.describe(
    'True: not shipped and not final for longer than the account’s `lateAfter`, of POs that are not closed.',
  ),
  backordered: flag.describe('True: status B/O, or pieces on back-order.'),
  untracked: flag.describe('True: shipped, without a tracking number.'),
  alarm: flag.describe('True: the purchase order has an alarm that nobody has settled.'),
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Beginning of a PO, order, invoice or tracking number, in any case.'),
  orderedFrom: day.optional().describe('Days are the service’s; both ends are included.'),
  orderedTo: day.optional(),
  shippedFrom: day.optional(),
  shippedTo: day.optional(),
  invoicedFrom: day.optional(),
  invoicedTo: day.optional(),
};

/** `GET /orders`. */
export const ordersQuery = z.object({
  ...listQuery,
  ...orderFilterShape,
  format: z
    .enum(['json', 'csv', 'xlsx'])
    .default('json')
    .describe(
      '`csv`, `xlsx`: all orders with these filters as an attachment with the columns of a status report, at most 100,000 rows.',
    ),
  sort: z
    .enum(['ordered', 'shipped', 'invoiced', 'total'])
    .default('ordered')
    .describe('By which day, or by the total. Orders without it come last, with `oldest` first.'),
  order: listOrder.describe('`newest`: the latest day or the largest total first.'),
});

export const orderSummary = z.object({
  id,
  purchaseOrderId: id,
  account: accountName,
  poNumber: z.string(),
  poState,
  orderNumber: z.string(),
  ...shownOrder,
  tracking: z
    .array(z.object({ number: z.string(), href: orNull(z.string(), 'The carrier’s page.') }))
    .describe('At most three.'),
  trackingCount: z.int().describe('How many tracking numbers the order has.'),
  asked: z.int().describe('Pieces that the file asks for under the PO number.'),
  pieces: orNull(
    z.number(),
    'Pieces of the order; null, as the next two: the service shows none that can be read.',
  ),
  shipped: z.number().nullable(),
  backordered: z.number().nullable(),
  total: orNull(money, 'With freight and charges.'),
  alarm: z.string().nullable(),
  lateDays: orNull(z.int(), 'For how many days a late order has waited; null: it is not late.'),
  orderedAt: orNull(time, 'When the purchase order was ordered.'),
  asOf: orNull(
    time,
    'When its status was last read: orders of closed POs are not asked for any more. Null: never.',
  ),
});
export type OrderSummary = z.infer<typeof orderSummary>;

export const ordersAnswer = pageOf(orderSummary).extend({
  total: cappedCount,
  sum: orNull(
    money,
    'Of the totals of the orders that were counted and that the service still shows; null: none has one.',
  ),
  withoutTotal: z.int().describe('Orders of them that have no total yet.'),
});
export type OrdersAnswer = z.infer<typeof ordersAnswer>;

/** `POST /orders/refresh`. */
export const refreshRequest = z.strictObject({
  purchaseOrderIds: z
    .array(id)
    .min(1)
    .max(50)
    .describe('Purchase orders whose orders are asked for, one call each.'),
});
export const refreshAnswer = z.object({
  sentence: z.string().describe('What the service showed.'),
  changes: z.int().describe('How much of these orders has changed.'),
});
export type RefreshAnswer = z.infer<typeof refreshAnswer>;

/** `GET /orders/facets`. */
export const orderFacets = z.object({
  statuses: z.array(z.object({ status: z.string(), meaning: z.string().nullable(), count: cappedCount })),
  late: cappedCount,
  backordered: cappedCount,
  untracked: cappedCount,
  alarm: cappedCount,
});
export type OrderFacets = z.infer<typeof orderFacets>;

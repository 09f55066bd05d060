import { z } from 'zod';
import { money, orNull, time } from './basics.ts';

const statusStep = z.object({
  field: z.string(),
  was: z.string().nullable(),
  became: z.string().nullable(),
  at: time.describe('When a status check saw it.'),
});

const poOrderItem = z.object({
  sku: z.string(),
  name: z.string(),
  asked: orNull(z.int(), 'Pieces that the file asks for; null: it does not ask for this item.'),
  ordered: z
    .string()
    .describe('As the service wrote it, as with the next three; blank where it wrote nothing.'),
  shipping: z.string().describe('To ship, or shipped.'),
  backordered: z.string(),
  price: z.string(),
  unreadable: orNull(z.string(), 'An item of an unknown shape, as JSON; null: it can be read.'),
});

/** An order's data from the service, in lists and on the page of its PO. */
export const shownOrder = {
  status: orNull(z.string(), 'As the service names it; null: no status check has shown the order yet.'),
  statusMeaning: orNull(z.string(), 'In one sentence; null: the interface does not have this status.'),
  warehouse: z.string().nullable(),
  orderDate: orNull(z.string(), 'Dates of an order are the service’s text.'),
  shipDate: z.string().nullable(),
  invoiceDate: z.string().nullable(),
  invoiceNumber: z.string().nullable(),
  shipVia: z.string().nullable(),
  freight: money.nullable(),
  miscCharges: money.nullable(),
  goneAt: orNull(time, 'Since when the service no longer shows it; null: it does.'),
  changedAt: time,
};

/** An order of a PO at the service. */
export const poOrder = z.object({
  orderNumber: z.string(),
  ...shownOrder,
  stillToCome: z.array(z.string()).describe('What the service has not shown yet, such as `the invoice`.'),
  total: money.nullable(),
  trackingNumbers: z.array(
    z.object({
      number: z.string(),
      href: orNull(z.string(), 'The carrier’s page; null: the carrier is not known by its number.'),
    }),
  ),
  shipTo: z.object({
    name: z.string().nullable(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    zip: z.string().nullable(),
  }),
  items: z.array(poOrderItem).describe('At most 500; empty: the service shows none.'),
  itemCount: z.int(),
  steps: z.array(statusStep),
});
export type PoOrder = z.infer<typeof poOrder>;

import { displayState } from './display-text.ts';
import type { ReportedOrder } from './types.ts';

export interface OrderColumn {
  header: string;
  numeric: boolean;
  width: number;
  read(order: ReportedOrder): string;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** One item of an order for people: `5 x SKU-1 Name (3 to ship, 2 backordered) at 12.5`. */
const itemText = (item: unknown, isShipped: boolean): string => {
  if (typeof item !== 'object' || item === null) return JSON.stringify(item);
  const { sku, name, order_quantity, ship_quantity, backorder_quantity, price } = item as Record<
    string,
    unknown
  >;
  if (textOf(sku) === '' || textOf(order_quantity) === '') return JSON.stringify(item);
  const parts = [
    textOf(ship_quantity) === '' ? '' : `${textOf(ship_quantity)} ${isShipped ? 'shipped' : 'to ship'}`,
    Number(backorder_quantity) > 0 ? `${textOf(backorder_quantity)} backordered` : '',
  ].filter((part) => part !== '');
  return [
    `${textOf(order_quantity)} x ${textOf(sku)}`,
    textOf(name),
    parts.length > 0 ? `(${parts.join(', ')})` : '',
    textOf(price) === '' ? '' : `at ${textOf(price)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

/** Items of an order for people; items of an unknown shape are shown as JSON. */
const itemsText = ({ items, orderStatus, shipDate }: ReportedOrder): string => {
  const isShipped = shipDate !== null || orderStatus === 'Shipped' || orderStatus === 'Invoiced';
  if (Array.isArray(items)) return items.map((item) => itemText(item, isShipped)).join('; ');
  return items == null ? '' : JSON.stringify(items);
};

const timestamp = (date: Date | null): string => (date === null ? '' : `${date.toISOString().slice(0, 19)}Z`);

const column = (
  header: string,
  width: number,
  read: (order: ReportedOrder) => string | null,
  numeric = false,
): OrderColumn => ({ header, width, numeric, read: (order) => read(order) ?? '' });

/** The columns of a status report: every field of spec 2.6 and 2.7 under its name there, and ours. */
export const orderColumns: readonly OrderColumn[] = [
  column('po_number', 18, (order) => order.poNumber),
  column('po_state', 12, (order) => displayState(order.poState)),
  column('order_number', 16, (order) => order.orderNumber),
  column('order_status', 12, (order) => order.orderStatus),
  column('invoice_number', 14, (order) => order.invoiceNumber),
  column('freight', 10, (order) => order.freight, true),
  column('misc_charges', 12, (order) => order.miscCharges, true),
  column('order_total', 12, (order) => order.orderTotal, true),
  column('warehouse', 11, (order) => order.warehouse),
  column('order_date', 12, (order) => order.orderDate),
  column('ship_date', 12, (order) => order.shipDate),
  column('invoice_date', 12, (order) => order.invoiceDate),
  column('ship_via', 10, (order) => order.shipVia),
  column('tracking_numbers', 24, (order) => order.trackingNumbers.join(', ')),
  column('items', 60, itemsText),
  column('ship_name', 24, (order) => order.shipName),
  column('ship_address', 30, (order) => order.shipAddress),
  column('ship_city', 16, (order) => order.shipCity),
  column('ship_state', 10, (order) => order.shipState),
  column('ship_zip', 10, (order) => order.shipZip),
  column('alarm', 30, (order) => order.alarm),
  column('file', 30, (order) => order.fileName),
  column('import', 10, (order) => order.importId),
  column('taken_at', 20, (order) => timestamp(order.takenAt)),
  column('ordered_at', 20, (order) => timestamp(order.orderedAt)),
  column('changed_at', 20, (order) => timestamp(order.changedAt)),
];

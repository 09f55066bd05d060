import { displayState } from './display-text.ts';
import { backorderedPieces, isShipped, itemsOf, type OrderItemFacts } from './order-items.ts';
import { type TrackingLink, trackingLink } from './tracking-link.ts';
import type { ReportedOrder } from './types.ts';

/** The cell type of a column in a workbook; in CSV all cells are text. */
export type ColumnKind = 'text' | 'count' | 'money' | 'day' | 'moment';

export interface ReportColumn<Row> {
  /** The name in CSV files, which never changes; new columns are added at the end. */
  header: string;
  /** The header in workbooks; undefined: workbooks show the value elsewhere. */
  title: string | undefined;
  kind: ColumnKind;
  /** In characters. */
  width: number;
  meaning: string;
  /** Blank if there is no value. */
  read(row: Row): string;
  /** For a column of moments. */
  readMoment?: (row: Row) => Date | null;
}

/** The carrier's page of the first tracking number that names its carrier. Pure. */
export const firstTrackingLink = ({ trackingNumbers }: ReportedOrder): TrackingLink | null => {
  for (const number of trackingNumbers) {
    const link = trackingLink(number);
    if (link) return link;
  }
  return null;
};

/** One item of an order for people: `5 x SKU-1 Name (3 to ship, 2 backordered) at 12.5`. */
const itemText = (item: OrderItemFacts, shipped: boolean): string => {
  if (item.unreadable !== undefined) return item.unreadable;
  const parts = [
    item.shipping === '' ? '' : `${item.shipping} ${shipped ? 'shipped' : 'to ship'}`,
    Number(item.backordered) > 0 ? `${item.backordered} backordered` : '',
  ].filter((part) => part !== '');
  return [
    `${item.ordered} x ${item.sku}`,
    item.name,
    parts.length > 0 ? `(${parts.join(', ')})` : '',
    item.price === '' ? '' : `at ${item.price}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

const itemsText = (order: ReportedOrder): string =>
  itemsOf(order)
    .map((item) => itemText(item, isShipped(order)))
    .join('; ');

const timestamp = (date: Date | null): string => (date === null ? '' : `${date.toISOString().slice(0, 19)}Z`);

export const column = <Row>(
  header: string,
  title: string | undefined,
  width: number,
  meaning: string,
  read: (row: Row) => string | null,
  kind: ColumnKind = 'text',
): ReportColumn<Row> => ({ header, title, width, meaning, kind, read: (row) => read(row) ?? '' });

const moment = (
  header: string,
  title: string,
  meaning: string,
  readMoment: (order: ReportedOrder) => Date | null,
): ReportColumn<ReportedOrder> => ({
  ...column(header, title, 24, meaning, (order: ReportedOrder) => timestamp(readMoment(order)), 'moment'),
  readMoment,
});

/** The columns of orders in a status report: every field of spec 2.6 and 2.7 under its name there, and ours. */
export const orderColumns: readonly ReportColumn<ReportedOrder>[] = [
  column('po_number', 'PO number', 18, 'The PO number.', (o) => o.poNumber),
  column('po_state', 'PO state', 10, 'State of the PO: `ordered` or `complete`.', (o) =>
    displayState(o.poState),
  ),
  column('order_number', 'Order number', 16, 'The service’s order number.', (o) => o.orderNumber),
  column('order_status', 'Order status', 13, 'As the service names it.', (o) => o.orderStatus),
  column('invoice_number', 'Invoice number', 15, 'The invoice.', (o) => o.invoiceNumber),
  column('freight', 'Freight', 12, 'Freight charge.', (o) => o.freight, 'money'),
  column('misc_charges', 'Misc. charges', 13, 'Other charges.', (o) => o.miscCharges, 'money'),
  column('order_total', 'Order total', 12, 'Total with freight and charges.', (o) => o.orderTotal, 'money'),
  column('warehouse', 'Warehouse', 11, 'The warehouse that ships it.', (o) => o.warehouse),
  column('order_date', 'Order date', 12, 'Day of the order.', (o) => o.orderDate, 'day'),
  column('ship_date', 'Ship date', 12, 'Day of the shipment.', (o) => o.shipDate, 'day'),
  column('invoice_date', 'Invoice date', 12, 'Day of the invoice.', (o) => o.invoiceDate, 'day'),
  column('ship_via', 'Ship via', 10, 'Shipping code.', (o) => o.shipVia),
  column(
    'tracking_numbers',
    'Tracking numbers',
    24,
    'All tracking numbers, separated by a comma and a space.',
    (o) => o.trackingNumbers.join(', '),
  ),
  column(
    'items',
    undefined,
    60,
    'The items in one cell, for people; `.lines.csv` has a row for each.',
    itemsText,
  ),
  column('ship_name', 'Ship to', 24, 'Name of the recipient.', (o) => o.shipName),
  column('ship_address', 'Address', 28, 'Street address.', (o) => o.shipAddress),
  column('ship_city', 'City', 16, 'City.', (o) => o.shipCity),
  column('ship_state', 'State', 8, 'State.', (o) => o.shipState),
  column('ship_zip', 'ZIP', 10, 'ZIP code.', (o) => o.shipZip),
  column(
    'alarm',
    'Alarm',
    30,
    'What differs between the file and the order; blank if nothing does.',
    (o) => o.alarm,
  ),
  column('file', 'Purchase file', 28, 'Name of the purchase file.', (o) => o.fileName),
  column('import', 'Import', 9, 'Number of the import.', (o) => o.importId),
  moment('taken_at', 'File picked up', 'When the file was picked up.', (o) => o.takenAt),
  moment('ordered_at', 'Ordered', 'When the PO was ordered.', (o) => o.orderedAt),
  moment('changed_at', 'Last change', 'When the order last changed.', (o) => o.changedAt),
  column(
    'backordered',
    'Back-ordered',
    13,
    'Pieces that are back-ordered.',
    (o) => String(backorderedPieces(o) || ''),
    'count',
  ),
  column(
    'tracking_link',
    undefined,
    40,
    'The carrier’s page of the first tracking number that shows which carrier it is.',
    (o) => firstTrackingLink(o)?.url ?? '',
  ),
];

/** An order in a list of several accounts. */
export type AccountOrder = ReportedOrder & { account: string };

/** The columns of orders of several accounts: the account, and the columns of a status report. */
export const accountOrderColumns: readonly ReportColumn<AccountOrder>[] = [
  ...orderColumns,
  column(
    'account',
    'Account',
    18,
    'Name of the account; only where orders of several accounts are listed.',
    ({ account }) => account,
  ),
];

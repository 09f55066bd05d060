import { moneyProduct } from './money-sums.ts';
import { column, type ReportColumn } from './order-columns.ts';
import { blankItem, isShipped, itemsOf, type OrderItemFacts } from './order-items.ts';
import type { ReportedOrder } from './types.ts';

/** One item of an order; an order without readable items has one row that says so. */
export interface ReportedLine {
  order: ReportedOrder;
  item: OrderItemFacts;
  note: string;
}

/** The lines of an order. Pure. */
export const linesOf = (order: ReportedOrder): ReportedLine[] => {
  const items = itemsOf(order);
  if (items.length === 0)
    return [{ order, item: blankItem, note: 'The service shows no items for this order.' }];
  return items.map((item) => ({ order, item, note: item.unreadable ?? '' }));
};

/** The columns of lines in a status report. */
export const lineColumns: readonly ReportColumn<ReportedLine>[] = [
  column('po_number', 'PO number', 18, 'The PO number.', ({ order }) => order.poNumber),
  column('order_number', 'Order number', 16, 'The service’s order number.', ({ order }) => order.orderNumber),
  column('order_status', 'Order status', 13, 'As the service names it.', ({ order }) => order.orderStatus),
  column('sku', 'SKU', 20, 'The item.', ({ item }) => item.sku),
  column('name', 'Item', 34, 'Its name.', ({ item }) => item.name),
  column('ordered', 'Ordered', 10, 'Pieces ordered.', ({ item }) => item.ordered, 'count'),
  column(
    'to_ship',
    'To ship',
    10,
    'Pieces that are to be shipped with this order.',
    ({ order, item }) => (isShipped(order) ? '' : item.shipping),
    'count',
  ),
  column(
    'shipped',
    'Shipped',
    10,
    'Pieces that were shipped with this order.',
    ({ order, item }) => (isShipped(order) ? item.shipping : ''),
    'count',
  ),
  column(
    'backordered',
    'Back-ordered',
    13,
    'Pieces that are back-ordered.',
    ({ item }) => item.backordered,
    'count',
  ),
  column('price', 'Price', 12, 'Price of one piece.', ({ item }) => item.price, 'money'),
  column(
    'amount',
    'Amount',
    12,
    'Pieces ordered times the price.',
    ({ item }) => moneyProduct(item.ordered, item.price),
    'money',
  ),
  column('order_date', 'Order date', 12, 'Day of the order.', ({ order }) => order.orderDate, 'day'),
  column('ship_date', 'Ship date', 12, 'Day of the shipment.', ({ order }) => order.shipDate, 'day'),
  column('note', 'Note', 40, 'What could not be read of the item, as JSON.', ({ note }) => note),
];

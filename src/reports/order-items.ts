import type { ReportedOrder } from './types.ts';

/** One item of an order, with the values verbatim from the service; blank if missing. */
export interface OrderItemFacts {
  sku: string;
  name: string;
  ordered: string;
  /** The quantity to ship, or shipped. */
  shipping: string;
  backordered: string;
  /** Decimal text. */
  price: string;
  /** An item of an unknown shape, as JSON; the other fields are then blank. */
  unreadable: string | undefined;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

export const blankItem: OrderItemFacts = {
  ...{ sku: '', name: '', ordered: '', shipping: '', backordered: '', price: '' },
  unreadable: undefined,
};

const unreadable = (item: unknown): OrderItemFacts => ({ ...blankItem, unreadable: JSON.stringify(item) });

const readItem = (item: unknown): OrderItemFacts => {
  if (typeof item !== 'object' || item === null) return unreadable(item);
  const { sku, name, order_quantity, ship_quantity, backorder_quantity, price } = item as Record<
    string,
    unknown
  >;
  if (textOf(sku) === '' || textOf(order_quantity) === '') return unreadable(item);
  return {
    sku: textOf(sku),
    name: textOf(name),
    ordered: textOf(order_quantity),
    shipping: textOf(ship_quantity),
    backordered: textOf(backorder_quantity),
    price: textOf(price),
    unreadable: undefined,
  };
};

/** The items of an order as the service shows them; empty if it shows none. Pure. */
export const itemsOf = ({ items }: Pick<ReportedOrder, 'items'>): OrderItemFacts[] =>
  items == null ? [] : Array.isArray(items) ? items.map(readItem) : [unreadable(items)];

/** Whether an order has left the warehouse. Pure. */
export const isShipped = ({
  orderStatus,
  shipDate,
}: Pick<ReportedOrder, 'orderStatus' | 'shipDate'>): boolean =>
  shipDate !== null || orderStatus === 'Shipped' || orderStatus === 'Invoiced';

/** How many pieces of an order are back-ordered. Pure. */
export const backorderedPieces = (order: Pick<ReportedOrder, 'items'>): number =>
  itemsOf(order).reduce((sum, { backordered }) => sum + (Number(backordered) || 0), 0);

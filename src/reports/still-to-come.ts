import { backorderedPieces, isShipped } from './order-items.ts';
import type { ReportedOrder } from './types.ts';

const pieces = (count: number): string => `${count} ${count === 1 ? 'piece' : 'pieces'}`;

/** Everything about an order that the service has not shown yet, in the expected sequence; empty if nothing is missing. Pure. */
export const stillToCome = (
  order: Pick<
    ReportedOrder,
    'orderStatus' | 'shipDate' | 'invoiceDate' | 'invoiceNumber' | 'trackingNumbers' | 'items'
  >,
): string[] => {
  const waiting = backorderedPieces(order);
  const shipped = isShipped(order);
  return [
    ...(order.orderStatus === null ? ['its first status'] : []),
    ...(waiting > 0 ? [`${pieces(waiting)} on back-order`] : []),
    ...(shipped ? [] : ['the shipment']),
    ...(order.trackingNumbers.length > 0 ? [] : ['a tracking number']),
    ...(order.invoiceDate !== null || order.invoiceNumber !== null || order.orderStatus === 'Invoiced'
      ? []
      : ['the invoice']),
  ];
};

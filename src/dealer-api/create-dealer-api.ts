import type { DealerApi, ObserveCall } from './answers.ts';
import type { ApiOptions } from './options.ts';
import {
  readCart,
  readCartCreated,
  readItemAdded,
  readOrderCreated,
  readPo,
  readPoList,
} from './read-answers.ts';
import { createTransport, type Throttle } from './transport.ts';

/** In JSON cc_last_four is an integer (spec 2.1); in a form it is its four digits. */
const optionValue = (name: string, value: unknown, format: ApiOptions['requestFormat']): unknown =>
  name === 'cc_last_four' && format === 'json' ? Number(value) : value;

/** A service may show the PO number that it was asked for in another case, or with blanks around it. */
const isSameNumber = (shown: string, asked: string): boolean =>
  shown.trim().toLowerCase() === asked.trim().toLowerCase();

/**
 * The seven calls of spec 4 to one account's service, limited by `throttle`. `gate` is called in the tick in which the
 * request is written. Never repeats a call. `observe` is called after each call, `onOtherNumber` with the first PO number that the
 * service shows in another spelling.
 */
export const createDealerApi = (
  options: ApiOptions,
  throttle: Throttle,
  observe?: ObserveCall,
  onOtherNumber?: (asked: string, shown: string) => void,
): DealerApi => {
  let isOtherNumberKnown = false;
  const { send, stop } = createTransport(options, throttle, observe);
  const inBody = options.dateRangeIn === 'body';
  return {
    createCart: ({ poNumber, options: cart }, gate) =>
      send({
        name: 'createCart',
        method: 'POST',
        path: '/carts',
        body: {
          po_number: poNumber,
          ...Object.fromEntries(
            Object.entries(cart).map(([name, value]) => [
              name,
              optionValue(name, value, options.requestFormat),
            ]),
          ),
        },
        read: readCartCreated,
        gate,
      }),
    showCart: (poNumber, gate) =>
      send({
        name: 'showCart',
        method: 'GET',
        path: `/carts/${encodeURIComponent(poNumber)}`,
        read: readCart,
        gate,
      }),
    addItem: (poNumber, item, gate) =>
      send({
        name: 'addItem',
        method: 'POST',
        path: `/carts/${encodeURIComponent(poNumber)}/items`,
        body: {
          ...(item.itemSku === undefined ? { item_id: item.itemId } : { item_sku: item.itemSku }),
          quantity: item.quantity,
          ...(item.note === undefined ? {} : { note: item.note }),
        },
        read: readItemAdded,
        gate,
      }),
    deleteCart: (poNumber, gate) =>
      send<undefined>({
        name: 'deleteCart',
        method: 'DELETE',
        path: `/carts/${encodeURIComponent(poNumber)}`,
        read: () => undefined,
        needsBody: false,
        gate,
      }),
    createOrder: (poNumber, gate) =>
      send({
        name: 'createOrder',
        method: 'POST',
        path: '/orders',
        body: { po_number: poNumber },
        read: readOrderCreated,
        gate,
      }),
    showOrder: async (poNumber, gate) => {
      const result = await send({
        name: 'showOrder',
        method: 'GET',
        path: `/orders/${encodeURIComponent(poNumber)}`,
        read: readPo,
        gate,
      });
      if (result.kind !== 'ok') return result;
      // Never use an answer about another PO for this one.
      const { poNumber: shown } = result.value;
      if (shown !== undefined && !isSameNumber(shown, poNumber)) {
        return { kind: 'unknown', message: `answered with another PO (${shown})` };
      }
      if (shown !== undefined && shown !== poNumber && !isOtherNumberKnown) {
        isOtherNumberKnown = true;
        onOtherNumber?.(poNumber, shown);
      }
      return result.value.orders.length === 0
        ? { kind: 'not_found', message: 'answered with no orders for this PO' }
        : { kind: 'ok', value: { ...result.value, poNumber } };
    },
    listOrders: (fromDate, toDate, gate) => {
      const range = { from_date: fromDate, to_date: toDate };
      return send({
        name: 'listOrders',
        method: 'GET',
        path: '/orders',
        ...(inBody ? { body: range } : { query: range }),
        read: readPoList,
        gate,
      });
    },
    stop,
  };
};

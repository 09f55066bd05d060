import type { DealerApi } from './answers.ts';
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

/** JSON carries cc_last_four as the spec's integer; a form carries its four digits. */
const optionValue = (name: string, value: unknown, format: ApiOptions['requestFormat']): unknown =>
  name === 'cc_last_four' && format === 'json' ? Number(value) : value;

/**
 * The seven calls of spec 4 to one account's service. Throttled by `throttle`; `gate` is asked in the tick
 * of the send. Calls of a kind that changes something are never repeated here.
 */
export const createDealerApi = (options: ApiOptions, throttle: Throttle): DealerApi => {
  const { send, stop } = createTransport(options, throttle);
  const inBody = options.dateRangeIn === 'body';
  return {
    createCart: ({ poNumber, options: cart }, gate) =>
      send({
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
      send({ method: 'GET', path: `/carts/${encodeURIComponent(poNumber)}`, read: readCart, gate }),
    addItem: (poNumber, item, gate) =>
      send({
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
        method: 'DELETE',
        path: `/carts/${encodeURIComponent(poNumber)}`,
        read: () => undefined,
        needsBody: false,
        gate,
      }),
    createOrder: (poNumber, gate) =>
      send({ method: 'POST', path: '/orders', body: { po_number: poNumber }, read: readOrderCreated, gate }),
    showOrder: async (poNumber, gate) => {
      const result = await send({
        method: 'GET',
        path: `/orders/${encodeURIComponent(poNumber)}`,
        read: readPo,
        gate,
      });
      if (result.kind !== 'ok') return result;
      // An answer about another PO must never be taken for this one's.
      if (result.value.poNumber !== undefined && result.value.poNumber !== poNumber) {
        return { kind: 'unknown', message: `answered about PO ${result.value.poNumber} instead` };
      }
      return result.value.orders.length === 0
        ? { kind: 'not_found', message: 'no order stands under this PO' }
        : result;
    },
    listOrders: (fromDate, toDate, gate) => {
      const range = { from_date: fromDate, to_date: toDate };
      return send({
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

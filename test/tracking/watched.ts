import type { DealerApi, OrderAnswer, PoAnswer } from '../../src/dealer-api/answers.ts';
import type { useTracking } from './use-tracking.ts';

type Show = (orders: OrderAnswer[]) => OrderAnswer[];

/** A PO of 2 B whose orders, as shown by the service, a test sets for each poll. */
export const watchedWith =
  (withOrders: ReturnType<typeof useTracking>['withOrders']) =>
  async (tracking: { unchangedMs?: number } = {}) => {
    let show: Show = (orders) => orders;
    let address: Partial<PoAnswer> = {};
    const around = (api: DealerApi): DealerApi => ({
      ...api,
      listOrders: async (...args) => {
        const result = await api.listOrders(...args);
        if (result.kind !== 'ok') return result;
        return {
          kind: 'ok',
          value: result.value.map((po) => ({ ...po, ...address, orders: show(po.orders) })),
        };
      },
    });
    const account = await withOrders(1, { around, tracking });
    return {
      account,
      /** Polls once; the service shows these orders, and this address if one is given. */
      poll: async (next: Show, shown: Partial<PoAnswer> = {}) => {
        [show, address] = [next, shown];
        await account.poll();
        return account.row('PO-1');
      },
    };
  };

export const withItems = (order: OrderAnswer, quantity: number | undefined): OrderAnswer => ({
  ...order,
  lines: quantity === undefined ? [] : [{ sku: 'B', quantity }],
  items: (quantity === undefined ? [] : [{ sku: 'B', quantity }]) as never,
});

export const asAsked: Show = (orders) => orders.map((order) => withItems(order, 2));

/** A second order next to ours. */
export const second =
  (quantity: number | undefined): Show =>
  (orders) => [...asAsked(orders), withItems({ ...orders[0]!, orderNumber: 'SECOND' }, quantity)];

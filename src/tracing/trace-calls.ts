import type { CallName, CallResult, DealerApi } from '../dealer-api/answers.ts';
import type { SpanFacts, Trace } from './trace.ts';

const resultFacts = (result: CallResult<unknown>): SpanFacts => ({
  result: result.kind,
  ...('status' in result ? { status: result.status } : {}),
});

/** Wraps each call in a span with its result. Adds no trace header, because the service is somebody else's. */
export const traceCalls = (api: DealerApi, account: string, trace: Trace): DealerApi => {
  const call = <T>(
    name: CallName,
    facts: SpanFacts,
    send: () => Promise<CallResult<T>>,
    more?: (value: T) => SpanFacts,
  ) =>
    trace(
      name,
      { account, call: name, ...facts },
      async (note) => {
        const result = await send();
        note({ ...resultFacts(result), ...(result.kind === 'ok' ? more?.(result.value) : {}) });
        return result;
      },
      'client',
    );
  return {
    createCart: (cart, gate) =>
      call('createCart', { poNumber: cart.poNumber }, () => api.createCart(cart, gate)),
    showCart: (poNumber, gate) => call('showCart', { poNumber }, () => api.showCart(poNumber, gate)),
    addItem: (poNumber, item, gate) => call('addItem', { poNumber }, () => api.addItem(poNumber, item, gate)),
    deleteCart: (poNumber, gate) => call('deleteCart', { poNumber }, () => api.deleteCart(poNumber, gate)),
    createOrder: (poNumber, gate) =>
      call(
        'createOrder',
        { poNumber },
        () => api.createOrder(poNumber, gate),
        ({ orderNumber }) => ({
          orderNumber,
        }),
      ),
    showOrder: (poNumber, gate) => call('showOrder', { poNumber }, () => api.showOrder(poNumber, gate)),
    listOrders: (fromDate, toDate, gate) =>
      call(
        'listOrders',
        { fromDate, toDate },
        () => api.listOrders(fromDate, toDate, gate),
        (pos) => ({
          seen: pos.length,
        }),
      ),
    stop: () => api.stop(),
  };
};

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { createDealerApi } from '../../src/dealer-api/create-dealer-api.ts';
import type { ApiOptions } from '../../src/dealer-api/options.ts';
import { answers, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
const apis: DealerApi[] = [];
beforeAll(async () => {
  server = await startScriptedServer();
});
afterEach(() => {
  for (const api of apis.splice(0)) api.stop();
});
afterAll(() => server.stop());

const api = (
  over: Partial<ApiOptions> = {},
  onOtherNumber?: (asked: string, shown: string) => void,
): DealerApi => {
  const made = createDealerApi(
    {
      baseUrl: `${server.url}/v4/`,
      auth: { kind: 'none' },
      secret: undefined,
      requestFormat: 'json',
      dateRangeIn: 'query',
      maxAnswerBytes: 33_554_432,
      requestTimeoutMs: 10_000,
      ...over,
    },
    { enter: async () => () => {} },
    undefined,
    onOtherNumber,
  );
  apis.push(made);
  return made;
};

/** The request that the service received for a call. */
const sent = async (call: Promise<unknown>) => {
  const { method, url, body, headers } = (await Promise.all([server.next(), call]))[0];
  return { request: `${method} ${url}`, body, type: headers['content-type'] };
};

describe('a request is sent', () => {
  test('as JSON', async () => {
    server.script = answers(404);
    const made = api();
    const cart = {
      poNumber: 'PO 1',
      options: { ship_via: 'UP1D', allow_backorder: true, cc_last_four: '0042' },
    };
    expect(await sent(made.createCart(cart))).toEqual({
      request: 'POST /v4/carts',
      body: '{"po_number":"PO 1","ship_via":"UP1D","allow_backorder":true,"cc_last_four":42}',
      type: 'application/json',
    });
    expect(
      await sent(made.addItem('PO 1', { itemSku: 'A-1', itemId: '9', quantity: 2, note: 'n' })),
    ).toMatchObject({
      request: 'POST /v4/carts/PO%201/items',
      body: '{"item_sku":"A-1","quantity":2,"note":"n"}',
    });
    expect(await sent(made.addItem('1', { itemId: '9', quantity: 2 }))).toMatchObject({
      body: '{"item_id":"9","quantity":2}',
    });
    expect(await sent(made.createOrder('PO 1'))).toMatchObject({
      request: 'POST /v4/orders',
      body: '{"po_number":"PO 1"}',
    });
  });

  test('as a form', async () => {
    server.script = answers(404);
    const cart = { poNumber: 'A&B=1', options: { hold_order: false, cc_last_four: '0042' } };
    expect(await sent(api({ requestFormat: 'form' }).createCart(cart))).toEqual({
      request: 'POST /v4/carts',
      body: 'po_number=A%26B%3D1&hold_order=false&cc_last_four=0042',
      type: 'application/x-www-form-urlencoded',
    });
  });

  test.each(['A/B', 'A?b=1', 'A#1', 'A%2F', '../x', 'Ünï 1', 'a'.repeat(200)])(
    'with PO number %s as one part of the path',
    async (poNumber) => {
      server.script = answers(404);
      const { request } = await sent(api().showCart(poNumber));
      expect(request.split('/')).toHaveLength(4);
      expect(decodeURIComponent(request.split('/')[3]!)).toBe(poNumber);
    },
  );

  test('with the date range in the query or in the body', async () => {
    server.script = answers(200, '[]');
    expect(await sent(api().listOrders('20260101', '20260131'))).toMatchObject({
      request: 'GET /v4/orders?from_date=20260101&to_date=20260131',
      body: '',
    });
    expect(await sent(api({ dateRangeIn: 'body' }).listOrders('20260101', '20260131'))).toMatchObject({
      request: 'GET /v4/orders',
      body: '{"from_date":"20260101","to_date":"20260131"}',
    });
  });
});

describe('orders under a PO', () => {
  const show = (body: unknown) => {
    server.script = answers(200, JSON.stringify(body));
    return api().showOrder('PO-1');
  };

  test("an answer about another PO is never taken for this one's", async () => {
    expect(await show({ po_number: 'PO-2', order_details: [{ order_number: '1' }] })).toMatchObject({
      kind: 'unknown',
    });
  });

  test.each([' PO-1 ', 'po-1', 'Po-1'])(
    'a service may show the number as "%s": it is the one asked for',
    async (shown) => {
      expect(await show({ po_number: shown, order_details: [{ order_number: '1' }] })).toMatchObject({
        kind: 'ok',
        value: { poNumber: 'PO-1', orders: [{ orderNumber: '1' }] },
      });
    },
  );

  test('that a service shows numbers otherwise is said once', async () => {
    const said: string[][] = [];
    const made = api({}, (...numbers) => said.push(numbers));
    for (const [shown, asked] of [
      ['PO-1', 'PO-1'],
      ['po-2', 'PO-2'],
      ['po-3', 'PO-3'],
    ] as const) {
      server.script = answers(
        200,
        JSON.stringify({ po_number: shown, order_details: [{ order_number: '1' }] }),
      );
      await made.showOrder(asked);
    }
    expect(said).toEqual([['PO-2', 'po-2']]);
  });

  test('no orders at all is the same as 404', async () => {
    expect(await show({ po_number: 'PO-1', order_details: [] })).toMatchObject({ kind: 'not_found' });
    expect(await show([])).toMatchObject({ kind: 'not_found' });
  });

  test('an order without a number makes the answer unknown, not empty', async () => {
    expect(await show({ po_number: 'PO-1', order_details: [{}] })).toMatchObject({ kind: 'unknown' });
    expect(await show({})).toMatchObject({ kind: 'unknown' });
  });
});

test('a cart that no longer exists is distinguished from one that was deleted', async () => {
  server.script = answers(200, '');
  expect(await api().deleteCart('1')).toEqual({ kind: 'ok', value: undefined });
  server.script = answers(404, '{}');
  expect(await api().deleteCart('1')).toMatchObject({ kind: 'not_found' });
});

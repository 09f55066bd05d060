import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListeningService } from '../../../src/service/listen-service.ts';
import { servicesOfTest, type TestServices } from '../run-service.ts';
import type { paths } from './paths.ts';

let services: TestServices;
let service: ListeningService;
beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen();
});
afterAll(() => services.end());

const documentOf = async (): Promise<object> =>
  (await (await fetch(`${service.url}/openapi.json`)).json()) as object;

/** Texts and examples, which do not change the types. */
const untyped = new Set(['description', 'summary', 'example', 'examples', 'title', 'info']);

test('the types belong to the document', async () => {
  const text = JSON.stringify(await documentOf(), (name, value) => (untyped.has(name) ? undefined : value));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const types = await readFile(new URL('./paths.ts', import.meta.url), 'utf8');
  // To update the types: `npx openapi-typescript http://127.0.0.1:8480/openapi.json`, in a folder with typescript 5.
  expect(/document: (\S+)/.exec(types)?.[1]).toBe(hash);
});

// `npm run types` compiles this file under strict: every request and every answer has the type of the document.
test('a typed client orders, follows the order, and gets typed problems', async () => {
  const client = createClient<paths>({ baseUrl: service.url });
  const po_number = 'typed / 1';
  const params = { path: { po_number } };
  const created = await client.POST('/carts', { body: { po_number, ship_via: 'UP2D', ship_to: '0012345' } });
  const shipmentType: string | undefined = created.data?.shipment_type;
  expect(shipmentType).toBe('dealer');
  const added = await client.POST('/carts/{po_number}/items', {
    params,
    body: { item_sku: 'A', quantity: 2 },
  });
  const price: number = added.data!.dealer_price;
  expect(price).toBeGreaterThan(0);
  const cart = await client.GET('/carts/{po_number}', { params });
  const note: string | null = cart.data!.items![0]!.note;
  expect([cart.data!.ship_via, note]).toEqual(['UP2D', null]);
  const ordered = await client.POST('/orders', { body: { po_number } });
  const number: string = ordered.data!.order_number;
  const shown = await client.GET('/orders/{po_number}', { params });
  const order = shown.data!.order_details[0]!;
  const invoice: number | null = order.invoice_number;
  expect([order.order_number, order.order_status, invoice]).toEqual([number, 'In O/E', null]);
  const day = order.order_date!.replaceAll('-', '');
  const listed = await client.GET('/orders', { params: { query: { from_date: day, to_date: day } } });
  expect(listed.data).toEqual([shown.data]);
  const gone = await client.DELETE('/carts/{po_number}', { params });
  const title: string = gone.error!.title;
  expect([gone.response.status, title]).toEqual([404, 'This PO has no cart']);
});

test('the types refuse what the service refuses', async () => {
  const client = createClient<paths>({ baseUrl: service.url });
  // @ts-expect-error po_number is required
  const nameless = await client.POST('/carts', { body: { ship_name: 'Ann' } });
  // @ts-expect-error not a shipping code
  const wrongCode = await client.POST('/carts', { body: { po_number: 'typed 2', ship_via: 'SLOW' } });
  const params = { path: { po_number: 'typed 3' } };
  const body = { item_sku: 'A', quantity: '1' };
  // @ts-expect-error the quantity is a number
  const text = await client.POST('/carts/{po_number}/items', { params, body });
  for (const { response } of [nameless, wrongCode, text]) expect(response.status).toBe(422);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { cartCreated, cartDeleted, cartShown } from '../../src/contract/carts.ts';
import { itemAdded } from '../../src/contract/items.ts';
import { orderCreated, poObject } from '../../src/contract/orders.ts';
import { problem } from '../../src/contract/problems.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { servicesOfTest, type TestServices } from './run-service.ts';

const require = createRequire(import.meta.url);

interface ResponseObject {
  description: string;
  content: Record<string, { example?: unknown; examples?: Record<string, { value: object }> }>;
}
interface Operation {
  parameters?: { name: string; in: string; example: string }[];
  requestBody?: { content: Record<string, { example: object }> };
  responses: Record<string, ResponseObject>;
}

let services: TestServices;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  services = await servicesOfTest();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await services.end();
});

/** Starts a Node program. */
const start = (program: string, args: string[]) => {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' },
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

/** The service's own document as a file. */
const documentOf = async (service: ListeningService) => {
  const response = await fetch(`${service.url}/openapi.json`);
  return services.write(await response.text());
};

/** Starts prism between client and service, which rejects everything that violates the document; returns its address. */
const startProxy = async (service: ListeningService): Promise<string> => {
  const port = await freePort();
  const file = await documentOf(service);
  const child = start(require.resolve('@stoplight/prism-cli'), [
    'proxy',
    file,
    service.url,
    '--errors',
    '-p',
    String(port),
  ]);
  child.stderr?.resume();
  for await (const line of createInterface(child.stdout!)) {
    if (line.includes('is listening')) {
      child.stdout?.resume();
      return `http://127.0.0.1:${port}`;
    }
  }
  throw new Error('prism ended before it listened');
};

const client = (url: string, headers: Record<string, string> = {}) => {
  const send = async (method: string, path: string, body?: object | string) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined
          ? {}
          : {
              'content-type':
                typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
            }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    expect(response.headers.get('sl-violations')).toBeNull();
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  return send;
};

describe('the document', () => {
  test.each(['none', 'data'])('is clean by redocly lint (envelope %s)', async (envelope) => {
    const service = await services.listen({ envelope });
    const child = start(require.resolve('@redocly/cli/bin/cli.js'), [
      'lint',
      '--format=json',
      await documentOf(service),
    ]);
    const [output, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
    expect(JSON.parse(output.slice(output.indexOf('{'))).totals).toMatchObject({ errors: 0, warnings: 0 });
    expect(code).toBe(0);
  });

  test('is OpenAPI 3.1 and has a page for people', async () => {
    const { call } = await services.build();
    expect((await call('GET', '/openapi.json')).body).toMatchObject({
      openapi: '3.1.0',
      info: { version: '4' },
    });
    const page = await call('GET', '/docs/');
    expect(page.headers['content-type']).toContain('text/html');
  });

  test('has its own components by name, whatever this process has loaded, in whatever order', async () => {
    const other = z.object({}).meta({ id: 'OfSomethingElse' });
    onTestFinished(() => void z.globalRegistry.remove(other));
    const { call } = await services.build();
    const names = Object.keys((await call('GET', '/openapi.json')).body.components.schemas);
    expect(names).toEqual(names.toSorted());
    expect(names).toContain('OrderDetail');
    expect(names).not.toContain('OfSomethingElse');
  });

  test('has the lengths and lists of the contract', async () => {
    const { call } = await services.build({ maxQuantity: 77 });
    const { paths } = (await call('GET', '/openapi.json')).body;
    const bodyOf = (path: string) => paths[path].post.requestBody.content['application/json'].schema;
    expect(bodyOf('/carts').required).toEqual(['po_number']);
    expect(bodyOf('/carts').properties).toMatchObject({
      ship_to: { minLength: 7, maxLength: 7 },
      ship_city: { maxLength: 17 },
      ship_via: { enum: ['AH2D', 'BEST', 'FE1D', 'FE2D', 'UP1D', 'UP2D', 'US1C', 'US4C'] },
      po_number: { minLength: 1, maxLength: 200 },
    });
    expect(bodyOf('/carts/{po_number}/items').properties.quantity).toMatchObject({ minimum: 1, maximum: 77 });
  });
});

describe('the examples', () => {
  const schemas: Record<string, z.ZodType> = {
    createCart: cartCreated.strict(),
    showCart: cartShown.strict(),
    addItem: itemAdded.strict(),
    deleteCart: cartDeleted.strict(),
    submitOrder: orderCreated.strict(),
    showOrder: poObject.strict(),
    listOrders: z.array(poObject.strict()),
  };

  test.each([{}, { envelope: 'data' }])(
    'every request, parameter and answer has some, valid against the contract (%j)',
    async (config) => {
      const { call } = await services.build(config);
      const { paths } = (await call('GET', '/openapi.json')).body;
      const operations = Object.values(paths).flatMap((path) => Object.values(path as object));
      expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(schemas).sort());
      for (const { operationId, parameters = [], requestBody, responses } of operations) {
        for (const parameter of parameters) expect(parameter.example, operationId).toMatch(/./);
        for (const media of Object.values(requestBody?.content ?? {}))
          expect(media).toHaveProperty('example');
        for (const [status, { content, description }] of Object.entries<ResponseObject>(responses)) {
          const [media] = Object.values(content);
          if (status === '200') {
            const { example } = media!;
            const { data } = example as { data?: unknown };
            expect(() => schemas[operationId]!.parse('envelope' in config ? data : example)).not.toThrow();
            continue;
          }
          const shown = Object.entries(media!.examples!);
          expect(shown.length, `${operationId} ${status}`).toBe(description.split(/: [A-Z]/).length - 1);
          for (const [code, { value }] of shown) {
            expect(problem.parse(value)).toMatchObject({
              type: `urn:problem:${code}`,
              status: Number(status),
            });
            expect(value).toHaveProperty('message');
          }
        }
      }
    },
  );

  test('the refusal of an item with both names is documented as it is answered', async () => {
    const { call } = await services.build();
    const { paths } = (await call('GET', '/openapi.json')).body;
    const documented =
      paths['/carts/{po_number}/items'].post.responses[422].content['application/problem+json'].examples;
    await call('POST', '/carts', { po_number: 'both' });
    const { body } = await call('POST', '/carts/both/items', { item_sku: 'A', item_id: '1', quantity: 1 });
    expect(documented.invalid.value.errors).toEqual(body.errors);
  });

  test('sent in the order of the document, they all succeed and look like the documented answers', async () => {
    const { dealer, auth } = services.newDealer();
    const { call, service } = await services.build({
      dealers: [dealer],
      seed: [{ po_number: 'PO-1002' }],
      admin: true,
    });
    await service.control.clock({ set: new Date('2026-01-30T12:00:00Z') });
    const { paths } = (await call('GET', '/openapi.json')).body;
    // Lists whose length in an example differs from that after one call.
    const lists = new Set(['items', 'tracking_numbers']);
    const keysOf = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.slice(0, 1).map(keysOf);
      if (typeof value !== 'object' || value === null) return '';
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          lists.has(name) ? Array.isArray(inner) : keysOf(inner),
        ]),
      );
    };
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      await service.control.reset();
      await service.control.clock({ set: new Date('2026-01-30T12:00:00Z') });
      for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
        for (const [method, { parameters = [], requestBody, responses }] of Object.entries(operations)) {
          const query = parameters.filter((parameter) => parameter.in === 'query');
          const url = parameters.reduce(
            (text, { name, example }) => text.replace(`{${name}}`, example),
            path,
          );
          const search = new URLSearchParams(
            query.map(({ name, example }): [string, string] => [name, example]),
          );
          const example = requestBody?.content[type]?.example as Record<string, string> | undefined;
          const payload = type.endsWith('json')
            ? example
            : example && new URLSearchParams(Object.entries(example)).toString();
          const answer = await call(method.toUpperCase() as 'GET', `${url}?${search}`, payload, auth);
          expect([method, url, answer.status]).toEqual([method, url, 200]);
          const documented = responses[200]!.content['application/json']!.example;
          expect(JSON.stringify(keysOf(answer.body))).toBe(JSON.stringify(keysOf(documented)));
        }
      }
    }
  });
});

describe('with prism as a validating proxy between client and service', () => {
  test.each([['none'], ['data']])(
    'the seven endpoints keep to the document (envelope %s)',
    async (envelope) => {
      const { dealer, auth } = services.newDealer();
      const service = await services.listen({ envelope, dealers: [dealer] });
      const send = client(await startProxy(service), auth);
      const bare = (body: { data?: unknown }) => (envelope === 'data' ? body.data : body);

      const po = `proxied/${envelope} ü`;
      const path = encodeURIComponent(po);
      const full = {
        po_number: po,
        default_warehouse: 'GA',
        ship_via: 'UP2D',
        cross_ship_via: 'BEST',
        ship_to: '0012345',
        ship_name: 'Ann',
        ship_address1: '1 Elm St',
        ship_city: 'Boise',
        ship_state: 'ID',
        ship_zip: '01234',
        allow_backorder: true,
        hold_order: false,
        multiple_warehouse: true,
        pay_type: 'CC',
        cc_last_four: 42,
      };
      expect(bare((await send('POST', '/carts', full)).body)).toMatchObject({ po_number: po });
      expect(
        bare((await send('POST', `/carts/${path}/items`, { item_sku: 'A', quantity: 3000 })).body),
      ).toMatchObject({ sku: 'A' });
      expect((await send('POST', `/carts/${path}/items`, 'item_id=7&quantity=2')).status).toBe(200);
      expect(bare((await send('GET', `/carts/${path}`)).body)).toMatchObject({
        ship_name: 'Ann',
        items: [{}, {}],
      });
      expect((await send('POST', '/orders', { po_number: po })).status).toBe(200);
      const shown = bare((await send('GET', `/orders/${path}`)).body) as {
        order_details: { order_date: string }[];
      };
      const day = shown.order_details[0]?.order_date.replaceAll('-', '');
      expect(bare((await send('GET', `/orders?from_date=${day}&to_date=${day}`)).body)).toEqual([shown]);
      await service.clock.advance(1e9);
      expect((await send('GET', `/orders/${path}`)).status).toBe(200);
      expect((await send('POST', '/carts', `po_number=second-${envelope}&hold_order=true`)).status).toBe(200);
      expect((await send('DELETE', `/carts/second-${envelope}`)).status).toBe(200);

      // Problems are part of the document as well.
      expect((await send('POST', '/carts', { po_number: po })).status).toBe(409);
      expect((await send('DELETE', '/carts/none')).status).toBe(404);
      expect((await send('POST', '/orders', { po_number: 'none' })).status).toBe(404);
      expect((await send('GET', '/orders/none')).status).toBe(404);
      expect((await send('GET', '/orders?from_date=20200102&to_date=20200101')).status).toBe(422);
      service.faults.replace([{ kind: '503-before' }]);
      expect((await send('GET', '/orders/none')).status).toBe(503);
      service.faults.replace([]);

      // The proxy validates: it blocks a request that the service would refuse.
      const { status, body } = await send('POST', '/carts', { po_number: 'x', ship_to: 'short' });
      expect([status, body.type]).toEqual([422, expect.stringContaining('stoplight')]);
    },
  );
});

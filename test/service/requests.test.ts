import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem } from '../../src/contract/problems.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { readAudit } from '../support/read-audit.ts';
import { type Caller, callerOf, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let service: ListeningService;
let call: Caller;
beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({
    bodyLimitBytes: 2_048,
    headerLimitBytes: 4_096,
    requestTimeoutMs: 300,
    idleTimeoutMs: 3_000,
  });
  call = callerOf(service);
});
afterAll(() => services.end());

/** Sends bytes on a new connection and waits until the service ends it. */
const sendBytes = (bytes: string, options: { allowHalfOpen?: boolean } = {}) => {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), ...options });
  socket.on('error', () => undefined);
  socket.write(bytes);
  return text(socket);
};

describe('forms (spec 9)', () => {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  test('a cart and an item in the spellings that a form has', async () => {
    const created = await call(
      'POST',
      '/carts',
      form({
        po_number: 'form & co',
        allow_backorder: 'false',
        hold_order: '1',
        multiple_warehouse: 'Yes',
        proof_of_delivery: 'off',
        cc_last_four: '0042',
        ship_name: 'Jürgen Müller',
        ship_zip: '01234',
        ship_to: '',
      }),
    );
    expect(created.status).toBe(200);
    expect(
      (
        await call(
          'POST',
          '/carts/form%20%26%20co/items',
          form({ item_sku: '00501', quantity: '3', note: '' }),
        )
      ).body.sku,
    ).toBe('00501');
    expect((await call('GET', '/carts/form%20%26%20co')).body).toMatchObject({
      allow_backorder: false,
      hold_order: true,
      multiple_warehouse: true,
      proof_of_delivery: false,
      cc_last_four: 42,
      ship_name: 'Jürgen Müller',
      ship_zip: '01234',
      ship_to: null,
      items: [{ quantity: 3 }],
    });
  });

  test.each([
    ['quantity', '1.5'],
    ['quantity', '1e3'],
    ['quantity', '-1'],
    ['quantity', ''],
    ['quantity', '3 pieces'],
  ])('%s %j in a form is refused by name', async (field, value) => {
    await call('POST', '/carts', { po_number: 'bad-form' });
    const { status, body } = await call(
      'POST',
      '/carts/bad-form/items',
      form({ item_sku: 'A', [field]: value }),
    );
    expect([status, body.errors[0].field]).toEqual([422, field]);
  });

  test('an invalid boolean is refused by name', async () => {
    const { body } = await call('POST', '/carts', form({ po_number: 'x', hold_order: 'maybe' }));
    expect(body.errors[0].field).toBe('hold_order');
  });

  test('a field that occurs twice is refused, as in JSON', async () => {
    const json = { 'content-type': 'application/json' };
    for (const answer of [
      await call('POST', '/orders', 'po_number=a&po_number=b'),
      await call('POST', '/orders', '{"po_number":"a","po_\\u006eumber":"b"}', json),
    ]) {
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [{ field: 'po_number', code: 'duplicate_field', message: 'the field is given more than once' }],
      ]);
    }
    const nested = '[{"a":1,"b":{"a":[{"a":"{\\"a\\":1,\\"a\\":2}"},{"a":2}]}},{"a":1}]';
    expect((await call('POST', '/orders', nested, json)).body.errors[0].code).not.toBe('duplicate_field');
    const inside = await call('POST', '/orders', '{"po_number":"a","x":[{"y":1,"z":[],"y":2}]}', json);
    expect(inside.body.errors[0]).toMatchObject({ field: 'y', code: 'duplicate_field' });
  });
});

describe('problems (RFC 9457)', () => {
  const cases: [
    string,
    number,
    string,
    () => Promise<{ status: number; headers: Record<string, unknown>; body: unknown }>,
  ][] = [
    [
      'invalid JSON',
      400,
      'malformed',
      () => call('POST', '/carts', '{"po_number"', { 'content-type': 'application/json' }),
    ],
    [
      'a prototype in JSON',
      400,
      'malformed',
      () => call('POST', '/carts', '{"__proto__":{"a":1}}', { 'content-type': 'application/json' }),
    ],
    ['a prototype in a form', 400, 'malformed', () => call('POST', '/carts', '__proto__=1')],
    [
      'a compressed body',
      415,
      'unsupported_media_type',
      () => call('POST', '/carts', { po_number: 'gz' }, { 'content-encoding': 'gzip' }),
    ],
    ['a path without its PO number', 404, 'not_found', () => call('GET', '/orders/?from_date=20200101')],
    ['the same of a cart', 404, 'not_found', () => call('DELETE', '/carts/')],
    ['the same of its items', 404, 'not_found', () => call('POST', '/carts//items', { item_sku: 'A' })],
    ['a path that is not UTF-8', 400, 'malformed', () => call('GET', '/carts/%ff')],
    ['a path that is not percent-encoded', 400, 'malformed', () => call('GET', '/carts/%zz')],
    ['an unknown address', 404, 'not_found', () => call('GET', '/')],
    ['an address below', 404, 'not_found', () => call('GET', '/carts/a/items/b')],
    ['a wrong method', 405, 'method_not_allowed', () => call('PUT', '/carts/a')],
    [
      'a wrong method with a body of any type',
      405,
      'method_not_allowed',
      () => call('PATCH', '/orders', 'x', { 'content-type': 'text/csv' }),
    ],
    [
      'a body that is too large',
      413,
      'body_too_large',
      () => call('POST', '/carts', { po_number: 'x'.repeat(3_000) }),
    ],
    [
      'a form that is too large',
      413,
      'body_too_large',
      () => call('POST', '/carts', `po_number=${'x'.repeat(3_000)}`),
    ],
    [
      'another type',
      415,
      'unsupported_media_type',
      () => call('POST', '/carts', '<po/>', { 'content-type': 'text/xml' }),
    ],
    [
      'plain text',
      415,
      'unsupported_media_type',
      () => call('POST', '/carts', 'po', { 'content-type': 'text/plain' }),
    ],
    [
      'an invalid content type',
      415,
      'unsupported_media_type',
      () => call('POST', '/carts', 'po', { 'content-type': 'json' }),
    ],
    ['no body', 422, 'invalid', () => call('POST', '/carts')],
    [
      'a body that is no object',
      422,
      'invalid',
      () => call('POST', '/orders', '[1]', { 'content-type': 'application/json' }),
    ],
  ];
  test.each(cases)('%s is %i %s', async (_, status, code, send) => {
    const { status: answered, headers, body } = await send();
    expect([answered, problem.parse(body).type]).toEqual([status, `urn:problem:${code}`]);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(headers['api-version']).toBe('4');
    expect(JSON.stringify(body)).not.toMatch(/node_modules|<html|\.ts:/);
  });

  test('a prototype and a compressed body get sentences of their own', async () => {
    const prototype = await call('POST', '/carts', '{"a":{"__proto__":1}}', {
      'content-type': 'application/json',
    });
    expect([prototype.status, prototype.body.detail]).toEqual([400, expect.stringContaining('"__proto__"')]);
    const compressed = await call('POST', '/carts', { po_number: 'gz' }, { 'content-encoding': 'gzip' });
    expect(compressed.body.detail).toContain('Content-Encoding');
  });

  test('no refusal is larger than 16 KB', async () => {
    const { call: send } = await services.build({ bodyLimitBytes: 10_000_000 });
    const fields = Array.from({ length: 6_000 }, (_, at) => [`${'\u0001'.repeat(100)}${at}`, 1]);
    const twice = Array.from({ length: 6_000 }, (_, at) => `"${at}":1,"${at}":2`);
    const type = { 'content-type': 'application/json' };
    const bodies = [
      (await send('POST', '/carts', Object.fromEntries(fields))).body,
      (await send('POST', '/carts', `{${twice.join(',')}}`, type)).body,
      (await send('GET', `/carts/${'x'.repeat(14_000)}%ff`)).body,
      (await send('POST', '/carts', 'x', { 'content-type': `a/${'b'.repeat(14_000)}` })).body,
    ];
    for (const body of bodies) {
      expect(problem.parse(body).status).toBeGreaterThanOrEqual(400);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(16_384);
    }
    expect(bodies[0].detail).toMatch(/^\d+ more errors are not listed\.$/);
  });

  test('405 lists the allowed methods', async () => {
    expect((await call('PUT', '/carts/a')).headers.allow).toBe('GET, HEAD, DELETE');
    expect((await call('DELETE', '/orders')).headers.allow).toBe('GET, HEAD, POST');
  });

  test('the database gone: 503 with Retry-After, nothing of the database in the answer', async () => {
    const alone = await services.build();
    await services.cutOff(alone.service);
    for (const answer of [
      await alone.call('GET', '/carts/a'),
      await alone.call('POST', '/carts', { po_number: 'a' }),
      await alone.call('GET', '/orders?from_date=20200101&to_date=20200102'),
    ]) {
      expect([answer.status, answer.headers['retry-after'], answer.body.type]).toEqual([
        503,
        '1',
        'urn:problem:unavailable',
      ]);
    }
    expect((await alone.call('POST', '/carts', {})).status).toBe(422);
  });
});

describe('what every answer carries', () => {
  test('API-Version 4 and the id of the request, the client’s own where it is a plain word (spec 9)', async () => {
    const own = await call('GET', '/carts/a', undefined, { 'x-request-id': 'order-17.a_B' });
    expect([own.headers['api-version'], own.headers['x-request-id']]).toEqual(['4', 'order-17.a_B']);
    const other = await call('GET', '/carts/a', undefined, { 'x-request-id': 'x'.repeat(65) });
    expect(other.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('HEAD answers as GET does, without a body', async () => {
    await call('POST', '/carts', { po_number: 'head' });
    expect(await call('HEAD', '/carts/head')).toMatchObject({ status: 200, body: '' });
    expect((await call('HEAD', '/orders/head')).status).toBe(404);
  });

  test('an announced type without a body is no mistake', async () => {
    const type = { 'content-type': 'application/json' };
    expect((await call('DELETE', '/carts/nobody', undefined, type)).status).toBe(404);
    expect((await call('GET', '/carts/nobody', undefined, { 'content-type': 'text/plain' })).status).toBe(
      404,
    );
  });

  test('what was refused is in the audit log, with its id and no body', async () => {
    await call(
      'POST',
      '/carts',
      { po_number: 'refused', ship_to: 'secret' },
      { 'x-request-id': 'refused-1' },
    );
    const [entry] = await readAudit(services.pool, { poNumber: 'refused' });
    expect(entry).toMatchObject({
      requestId: 'refused-1',
      endpoint: 'createCart',
      outcome: 'refused',
      status: 422,
      detail: { code: 'invalid' },
    });
    expect(JSON.stringify(entry)).not.toContain('secret');
  });
});

describe('slow, half-open and oversized clients', () => {
  test('a head that never ends is answered 408 and cut off', async () => {
    expect(await sendBytes('GET /carts/a HTTP/1.1\r\nHost: localhost\r\n')).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*urn:problem:request_timeout/,
    );
  });

  test('a body that never ends is answered 408 and cut off', async () => {
    const answer = await sendBytes(
      'POST /carts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"po',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a connection on which nothing is sent is cut off', async () => {
    expect(await sendBytes('')).not.toContain('200');
  });

  test('a half-open client is cut off', async () => {
    expect(
      await sendBytes('GET /carts/a HTTP/1.1\r\nHost: localhost\r\n', { allowHalfOpen: true }),
    ).toContain(' 408 ');
  });

  test('a head that is too large is answered 431', async () => {
    expect(
      await sendBytes(`GET /carts/a HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(5_000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 431 [\s\S]*head_too_large/);
  });

  test('bytes that are no HTTP are answered 400', async () => {
    expect(await sendBytes('\x16\x03\x01\x02\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*urn:problem:malformed/,
    );
  });

  test.each([
    ['no Host', 400, 'malformed', 'GET /carts/a HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'an expectation',
      417,
      'expectation_failed',
      'GET /carts/a HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n',
    ],
    ['no HTTP', 400, 'malformed', 'hello\r\n\r\n'],
  ])('%s is answered with %i and a problem document with its request id', async (_, status, code, bytes) => {
    const [head, body] = (await sendBytes(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/^content-type: application\/problem\+json/im);
    expect(head).toMatch(/^api-version: 4/im);
    const id = /^x-request-id: (.+)$/im.exec(head!)?.[1];
    expect(problem.parse(JSON.parse(body!))).toMatchObject({
      type: `urn:problem:${code}`,
      instance: `urn:request:${id}`,
    });
  });

  test('a whole request is served between all that', async () => {
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      request(`${service.url}/carts/nobody`, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(answered).toBe(404);
  });
});

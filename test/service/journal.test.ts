import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/service/control/journal.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { type Caller, callerOf, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let service: ListeningService;
let call: Caller;
beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({ admin: true, bodyLimitBytes: 20_000 });
  call = callerOf(service);
});
beforeEach(async () => {
  await call('POST', '/admin/reset');
});
afterAll(() => services.end());

const last = (): JournalEntry => service.control.journal.list().at(-1)!;
const bodyOf = ({ body, bodyBytes, bodyCut }: JournalEntry) => ({ body, bodyBytes, bodyCut });
const json = { 'content-type': 'application/json' };

describe('the body of a request', () => {
  test.each<[string, string, string, unknown]>([
    ['JSON', 'application/json', '{"po_number":"J","colour":"red"}', { po_number: 'J', colour: 'red' }],
    [
      'a form',
      'application/x-www-form-urlencoded',
      'po_number=J&hold_order=yes',
      { po_number: 'J', hold_order: 'yes' },
    ],
    ['JSON null', 'application/json', 'null', null],
    ['broken JSON', 'application/json', '{"po_number":"J"', '{"po_number":"J"'],
    ['a broken form', 'application/x-www-form-urlencoded', 'po_number=%zz', 'po_number=%zz'],
    ['plain text', 'text/plain', 'PO J, two of A', 'PO J, two of A'],
    ['XML', 'application/xml; charset=utf-8', '<po>J ü</po>', '<po>J ü</po>'],
  ])('%s is kept as it was sent', async (_, type, payload, body) => {
    await call('POST', '/carts', payload, { 'content-type': type });
    expect(bodyOf(last())).toEqual({ body, bodyBytes: Buffer.byteLength(payload), bodyCut: false });
  });

  test('without the fields that the service drops or converts, it would not show what was sent', async () => {
    const loose = await services.build({ admin: true, input: 'lenient' });
    await loose.call('POST', '/carts', { po_number: 'J', colour: 'red', email: null });
    expect(loose.service.control.journal.list().at(-1)!.body).toEqual({
      po_number: 'J',
      colour: 'red',
      email: null,
    });
  });

  test.each([
    ['JSON', 'application/json', `{"po_number":"J","comment1":"${'ü'.repeat(3_000)}"}`],
    ['broken JSON', 'application/json', `{"${'x'.repeat(5_000)}`],
    ['text', 'text/plain', `x${'ü'.repeat(4_000)}`],
    ['a form', 'application/x-www-form-urlencoded', `po_number=J&comment1=${'x'.repeat(5_000)}`],
  ])(
    '%s of more than 4 KB is its beginning as text, marked as cut, with its whole size',
    async (_, type, payload) => {
      await call('POST', '/carts', payload, { 'content-type': type });
      const { body, bodyBytes, bodyCut } = last();
      expect([bodyBytes, bodyCut]).toEqual([Buffer.byteLength(payload), true]);
      expect(payload.startsWith(body as string)).toBe(true);
      expect(4_096 - Buffer.byteLength(body as string)).toBeLessThan(2);
    },
  );

  test('of 4 KB it is whole', async () => {
    const payload = `{"po_number":"${'x'.repeat(4_096 - 16)}"}`;
    await call('POST', '/carts', payload, json);
    expect(bodyOf(last())).toEqual({ body: JSON.parse(payload), bodyBytes: 4_096, bodyCut: false });
  });

  test('that was not read is said to be missing, with the size that was announced', async () => {
    await call('POST', '/carts', `{"po_number":"${'x'.repeat(30_000)}"}`, json);
    expect([last().status, bodyOf(last())]).toEqual([413, { body: null, bodyBytes: 30_016, bodyCut: true }]);
    await call('POST', '/carts', '{"po_number":"J"}', { ...json, 'content-encoding': 'gzip' });
    expect([last().status, bodyOf(last())]).toEqual([415, { body: null, bodyBytes: 17, bodyCut: true }]);
    await call('POST', '/carts', '{"po_number":"J"}', { ...json, host: 'evil.example' });
    expect([last().status, bodyOf(last())]).toEqual([403, { body: null, bodyBytes: 17, bodyCut: true }]);
  });

  test('sent in pieces has no announced size, and is read and cut like any other', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const payload = `{"po_number":"J","comment1":"${'x'.repeat(5_000)}"}`;
    socket.write(
      `POST /carts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${payload.length.toString(16)}\r\n${payload}\r\n0\r\n\r\n`,
    );
    await text(socket);
    expect(bodyOf(last())).toEqual({
      body: payload.slice(0, 4_096),
      bodyBytes: payload.length,
      bodyCut: true,
    });
  });

  test('that does not exist is null, and nothing was cut', async () => {
    await call('GET', '/carts/J');
    expect(bodyOf(last())).toEqual({ body: null, bodyBytes: 0, bodyCut: false });
  });
});

describe('an entry bears the real time of its arrival, whatever the clock shows', () => {
  test.each([
    ['frozen in the past', { freeze: true, set: '2001-02-03T04:05:06Z' }],
    ['set to the future', { set: '2901-02-03T04:05:06Z' }],
    ['running fast', { speed: 1e6 }],
  ])('%s: the filters by time find it', async (_, change) => {
    await call('POST', '/admin/clock', change);
    const before = new Date();
    await call('GET', '/carts/first');
    const { at } = last();
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before.getTime());
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(at));
    const between = new Date();
    await call('GET', '/carts/second');
    const found = async (query: string) =>
      (await call('GET', `/admin/journal?${query}`)).body.map((entry: JournalEntry) => entry.poNumber);
    expect(await found(`since=${before.toISOString()}`)).toEqual(['first', 'second']);
    expect(await found(`since=${between.toISOString()}`)).toEqual(['second']);
    expect(await found(`until=${at}`)).toEqual(['first']);
    expect(await found(`until=${new Date(before.getTime() - 1).toISOString()}`)).toEqual([]);
  });
});

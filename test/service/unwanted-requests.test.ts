import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service/build-service.ts';
import { type Caller, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let service: Service;
let call: Caller;
beforeAll(async () => {
  services = await servicesOfTest();
  ({ service, call } = await services.build());
});
afterAll(() => services.end());

describe('text that is not UTF-8 (spec 9)', () => {
  const json = 'application/json';
  const asForm = 'application/x-www-form-urlencoded';
  const post = async (type: string, body: Buffer | string) => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/carts',
      headers: { 'content-type': type },
      payload: body,
    });
    return { status: response.statusCode, body: response.json() };
  };
  const latin1 = (text: string) => Buffer.from(text, 'latin1');

  test.each<[string, number, string, Buffer | string]>([
    ['a byte of Latin-1 in JSON', 400, json, latin1('{"po_number":"M\u00fc-7"}')],
    ['another one, which must not be the same PO number', 400, json, latin1('{"po_number":"M\u00e4-7"}')],
    ['a byte of Latin-1 in a form', 400, asForm, latin1('po_number=M\u00fc-7')],
    ['an encoded byte of Latin-1 in a form', 400, asForm, 'po_number=M%FC-7'],
    ['a percent sign without a number in a form', 400, asForm, 'po_number=M%zz'],
    ['a cut percent code in the name of a field', 400, asForm, 'po_number=a&x%=1'],
    ['the announcement of another charset', 415, `${json}; charset=iso-8859-1`, '{"po_number":"M-8"}'],
    ['the same of a form', 415, `${asForm};charset="windows-1252"`, 'po_number=M-8'],
  ])('%s is refused with a sentence, and nothing is stored', async (_, status, type, body) => {
    const answer = await post(type, body);
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining('UTF-8')]);
    const { rows } = await services.pool.query(
      "select po_number from dealer_service.carts where po_number like 'M%'",
    );
    expect(rows).toEqual([]);
  });

  test.each([
    [`${json}; charset=UTF-8`, '{"po_number":"Mü-9"}', 'Mü-9'],
    [`${json};charset=us-ascii`, '\ufeff{"po_number":"byte order mark"}', 'byte order mark'],
    [asForm, 'po_number=Mü+%C3%BC%2B&&ship_to=', 'Mü ü+'],
  ])('%s is read', async (type, body, po) => {
    expect((await post(type, body)).body.po_number).toBe(po);
  });
});

describe('a service without dealers', () => {
  test.each([
    ['a name that resolves to loopback', { host: 'evil.example:8480' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page on another port', { host: 'localhost:8480', origin: 'http://localhost:3000' }],
    ['a request from another site without Origin', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_, headers) => {
    const answer = await call('POST', '/carts', { po_number: 'foreign' }, headers as Record<string, string>);
    expect([answer.status, answer.body.type]).toEqual([403, 'urn:problem:forbidden']);
    expect((await call('GET', '/carts/foreign')).status).toBe(404);
  });

  test.each([
    [
      'its own page',
      { host: '127.0.0.1:8480', origin: 'http://127.0.0.1:8480', 'sec-fetch-site': 'same-origin' },
    ],
    ['the IPv6 loopback', { host: '[::1]:8480' }],
    [
      'an opened link',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
  ])('answers %s', async (_, headers) => {
    expect((await call('GET', '/carts/nobody', undefined, headers as Record<string, string>)).status).toBe(
      404,
    );
  });

  test('a service with dealers answers under every name', async () => {
    const { dealer, auth } = services.newDealer();
    const { call: send } = await services.build({ dealers: [dealer] });
    const headers = { ...auth, host: 'orders.example', origin: 'https://shop.example' };
    expect((await send('GET', '/carts/nobody', undefined, headers)).status).toBe(404);
  });
});

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem } from '../../src/contract/problems.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let service: ListeningService;
const { dealer, auth } = { dealer: { name: 'north', token: 'n' }, auth: 'Authorization: Bearer n' };
beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({ admin: true });
});
afterAll(() => services.end());

/** Sends a request as these lines and reads the whole answer. */
const send = async (lines: string[], to = service) => {
  const { hostname, port } = new URL(to.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  const [head, body] = (await text(socket)).split('\r\n\r\n');
  return { head: head!, body: body === '' ? undefined : JSON.parse(body!) };
};

const expectProblem = ({ head, body }: { head: string; body: unknown }, status: number, code: string) => {
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  expect(head).toMatch(/^api-version: 4/im);
  const id = /^x-request-id: (.+)$/im.exec(head)?.[1];
  expect(problem.parse(body)).toMatchObject({ type: `urn:problem:${code}`, instance: `urn:request:${id}` });
};

describe('a request whose head is unclear is answered 400', () => {
  test.each([
    ['two Host headers', ['GET /carts/a HTTP/1.1', 'Host: localhost', 'Host: evil.example'], 'Host'],
    ['the same one twice', ['GET /carts/a HTTP/1.1', 'Host: localhost', 'host: localhost'], 'host'],
    [
      'two Authorization headers',
      ['GET /carts/a HTTP/1.1', 'Host: localhost', 'Authorization: Bearer a', 'Authorization: Bearer b'],
      'Authorization',
    ],
    [
      'two content types',
      [
        'POST /carts HTTP/1.1',
        'Host: localhost',
        'Content-Type: text/csv',
        'Content-Type: application/json',
        'Content-Length: 0',
      ],
      'Content-Type',
    ],
    ['an address of another scheme', ['GET ftp://localhost/carts/a HTTP/1.1', 'Host: localhost'], 'path'],
    ['a number sign', ['GET /carts/a#b HTTP/1.1', 'Host: localhost'], '%23'],
  ])('%s', async (_, lines, named) => {
    const answer = await send(lines);
    expectProblem(answer, 400, 'malformed');
    expect(answer.body.detail).toContain(named);
  });
});

test('CONNECT is answered with a problem document and the request’s own id', async () => {
  const answer = await send(['CONNECT localhost:80 HTTP/1.1', 'Host: localhost', 'X-Request-Id: my-own']);
  expectProblem(answer, 405, 'method_not_allowed');
  expect(answer.head).toMatch(/^x-request-id: my-own$/im);
  expect(answer.head).toMatch(/^allow: GET/im);
});

test.each(['TRACE', 'PROPFIND', 'PATCH'])('the method %s is answered 405', async (method) => {
  expectProblem(await send([`${method} /carts/a HTTP/1.1`, 'Host: localhost']), 405, 'method_not_allowed');
});

describe('a request target that is a whole address (RFC 9112, 3.2.2)', () => {
  test('is served by its path and query', async () => {
    const po = 'absolute';
    await service.control.seed([{ po_number: po }]);
    const shown = await send([`GET http://localhost/carts/${po}?x=1 HTTP/1.1`, 'Host: localhost']);
    expect([shown.head.slice(0, 12), shown.body.po_number]).toEqual(['HTTP/1.1 200', po]);
    expect((await send(['GET HTTP://localhost HTTP/1.1', 'Host: localhost'])).body.status).toBe(404);
    expectProblem(
      await send(['PUT http://localhost/carts/a HTTP/1.1', 'Host: localhost']),
      405,
      'method_not_allowed',
    );
    expectProblem(
      await send(['GET http://localhost/orders?x=%zz HTTP/1.1', 'Host: localhost']),
      400,
      'malformed',
    );
    expect(service.control.journal.list({ poNumber: po }).map(({ path }) => path)).toEqual([
      `/carts/${po}?x=1`,
    ]);
  });

  test('counts as the host, whatever the Host header says', async () => {
    expectProblem(
      await send(['GET http://evil.example/carts/a HTTP/1.1', 'Host: localhost']),
      403,
      'forbidden',
    );
    expectProblem(
      await send(['GET http://evil.example/admin/clock HTTP/1.1', 'Host: localhost']),
      403,
      'forbidden',
    );
    const own = await send(['GET http://localhost/admin/clock HTTP/1.1', 'Host: evil.example']);
    expect(own.body).toHaveProperty('clockMs');
  });

  test('does not hide a call of /admin from its check, nor show it in the journal', async () => {
    const open = await services.listen({ dealers: [dealer], admin: true, adminToken: 'let-me' });
    const lines = ['GET http://localhost/admin/clock HTTP/1.1', 'Host: localhost', auth];
    expectProblem(await send(lines, open), 403, 'forbidden');
    expect(open.control.journal.list()).toEqual([]);
  });
});

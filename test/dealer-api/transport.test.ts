import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Gate } from '../../src/dealer-api/answers.ts';
import type { ApiOptions } from '../../src/dealer-api/options.ts';
import { type Call, createTransport, type Throttle } from '../../src/dealer-api/transport.ts';
import { answers, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const unlimited: Throttle = { enter: async () => () => {} };
const transports: ReturnType<typeof createTransport>[] = [];
let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
});
afterEach(() => {
  for (const transport of transports.splice(0)) transport.stop();
});
afterAll(() => server.stop());

const transport = (over: Partial<ApiOptions> = {}, throttle = unlimited) => {
  const made = createTransport(
    {
      baseUrl: server.url,
      auth: { kind: 'none' },
      secret: undefined,
      requestFormat: 'json',
      dateRangeIn: 'query',
      requestTimeoutMs: 10_000,
      maxAnswerBytes: 32 * 1024 * 1024,
      ...over,
    },
    throttle,
  );
  transports.push(made);
  return made;
};

const readFine = (body: unknown) => (body as { fine?: string }).fine;
const post = (over: Partial<Call<string>> = {}): Call<string> => ({
  method: 'POST',
  path: '/carts',
  body: { po_number: 'PO-1' },
  read: readFine,
  ...over,
});
const get: Call<string> = { method: 'GET', path: '/orders/1', read: readFine };
const fine = answers(200, '{"fine":"yes"}');

describe('what became of a call', () => {
  test('a readable 2xx is ok', async () => {
    server.script = answers(201, '{"fine":"yes"}');
    expect(await transport().send(post())).toEqual({ kind: 'ok', value: 'yes' });
  });

  test.each([
    [200, '', 'empty'],
    [204, '', 'without a body'],
    [200, '{"fine":"y', 'cut off'],
    [200, '{"other":1}', 'without what was asked for'],
    [200, 'OK', 'not JSON'],
    [200, 'null', 'null'],
  ])('%s %j (%s) is unknown: it may have acted', async (status, body) => {
    server.script = answers(status, body);
    expect(await transport().send(post())).toMatchObject({ kind: 'unknown' });
  });

  test('where any 2xx will do, an empty one is ok', async () => {
    server.script = answers(204);
    const call = { method: 'DELETE', path: '/carts/1', read: () => undefined, needsBody: false } as const;
    expect(await transport().send(call)).toEqual({ kind: 'ok', value: undefined });
  });

  test.each([
    [400, 'refused'],
    [401, 'denied'],
    [402, 'refused'],
    [403, 'denied'],
    [404, 'not_found'],
    [405, 'unsupported'],
    [407, 'denied'],
    [408, 'unknown'],
    [409, 'conflict'],
    [413, 'refused'],
    [415, 'unsupported'],
    [422, 'refused'],
    [425, 'unknown'],
    [429, 'limited'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'unknown'],
    [504, 'unknown'],
    [301, 'misdirected'],
    [302, 'misdirected'],
    [307, 'misdirected'],
    [308, 'misdirected'],
  ])('%s is %s', async (status, kind) => {
    server.script = answers(status, '{"detail":"its words"}', {
      'content-type': 'application/json',
      location: `${server.url}/elsewhere`,
    });
    expect(await transport().send(post())).toMatchObject({ kind });
  });

  test('a redirect is not followed', async () => {
    server.received.length = 0;
    server.script = answers(307, '', { location: `${server.url}/elsewhere` });
    await transport().send(post());
    expect(server.received.map(({ url }) => url)).toEqual(['/carts']);
  });

  test.each([
    [200, { 'content-type': 'text/html' }, '<p>Sign in</p>'],
    [200, { 'content-type': 'application/json' }, ' <!DOCTYPE html><title>x</title>'],
    [404, { 'content-type': 'text/html; charset=utf-8' }, '<html></html>'],
    [200, {}, '<html></html>'],
  ])('a web page is misdirected, whatever its status (%s)', async (status, headers, body) => {
    server.script = answers(status, body, headers as Record<string, string>);
    expect(await transport().send(post())).toMatchObject({ kind: 'misdirected' });
  });

  test('5xx with a web page is unknown all the same', async () => {
    server.script = answers(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' });
    expect(await transport().send(post())).toMatchObject({ kind: 'unknown' });
  });

  test("a refusal carries the service's words", async () => {
    server.script = answers(422, '{"errors":[{"field":"quantity","message":"too many"}]}');
    expect(await transport().send(post())).toEqual({
      kind: 'refused',
      status: 422,
      message: 'answered 422: quantity: too many',
    });
  });

  test('texts that no database can hold are mended, and other characters stay', async () => {
    server.script = answers(200, '{"fine":"a\\u0000b\\ud83dc\\u00e9\\ud83d\\ude00"}');
    expect(await transport().send(post())).toEqual({ kind: 'ok', value: 'ab\ufffdcé😀' });
  });
});

describe('429', () => {
  const limited = async (retryAfter?: string) => {
    server.script = answers(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    const result = await transport().send(get);
    return result.kind === 'limited' ? result.waitMs : 'not limited';
  };

  test('waits for the seconds that the service says', async () => {
    expect(await limited('7')).toBe(7000);
  });

  test('waits until the date that the service says', async () => {
    const waitMs = await limited(new Date(Date.now() + 120_000).toUTCString());
    expect(waitMs).toBeGreaterThan(60_000);
    expect(waitMs).toBeLessThanOrEqual(120_000);
  });

  test('says nothing of a wait that it was not told or cannot read', async () => {
    expect(await limited()).toBeUndefined();
    expect(await limited('soon')).toBeUndefined();
  });
});

describe('a call that broke', () => {
  test('reset before the answer is unknown', async () => {
    server.script = (_, socket) => socket.resetAndDestroy();
    expect(await transport().send(post())).toMatchObject({ kind: 'unknown' });
  });

  test('closed without an answer is unknown', async () => {
    server.script = (_, socket) => socket.end();
    expect(await transport().send(post())).toMatchObject({ kind: 'unknown' });
  });

  test('reset in the middle of the answer is unknown', async () => {
    server.script = (answer, socket) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      answer.write('{"fine":"yes"', () => socket.resetAndDestroy());
    };
    expect(await transport().send(post())).toMatchObject({ kind: 'unknown' });
  });

  test('something that is not HTTP is unknown', async () => {
    server.script = (_, socket) => socket.end('220 mail.example ESMTP\r\n');
    expect(await transport().send(post())).toMatchObject({ kind: 'unknown' });
  });

  test('no answer within the timeout is unknown', async () => {
    server.script = () => {};
    expect(await transport({ requestTimeoutMs: 100 }).send(post())).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('100ms'),
    });
  });

  test('an answer that does not end within the timeout is unknown', async () => {
    server.script = (answer) => answer.writeHead(200).write('{"fine":');
    expect(await transport({ requestTimeoutMs: 100 }).send(post())).toMatchObject({ kind: 'unknown' });
  });

  test('a kept-alive connection that the service closed under the request is unknown', async () => {
    const kept = transport();
    server.script = fine;
    expect(await kept.send(post())).toMatchObject({ kind: 'ok' });
    server.script = (_, socket) => socket.resetAndDestroy();
    expect(await kept.send(post())).toMatchObject({ kind: 'unknown' });
  });

  test('a call is never repeated', async () => {
    server.received.length = 0;
    server.script = (_, socket) => socket.resetAndDestroy();
    await transport().send({ method: 'DELETE', path: '/carts/1', read: () => undefined, needsBody: false });
    await transport().send(get);
    expect(server.received).toHaveLength(2);
  });
});

describe('a call that certainly was not sent', () => {
  test('a refused connection', async () => {
    const closed = net.createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await transport({ baseUrl: `http://${host}:${port}` }).send(post())).toMatchObject({
        kind: 'not_sent',
        message: expect.stringMatching(/ECONNREFUSED/),
      });
    }
  });

  test('a name that does not exist', async () => {
    expect(await transport({ baseUrl: 'http://no-such-host.invalid' }).send(post())).toMatchObject({
      kind: 'not_sent',
    });
  });

  test('a door that speaks no TLS', async () => {
    server.script = fine;
    const before = server.received.length;
    const baseUrl = server.url.replace('http:', 'https:');
    expect(await transport({ baseUrl }).send(post())).toMatchObject({ kind: 'not_sent' });
    expect(server.received).toHaveLength(before);
  });

  test('a connection that is accepted and never secured; then the gate is not even asked', async () => {
    const silent = net.createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    let asked = 0;
    const gate = () => {
      asked += 1;
      return true;
    };
    const slow = transport({ baseUrl: `https://127.0.0.1:${port}`, requestTimeoutMs: 100 });
    expect(await slow.send(post({ gate }))).toMatchObject({ kind: 'not_sent' });
    expect(asked).toBe(0);
    slow.stop();
    silent.close();
    await once(silent, 'close');
  });
});

describe('the gate', () => {
  const refusing = async (gate: Gate, over: Partial<ApiOptions> = {}) => {
    server.script = fine;
    const before = server.received.length;
    const result = await transport(over).send(post({ gate }));
    return { result, sent: server.received.length - before };
  };

  test('that says no keeps the call from being sent', async () => {
    expect(await refusing(() => false)).toMatchObject({ result: { kind: 'not_sent' }, sent: 0 });
  });

  test('that says yes lets it go', async () => {
    expect(await refusing(() => true)).toMatchObject({ result: { kind: 'ok' }, sent: 1 });
  });

  test('is asked after the wait for a free place', async () => {
    let open = true;
    const waits: Throttle = {
      enter: async () => {
        open = false;
        return () => {};
      },
    };
    server.script = fine;
    const before = server.received.length;
    expect(await transport({}, waits).send(post({ gate: () => open }))).toMatchObject({ kind: 'not_sent' });
    expect(server.received).toHaveLength(before);
  });

  test('that said no leaves a connection on which the next call goes', async () => {
    server.script = fine;
    const kept = transport();
    await kept.send(post({ gate: () => false }));
    expect(await kept.send(post())).toMatchObject({ kind: 'ok' });
  });
});

test('every call gives its place back, whatever became of it', async () => {
  let taken = 0;
  const counting: Throttle = {
    enter: async () => {
      taken += 1;
      return () => {
        taken -= 1;
      };
    },
  };
  const made = transport({ requestTimeoutMs: 100 }, counting);
  server.script = fine;
  await made.send(post());
  await made.send(post({ gate: () => false }));
  server.script = (_, socket) => socket.resetAndDestroy();
  await made.send(post());
  server.script = () => {};
  await made.send(post());
  expect(taken).toBe(0);
});

describe('secrets', () => {
  const secret = 'p@ss/word+1';
  const kinds: ApiOptions['auth'][] = [
    { kind: 'bearer', secretEnv: 'S' },
    { kind: 'basic', user: 'dealer', secretEnv: 'S' },
    { kind: 'header', name: 'X-Api-Key', secretEnv: 'S' },
    { kind: 'query', name: 'key', secretEnv: 'S' },
  ];
  const encoded = (text: string) => Buffer.from(text).toString('base64');

  test.each(kinds)('$kind: never in a message, though the service repeats it', async (auth) => {
    const forms = [
      secret,
      encodeURIComponent(secret),
      ...(auth.kind === 'basic' ? [encoded(`dealer:${secret}`)] : []),
    ];
    const made = transport({ auth, secret });
    server.script = answers(401, JSON.stringify({ detail: `you sent ${forms.join(' and ')}` }));
    const repeated = await made.send(post());
    expect(repeated).toMatchObject({ kind: 'denied', message: expect.stringContaining('you sent [secret]') });
    server.script = (_, socket) => socket.resetAndDestroy();
    const messages = JSON.stringify([repeated, await made.send(post())]);
    for (const form of forms) expect(messages).not.toContain(form);
  });

  test('each kind of authorisation is sent as it is meant', async () => {
    server.script = fine;
    const received = async (auth: ApiOptions['auth']) => {
      const arrived = server.next();
      await transport({ auth, secret: 's3cret' }).send(get);
      return arrived;
    };
    expect((await received(kinds[0]!)).headers.authorization).toBe('Bearer s3cret');
    expect((await received(kinds[1]!)).headers.authorization).toBe(`Basic ${encoded('dealer:s3cret')}`);
    expect((await received(kinds[2]!)).headers['x-api-key']).toBe('s3cret');
    expect((await received(kinds[3]!)).url).toBe('/orders/1?key=s3cret');
  });
});

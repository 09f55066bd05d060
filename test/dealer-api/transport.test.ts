import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Gate } from '../../src/dealer-api/answers.ts';
import type { ApiOptions } from '../../src/dealer-api/options.ts';
import type { Throttle } from '../../src/dealer-api/transport.ts';
import { answers } from './scripted-server.ts';
import { get, post, useTransport } from './use-transport.ts';

const scripted = useTransport();
const { transport } = scripted;
const fine = answers(200, '{"fine":"yes"}');

describe('the outcome of a call', () => {
  test('a readable 2xx is ok', async () => {
    scripted.server.script = answers(201, '{"fine":"yes"}');
    expect(await transport().send(post)).toEqual({ kind: 'ok', value: 'yes' });
  });

  test.each([
    [200, '', 'empty'],
    [204, '', 'without a body'],
    [200, '{"fine":"y', 'cut off'],
    [200, '{"other":1}', 'without what was asked for'],
    [200, 'OK', 'not JSON'],
    [200, 'null', 'null'],
  ])('%s %j (%s) is unknown: it may have acted', async (status, body) => {
    scripted.server.script = answers(status, body);
    expect(await transport().send(post)).toMatchObject({ kind: 'unknown' });
  });

  test('an empty 2xx is ok where no body is needed', async () => {
    scripted.server.script = answers(204);
    const call = {
      name: 'deleteCart',
      method: 'DELETE',
      path: '/carts/1',
      read: () => undefined,
      needsBody: false,
    } as const;
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
    scripted.server.script = answers(status, '{"detail":"its words"}', {
      'content-type': 'application/json',
      location: `${scripted.server.url}/elsewhere`,
    });
    expect(await transport().send(post)).toMatchObject({ kind });
  });

  test('a redirect is not followed', async () => {
    scripted.server.received.length = 0;
    scripted.server.script = answers(307, '', { location: `${scripted.server.url}/elsewhere` });
    await transport().send(post);
    expect(scripted.server.received.map(({ url }) => url)).toEqual(['/carts']);
  });

  test.each([
    [200, { 'content-type': 'text/html' }, '<p>Sign in</p>'],
    [200, { 'content-type': 'application/json' }, ' <!DOCTYPE html><title>x</title>'],
    [404, { 'content-type': 'text/html; charset=utf-8' }, '<html></html>'],
    [200, {}, '<html></html>'],
  ])('a web page is misdirected at any status (%s)', async (status, headers, body) => {
    scripted.server.script = answers(status, body, headers as Record<string, string>);
    expect(await transport().send(post)).toMatchObject({ kind: 'misdirected' });
  });

  test('5xx with a web page is unknown', async () => {
    scripted.server.script = answers(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' });
    expect(await transport().send(post)).toMatchObject({ kind: 'unknown' });
  });

  test("a refusal contains the service's message", async () => {
    scripted.server.script = answers(422, '{"errors":[{"field":"quantity","message":"too many"}]}');
    expect(await transport().send(post)).toEqual({
      kind: 'refused',
      status: 422,
      message: 'answered 422: quantity: too many',
    });
  });

  test('characters that no database can store are replaced, all others are kept', async () => {
    scripted.server.script = answers(200, '{"fine":"a\\u0000b\\ud83dc\\u00e9\\ud83d\\ude00"}');
    expect(await transport().send(post)).toEqual({ kind: 'ok', value: 'ab\ufffdcé😀' });
  });
});

describe('429', () => {
  const limited = async (retryAfter?: string) => {
    scripted.server.script = answers(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    const result = await transport().send(get);
    return result.kind === 'limited' ? result.waitMs : 'not limited';
  };

  test('waits for the seconds that the service sent', async () => {
    expect(await limited('7')).toBe(7000);
  });

  test('waits until the date that the service sent', async () => {
    const waitMs = await limited(new Date(Date.now() + 120_000).toUTCString());
    expect(waitMs).toBeGreaterThan(60_000);
    expect(waitMs).toBeLessThanOrEqual(120_000);
  });

  test('has no wait when the header is missing or unreadable', async () => {
    expect(await limited()).toBeUndefined();
    expect(await limited('soon')).toBeUndefined();
  });
});

describe('an interrupted call', () => {
  test('reset before the answer is unknown', async () => {
    scripted.server.script = (_, socket) => socket.resetAndDestroy();
    expect(await transport().send(post)).toMatchObject({ kind: 'unknown' });
  });

  test('closed without an answer is unknown', async () => {
    scripted.server.script = (_, socket) => socket.end();
    expect(await transport().send(post)).toMatchObject({ kind: 'unknown' });
  });

  test('reset in the middle of the answer is unknown', async () => {
    scripted.server.script = (answer, socket) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      answer.write('{"fine":"yes"', () => socket.resetAndDestroy());
    };
    expect(await transport().send(post)).toMatchObject({ kind: 'unknown' });
  });

  test('answered with something that is not HTTP is unknown', async () => {
    scripted.server.script = (_, socket) => socket.end('220 mail.example ESMTP\r\n');
    expect(await transport().send(post)).toMatchObject({ kind: 'unknown' });
  });

  test('without an answer within the timeout is unknown', async () => {
    scripted.server.script = () => {};
    expect(await transport({ requestTimeoutMs: 100 }).send(post)).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('100ms'),
    });
  });

  test('whose answer does not end within the timeout is unknown', async () => {
    scripted.server.script = (answer) => answer.writeHead(200).write('{"fine":');
    expect(await transport({ requestTimeoutMs: 100 }).send(post)).toMatchObject({ kind: 'unknown' });
  });

  test('on a kept-alive connection that the service closes during the request is unknown', async () => {
    const kept = transport();
    scripted.server.script = fine;
    expect(await kept.send(post)).toMatchObject({ kind: 'ok' });
    scripted.server.script = (_, socket) => socket.resetAndDestroy();
    expect(await kept.send(post)).toMatchObject({ kind: 'unknown' });
  });

  test('is never repeated', async () => {
    scripted.server.received.length = 0;
    scripted.server.script = (_, socket) => socket.resetAndDestroy();
    await transport().send({
      name: 'deleteCart',
      method: 'DELETE',
      path: '/carts/1',
      read: () => undefined,
      needsBody: false,
    });
    await transport().send(get);
    expect(scripted.server.received).toHaveLength(2);
  });
});

describe('a call is known not to have been sent', () => {
  test('after a refused connection', async () => {
    const closed = net.createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await transport({ baseUrl: `http://${host}:${port}` }).send(post)).toMatchObject({
        kind: 'not_sent',
        message: `cannot connect to http://${host}:${port} (connection refused)`,
      });
    }
  });

  test('if the host name does not exist', async () => {
    expect(await transport({ baseUrl: 'http://no-such-host.invalid' }).send(post)).toMatchObject({
      kind: 'not_sent',
    });
  });

  test('if the server does not speak TLS', async () => {
    scripted.server.script = fine;
    const before = scripted.server.received.length;
    const baseUrl = scripted.server.url.replace('http:', 'https:');
    expect(await transport({ baseUrl }).send(post)).toMatchObject({ kind: 'not_sent' });
    expect(scripted.server.received).toHaveLength(before);
  });

  test('if the TLS handshake never completes; the gate is not asked then', async () => {
    const silent = net.createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    let asked = 0;
    const gate = () => {
      asked += 1;
      return true;
    };
    const slow = transport({ baseUrl: `https://127.0.0.1:${port}`, requestTimeoutMs: 100 });
    expect(await slow.send({ ...post, gate })).toMatchObject({ kind: 'not_sent' });
    expect(asked).toBe(0);
    slow.stop();
    silent.close();
    await once(silent, 'close');
  });
});

describe('the gate', () => {
  const refusing = async (gate: Gate, over: Partial<ApiOptions> = {}) => {
    scripted.server.script = fine;
    const before = scripted.server.received.length;
    const result = await transport(over).send({ ...post, gate });
    return { result, sent: scripted.server.received.length - before };
  };

  test('that refuses prevents the call', async () => {
    expect(await refusing(() => false)).toMatchObject({ result: { kind: 'not_sent' }, sent: 0 });
  });

  test('that admits lets the call through', async () => {
    expect(await refusing(() => true)).toMatchObject({ result: { kind: 'ok' }, sent: 1 });
  });

  test('is asked after the wait for a free slot', async () => {
    let open = true;
    const waits: Throttle = {
      enter: async () => {
        open = false;
        return () => {};
      },
    };
    scripted.server.script = fine;
    const before = scripted.server.received.length;
    expect(await transport({}, waits).send({ ...post, gate: () => open })).toMatchObject({
      kind: 'not_sent',
    });
    expect(scripted.server.received).toHaveLength(before);
  });

  test('that refuses leaves the connection usable for the next call', async () => {
    scripted.server.script = fine;
    const kept = transport();
    await kept.send({ ...post, gate: () => false });
    expect(await kept.send(post)).toMatchObject({ kind: 'ok' });
  });
});

test('every call releases its slot, no matter what its outcome is', async () => {
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
  scripted.server.script = fine;
  await made.send(post);
  await made.send({ ...post, gate: () => false });
  scripted.server.script = (_, socket) => socket.resetAndDestroy();
  await made.send(post);
  scripted.server.script = () => {};
  await made.send(post);
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

  test.each(kinds)('$kind: are never in a message, even if the service repeats them', async (auth) => {
    const forms = [
      secret,
      encodeURIComponent(secret),
      ...(auth.kind === 'basic' ? [encoded(`dealer:${secret}`)] : []),
    ];
    const made = transport({ auth, secret });
    scripted.server.script = answers(401, JSON.stringify({ detail: `you sent ${forms.join(' and ')}` }));
    const repeated = await made.send(post);
    expect(repeated).toMatchObject({ kind: 'denied', message: expect.stringContaining('you sent [secret]') });
    scripted.server.script = (_, socket) => socket.resetAndDestroy();
    const messages = JSON.stringify([repeated, await made.send(post)]);
    for (const form of forms) expect(messages).not.toContain(form);
  });

  test('are sent in the right form for each kind of authorisation', async () => {
    scripted.server.script = fine;
    const received = async (auth: ApiOptions['auth']) => {
      const arrived = scripted.server.next();
      await transport({ auth, secret: 's3cret' }).send(get);
      return arrived;
    };
    expect((await received(kinds[0]!)).headers.authorization).toBe('Bearer s3cret');
    expect((await received(kinds[1]!)).headers.authorization).toBe(`Basic ${encoded('dealer:s3cret')}`);
    expect((await received(kinds[2]!)).headers['x-api-key']).toBe('s3cret');
    expect((await received(kinds[3]!)).url).toBe('/orders/1?key=s3cret');
  });
});

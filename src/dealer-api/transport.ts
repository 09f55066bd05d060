import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { got, RequestError } from 'got';
import type { CallResult, Gate } from './answers.ts';
import type { ApiOptions } from './options.ts';
import { readProblem } from './read-problem.ts';
import { readRetryAfter } from './read-retry-after.ts';

export interface Call<T> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, already encoded. */
  path: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Undefined means that a 2xx cannot be read. */
  read: (body: unknown) => T | undefined;
  /** False where any 2xx will do, whatever its body. */
  needsBody?: boolean;
  gate?: Gate | undefined;
}

/** Lets one call start; resolves to what is to be called when it ended. */
export interface Throttle {
  enter(): Promise<() => void>;
}

type Connect = (
  options: http.ClientRequestArgs,
  done: (error: Error | null, socket?: Socket) => void,
) => Socket | undefined;

/**
 * Lets an agent hand out sockets only once they are connected (and secured), where node gives a request its
 * socket at once. So a request without a socket certainly was not sent, and one that gets its socket is
 * written in that very tick, in which the gate is asked.
 */
const handOutConnected = (agent: http.Agent, ready: 'connect' | 'secureConnect', limitMs: number) => {
  const connecting = new Set<Socket>();
  const connect = (agent.createConnection as unknown as Connect).bind(agent);
  const createConnection: Connect = (options, done) => {
    const socket = connect(options, () => {})!;
    connecting.add(socket);
    // No request waits for longer, and a connection that hangs must not keep the process alive.
    const giveUp = () => socket.destroy();
    socket.setTimeout(limitMs, giveUp);
    const fail = (error: Error) => done(error);
    socket.once('error', fail);
    socket.once('close', () => {
      connecting.delete(socket);
      done(new Error('the connection was closed before it was made'));
    });
    socket.once(ready, () => {
      connecting.delete(socket);
      socket.setTimeout(0);
      socket.off('timeout', giveUp);
      socket.off('error', fail);
      done(null, socket);
    });
    return undefined;
  };
  Object.assign(agent, { createConnection });
  return {
    agent,
    stop: () => {
      agent.destroy();
      for (const socket of connecting) socket.destroy();
    },
  };
};

const formText = (body: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

const authHeaders = (options: ApiOptions): Record<string, string> => {
  const { auth, secret = '' } = options;
  if (auth.kind === 'bearer') return { authorization: `Bearer ${secret}` };
  if (auth.kind === 'header') return { [auth.name.toLowerCase()]: secret };
  if (auth.kind !== 'basic') return {};
  return { authorization: `Basic ${Buffer.from(`${auth.user}:${secret}`).toString('base64')}` };
};

/** A failed connection to several addresses has no words of its own. */
const describe = (error: RequestError): string => {
  const words =
    error.message ||
    `cannot connect to ${error.options.url instanceof URL ? error.options.url.host : 'the service'}`;
  return words.includes(error.code) ? words : `${error.code}: ${words}`;
};

/** The service or a library may repeat what it was sent: the secret is taken out of every message. */
const redactor = (options: ApiOptions) => {
  const { auth, secret = '' } = options;
  const basic = auth.kind === 'basic' ? Buffer.from(`${auth.user}:${secret}`).toString('base64') : '';
  const forms = [
    basic,
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ].filter((form) => form !== '');
  return <T>(result: CallResult<T>): CallResult<T> =>
    result.kind === 'ok'
      ? result
      : {
          ...result,
          message: forms.reduce((text, form) => text.replaceAll(form, '[secret]'), result.message),
        };
};

/**
 * To got a 404 is an error with a stack trace, built even where it is not thrown, and most looks are answered
 * 404. Here each status is an answer: it is put aside before got sees to it.
 */
const putStatusAside = <R extends { statusCode: number }>(response: R): R =>
  Object.assign(response, { answered: response.statusCode, statusCode: 200 });

/**
 * Sends calls to one account's service over kept-alive connections, and says of each what became of it.
 * Never retries and never follows a redirect: whether a call may be sent again is not the transport's to say.
 */
export const createTransport = (options: ApiOptions, throttle: Throttle) => {
  const limitMs = options.requestTimeoutMs;
  const plain = handOutConnected(
    new http.Agent({ keepAlive: true, maxFreeSockets: 256 }),
    'connect',
    limitMs,
  );
  const secured = handOutConnected(
    new https.Agent({ keepAlive: true, maxFreeSockets: 256 }),
    'secureConnect',
    limitMs,
  );
  const base = options.baseUrl.replace(/\/+$/, '');
  const secretQuery: Record<string, string> =
    options.auth.kind === 'query' ? { [options.auth.name]: options.secret ?? '' } : {};
  const client = got.extend({
    agent: { http: plain.agent, https: secured.agent as https.Agent },
    headers: { accept: 'application/json', 'user-agent': 'cartwright', ...authHeaders(options) },
    retry: { limit: 0 },
    followRedirect: false,
    hooks: { afterResponse: [putStatusAside] },
    decompress: true,
    timeout: { request: limitMs },
  });

  const redact = redactor(options);

  const send = async <T>(call: Call<T>): Promise<CallResult<T>> => {
    let sent = false;
    let stopped = false;
    const query = new URLSearchParams({ ...secretQuery, ...call.query }).toString();
    const url = `${base}${call.path}${query === '' ? '' : `?${query}`}`;
    const leave = await throttle.enter();
    try {
      const answer = await client(url, {
        method: call.method,
        ...(call.body === undefined
          ? {}
          : options.requestFormat === 'form'
            ? { body: formText(call.body), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
            : { body: JSON.stringify(call.body), headers: { 'content-type': 'application/json' } }),
        ...(call.method === 'GET' && call.body !== undefined ? { allowGetBody: true } : {}),
        request: (target, requestOptions, onResponse) => {
          const { request } = target.protocol === 'https:' ? https : http;
          return request(target, requestOptions, onResponse).once(
            'socket',
            function onSocket(this: http.ClientRequest) {
              if (call.gate && !call.gate()) {
                stopped = true;
                this.destroy(new Error('stopped before it was sent'));
              } else sent = true;
            },
          );
        },
      });
      const { answered } = answer as unknown as { answered: number };
      return redact(classify(call, answered, answer.headers, answer.body));
    } catch (error) {
      if (stopped) return { kind: 'not_sent', message: 'not started: another worker may have taken over' };
      if (!(error instanceof RequestError)) throw error;
      return redact({ kind: sent ? 'unknown' : 'not_sent', message: describe(error) });
    } finally {
      leave();
    }
  };

  return {
    send,
    stop: () => {
      plain.stop();
      secured.stop();
    },
  };
};

const unstorable = /\\u(0000|d[89a-f])/i;

/** Parses JSON; characters that no Postgres text can hold (NUL, halves of a pair) are taken out of its texts. */
const parseStorable = (body: string): unknown =>
  unstorable.test(body)
    ? JSON.parse(body, (_, value: unknown) =>
        typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
      )
    : JSON.parse(body);

const classify = <T>(
  call: Call<T>,
  status: number,
  headers: http.IncomingHttpHeaders,
  body: string,
): CallResult<T> => {
  const isHtml = /html/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(body);
  if (status >= 500 || status === 408 || status === 425)
    return { kind: 'unknown', message: `answered ${status}` };
  if (status >= 300 && status < 400)
    return { kind: 'misdirected', message: `answered ${status}, a redirect` };
  if (status === 429) {
    return {
      kind: 'limited',
      waitMs: readRetryAfter(headers['retry-after'], Date.now()),
      message: 'answered 429',
    };
  }
  if (isHtml) return { kind: 'misdirected', message: `answered ${status} with a web page` };
  if (status >= 400) {
    const message = readProblem(status, body);
    if (status === 404) return { kind: 'not_found', message };
    if (status === 409) return { kind: 'conflict', message };
    // 407 is a proxy's: it says nothing about the PO either.
    if (status === 401 || status === 403 || status === 407) return { kind: 'denied', status, message };
    if (status === 405 || status === 415) return { kind: 'unsupported', status, message };
    return { kind: 'refused', status, message };
  }
  if (call.needsBody === false) return { kind: 'ok', value: undefined as T };
  try {
    const value = call.read(parseStorable(body));
    if (value !== undefined) return { kind: 'ok', value };
  } catch {
    // Not JSON: the answer was cut off, or it is not the service that answered.
  }
  return { kind: 'unknown', message: `answered ${status}, but the answer cannot be read` };
};

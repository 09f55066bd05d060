import http from 'node:http';
import https from 'node:https';
import { got, RequestError, TimeoutError } from 'got';
import type { CallResult, FailedCall, Gate } from './answers.ts';
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

/** Errors that a request meets before a byte of it was sent. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'EPROTO',
]);
const unsentPhases = new Set(['lookup', 'connect', 'secureConnect']);

const classifyError = (error: unknown, stopped: boolean): FailedCall => {
  if (stopped)
    return { kind: 'not_sent', message: 'The call was not started: another worker may have taken over.' };
  if (!(error instanceof RequestError)) throw error;
  const unsent =
    unsentCodes.has(error.code) || (error instanceof TimeoutError && unsentPhases.has(error.event));
  return { kind: unsent ? 'not_sent' : 'unknown', message: `${error.code}: ${error.message}` };
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

/**
 * Sends calls to one account's service over kept-alive connections, and says of each what became of it.
 * Never retries and never follows a redirect: whether a call may be sent again is not the transport's to say.
 */
export const createTransport = (options: ApiOptions, throttle: Throttle) => {
  const agents = {
    http: new http.Agent({ keepAlive: true, maxFreeSockets: 256 }),
    https: new https.Agent({ keepAlive: true, maxFreeSockets: 256 }),
  };
  const base = options.baseUrl.replace(/\/+$/, '');
  const secretQuery: Record<string, string> =
    options.auth.kind === 'query' ? { [options.auth.name]: options.secret ?? '' } : {};
  const client = got.extend({
    agent: agents,
    headers: { accept: 'application/json', 'user-agent': 'cartwright', ...authHeaders(options) },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: true,
    timeout: {
      lookup: options.requestTimeoutMs,
      connect: options.requestTimeoutMs,
      request: options.requestTimeoutMs,
    },
  });

  const send = async <T>(call: Call<T>): Promise<CallResult<T>> => {
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
        // Here, and not in a hook: this runs in the tick in which the request is handed to its socket.
        request: (target, requestOptions, onResponse) => {
          if (call.gate && !call.gate()) {
            stopped = true;
            throw new Error('stopped before it was sent');
          }
          return (target.protocol === 'https:' ? https : http).request(target, requestOptions, onResponse);
        },
      });
      return classify(call, answer.statusCode, answer.headers, answer.body);
    } catch (error) {
      return classifyError(error, stopped);
    } finally {
      leave();
    }
  };

  return {
    send,
    stop: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
};

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
    if (status === 401 || status === 403) return { kind: 'denied', status, message };
    if (status === 405 || status === 415) return { kind: 'unsupported', status, message };
    return { kind: 'refused', status, message };
  }
  if (call.needsBody === false) return { kind: 'ok', value: undefined as T };
  try {
    const value = call.read(JSON.parse(body));
    if (value !== undefined) return { kind: 'ok', value };
  } catch {
    // Not JSON: the answer was cut off, or it is not the service that answered.
  }
  return { kind: 'unknown', message: `answered ${status}, but the answer cannot be read` };
};

import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { got, type Options, type Request, RequestError } from 'got';
import type { CallName, CallResult, Gate, ObserveCall } from './answers.ts';
import { authHeaders, authQuery } from './auth.ts';
import { type Answer, classifyAnswer, type Expected } from './classify-answer.ts';
import { connectError, describeError } from './connect-errors.ts';
import type { ApiOptions } from './options.ts';
import { createRedactor } from './redactor.ts';

export interface Call<T> extends Expected<T> {
  name: CallName;
  method: 'GET' | 'POST' | 'DELETE';
  /** The path below the base URL, already encoded. */
  path: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  gate?: Gate | undefined;
}

export interface Throttle {
  /** Waits until a call may start. The call must invoke the returned function when it has ended. */
  enter(): Promise<() => void>;
}

type Connect = (
  options: http.ClientRequestArgs,
  done: (error: Error | null, socket?: Socket) => void,
) => Socket | undefined;

/**
 * Makes an agent assign sockets only once they are connected (and secured); by default Node assigns them earlier.
 * A request without a socket was therefore certainly not sent, and a request that gets its socket is written in the same
 * tick, in which the gate is called.
 */
const handOutConnected = (agent: http.Agent, ready: 'connect' | 'secureConnect', limitMs: number) => {
  const connecting = new Set<Socket>();
  const connect = (agent.createConnection as unknown as Connect).bind(agent);
  const createConnection: Connect = (options, done) => {
    const socket = connect(options, () => {})!;
    connecting.add(socket);
    // No request waits longer than this, so a hanging connection need not keep the process alive.
    const giveUp = () => socket.destroy();
    socket.setTimeout(limitMs, giveUp);
    const fail = (error: Error) => done(error);
    socket.once('error', fail);
    socket.once('close', () => {
      connecting.delete(socket);
      done(new Error('the connection was closed before it was established'));
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

/**
 * The part that Node needs of the thirty options that got builds for each request. Building and copying all of them takes an
 * eighth of a call's CPU; the others are Node's defaults here, because our own agent makes the connections.
 */
function nativeOptions(this: Options) {
  return { agent: this.agent.http, method: this.method, headers: this.headers } as ReturnType<
    Options['createNativeRequestOptions']
  >;
}

/** Thrown as soon as an answer is larger than the account allows. */
class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
  readonly code = 'answer_too_large';
}

/**
 * The complete answer to a request, of at most `maxBytes` after decompression. got's promise API is not used: it has no
 * size limit, reads the body with a slower async iterator, and captures a stack trace for each 404, although most
 * lookups are answered 404.
 */
const readAnswer = (request: Request, maxBytes: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      // Stop inflating: a few kilobytes can inflate to more than fits into memory.
      const status = request.response!.statusCode;
      reject(
        new AnswerTooLarge(`answered ${status} with more than ${maxBytes} bytes, the most that is read`),
      );
      request.destroy();
    });
    request.once('end', () => {
      const { statusCode, headers } = request.response!;
      resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString('utf8') });
      request.destroy();
    });
    // Also handles errors after the answer, which would otherwise end the process.
    request.on('error', reject);
  });

/**
 * Sends calls to one account's service over kept-alive connections and returns the result of each. Never retries and
 * never follows a redirect: the caller decides whether a call may be sent again.
 */
export const createTransport = (options: ApiOptions, throttle: Throttle, observe?: ObserveCall) => {
  const limitMs = options.requestTimeoutMs;
  const base = options.baseUrl.replace(/\/+$/, '');
  const secretQuery = authQuery(options);
  const headers = { accept: 'application/json', 'user-agent': 'cartwright', ...authHeaders(options) };
  const keptAlive = { keepAlive: true, maxFreeSockets: 256 };
  const { agent, stop } =
    new URL(base).protocol === 'https:'
      ? handOutConnected(new https.Agent(keptAlive), 'secureConnect', limitMs)
      : handOutConnected(new http.Agent(keptAlive), 'connect', limitMs);
  const isForm = options.requestFormat === 'form';
  const makeClients = () => {
    const plain = got.extend({
      agent: { http: agent, https: agent as https.Agent },
      headers,
      retry: { limit: 0 },
      followRedirect: false,
      throwHttpErrors: false,
      decompress: true,
      timeout: { request: limitMs },
      handlers: [
        (native, next) => {
          native.createNativeRequestOptions = nativeOptions;
          return next(native);
        },
      ],
    });
    const withBody = plain.extend({
      headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
      allowGetBody: true,
    });
    return { plain, withBody };
  };
  /** Created with the first call: the clients of a thousand idle accounts would take 16 MB. */
  let clients: ReturnType<typeof makeClients> | undefined;

  const redact = createRedactor(options);

  const perform = async <T>(call: Call<T>): Promise<{ result: CallResult<T>; serviceTime?: string }> => {
    let sent = false;
    let stopped = false;
    const query = new URLSearchParams({ ...secretQuery, ...call.query }).toString();
    const url = `${base}${call.path}${query === '' ? '' : `?${query}`}`;
    try {
      const { method, body } = call;
      clients ??= makeClients();
      const request = (body === undefined ? clients.plain : clients.withBody)(url, {
        isStream: true,
        method,
        ...(body === undefined ? {} : { body: isForm ? formText(body) : JSON.stringify(body) }),
        request: (target, native, onResponse) =>
          (target.protocol === 'https:' ? https : http)
            .request(target, native, onResponse)
            .once('socket', function onSocket(this: http.ClientRequest) {
              if (call.gate && !call.gate()) {
                stopped = true;
                this.destroy(new Error('stopped before it was sent'));
              } else sent = true;
            }),
      });
      // got waits for a body of a DELETE.
      if (call.method === 'DELETE' && call.body === undefined) request.end();
      const answer = await readAnswer(request, options.maxAnswerBytes);
      const { date } = answer.headers;
      return {
        result: redact(classifyAnswer(call, answer)),
        ...(date === undefined ? {} : { serviceTime: date }),
      };
    } catch (error) {
      if (stopped) {
        const message = 'not sent, because another worker may have taken over';
        return { result: { kind: 'not_sent', message } };
      }
      if (error instanceof AnswerTooLarge) return { result: { kind: 'unknown', message: error.message } };
      if (!(error instanceof RequestError)) throw error;
      const message = describeError(error);
      if (sent) return { result: redact({ kind: 'unknown', message }) };
      const cause = connectError(error.code)?.[0];
      return { result: redact({ kind: 'not_sent', message, ...(cause === undefined ? {} : { cause }) }) };
    }
  };

  const send = async <T>(call: Call<T>): Promise<CallResult<T>> => {
    const leave = await throttle.enter();
    const startedAt = performance.now();
    try {
      const { result, serviceTime } = await perform(call);
      observe?.({
        name: call.name,
        result: result.kind,
        durationMs: performance.now() - startedAt,
        serviceTime,
      });
      return result;
    } finally {
      leave();
    }
  };

  return { send, stop };
};

import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { got, type Request, RequestError } from 'got';
import type { CallResult, Gate } from './answers.ts';
import { authHeaders, authQuery } from './authorise.ts';
import { type Answer, classifyAnswer, type Expected } from './classify-answer.ts';
import type { ApiOptions } from './options.ts';

export interface Call<T> extends Expected<T> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, already encoded. */
  path: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
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

type OnResponse = (response: http.IncomingMessage) => void;

/** node copies each of the thirty options that got hands on; where there is no TLS, three of them say something. */
const openRequest = (target: URL, options: https.RequestOptions, onResponse?: OnResponse) => {
  if (target.protocol === 'https:') return https.request(target, options, onResponse);
  const { agent, method, headers } = options;
  return http.request(target, { agent, method, headers }, onResponse);
};

/** Thrown for an answer that is larger than the account allows, as soon as that is seen. */
class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
  readonly code = 'answer_too_large';
}

/**
 * The whole answer to a request, of at most `maxBytes` after decompression. got's promises give the same for more:
 * they read a body through an async iterator, have no limit, and to them a 404 is an error whose stack is taken even
 * where it is not thrown, while most looks are answered 404.
 */
const readAnswer = (request: Request, maxBytes: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      // A few kilobytes can inflate to more than a string or the memory holds: nothing of the rest is inflated.
      const status = request.response!.statusCode;
      reject(
        new AnswerTooLarge(
          `answered ${status} with more than ${maxBytes} bytes (the account's maxAnswerBytes)`,
        ),
      );
      request.destroy();
    });
    request.once('end', () => {
      const { statusCode, headers } = request.response!;
      resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString('utf8') });
      request.destroy();
    });
    // One that comes after the answer is nobody's any more, and must not end the process.
    request.on('error', reject);
  });

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
  const secretQuery = authQuery(options);
  const client = got.extend({
    agent: { http: plain.agent, https: secured.agent as https.Agent },
    headers: { accept: 'application/json', 'user-agent': 'cartwright', ...authHeaders(options) },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
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
      const request = client.stream(url, {
        method: call.method,
        ...(call.body === undefined
          ? {}
          : options.requestFormat === 'form'
            ? { body: formText(call.body), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
            : { body: JSON.stringify(call.body), headers: { 'content-type': 'application/json' } }),
        ...(call.method === 'GET' && call.body !== undefined ? { allowGetBody: true } : {}),
        request: (target, requestOptions, onResponse) => {
          return openRequest(target, requestOptions, onResponse).once(
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
      // Of a DELETE got expects that a body may follow.
      if (call.method === 'DELETE' && call.body === undefined) request.end();
      return redact(classifyAnswer(call, await readAnswer(request, options.maxAnswerBytes)));
    } catch (error) {
      if (stopped) return { kind: 'not_sent', message: 'not started: another worker may have taken over' };
      if (error instanceof AnswerTooLarge) return { kind: 'unknown', message: error.message };
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

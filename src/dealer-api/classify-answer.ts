import type http from 'node:http';
import type { CallResult } from './answers.ts';
import { readProblem } from './read-problem.ts';

/** A complete answer of the service. */
export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** How a call reads a 2xx. */
export interface Expected<T> {
  /** Returns undefined when the body cannot be read. */
  read: (body: unknown) => T | undefined;
  /** False if every 2xx means success, with any body. */
  needsBody?: boolean;
}

const unstorable = /\\u(0000|d[89a-f])/i;

/** Parses JSON and removes characters that Postgres cannot store (NUL, lone surrogates) from its texts. */
const parseStorable = (body: string): unknown =>
  unstorable.test(body)
    ? JSON.parse(body, (_, value: unknown) =>
        typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
      )
    : JSON.parse(body);

/**
 * The wait that a Retry-After header asks for, in milliseconds, from either of its forms (seconds, HTTP date). Undefined
 * without a readable header. Never negative.
 */
const readRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds * 1000));
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
};

/** Classifies an answer as the result of a call (spec 7 and 9). */
export const classifyAnswer = <T>(
  expected: Expected<T>,
  { status, headers, body }: Answer,
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
  if (isHtml && status !== 407)
    return { kind: 'misdirected', cause: 'web_page', message: `answered ${status} with a web page` };
  if (status >= 400) {
    const message = readProblem(status, body);
    if (status === 404) return { kind: 'not_found', message };
    if (status === 409) return { kind: 'conflict', message };
    // 407 comes from a proxy and, like 401 and 403, says nothing about the PO.
    if (status === 407) return { kind: 'denied', status, message, cause: 'proxy_sign_in' };
    if (status === 401 || status === 403) return { kind: 'denied', status, message };
    if (status === 405 || status === 415) return { kind: 'unsupported', status, message };
    return { kind: 'refused', status, message };
  }
  if (expected.needsBody === false) return { kind: 'ok', value: undefined as T };
  try {
    const value = expected.read(parseStorable(body));
    if (value !== undefined) return { kind: 'ok', value };
  } catch {
    // Not JSON: the answer was cut off, or something other than the service answered.
  }
  return { kind: 'unknown', message: `answered ${status}, but the answer cannot be read` };
};

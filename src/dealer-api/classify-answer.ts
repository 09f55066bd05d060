import type http from 'node:http';
import type { CallResult } from './answers.ts';
import { readProblem } from './read-problem.ts';
import { readRetryAfter } from './read-retry-after.ts';

/** An answer of the service, whole. */
export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** What a call expects of a 2xx. */
export interface Expected<T> {
  /** Undefined means that a 2xx cannot be read. */
  read: (body: unknown) => T | undefined;
  /** False where any 2xx will do, whatever its body. */
  needsBody?: boolean;
}

const unstorable = /\\u(0000|d[89a-f])/i;

/** Parses JSON; characters that no Postgres text can hold (NUL, halves of a pair) are taken out of its texts. */
const parseStorable = (body: string): unknown =>
  unstorable.test(body)
    ? JSON.parse(body, (_, value: unknown) =>
        typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
      )
    : JSON.parse(body);

/** What an answer says became of the call (spec 9; open-points.md). */
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
  if (expected.needsBody === false) return { kind: 'ok', value: undefined as T };
  try {
    const value = expected.read(parseStorable(body));
    if (value !== undefined) return { kind: 'ok', value };
  } catch {
    // Not JSON: the answer was cut off, or it is not the service that answered.
  }
  return { kind: 'unknown', message: `answered ${status}, but the answer cannot be read` };
};

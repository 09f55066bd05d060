import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Problem, ProblemEntry } from '../contract/problems.ts';
import { newRequestId } from './request-id.ts';

/** Every problem that the service answers: its code, HTTP status and title (RFC 9457). */
export const problemKinds = {
  malformed: [400, 'The request could not be parsed'],
  unauthenticated: [401, 'A valid token is required'],
  forbidden: [403, 'This operation is not allowed'],
  not_found: [404, 'Nothing was found at this path'],
  no_cart: [404, 'This PO has no cart'],
  no_order: [404, 'This PO has no order'],
  method_not_allowed: [405, 'This path does not support this method'],
  request_timeout: [408, 'The request did not arrive in time'],
  cart_exists: [409, 'This PO already has a cart'],
  already_ordered: [409, 'This PO has already been ordered'],
  body_too_large: [413, 'The request body is too large'],
  unsupported_media_type: [415, 'The body must be JSON or a form'],
  expectation_failed: [417, 'The Expect header cannot be met'],
  invalid: [422, 'Some fields are invalid'],
  unknown_item: [422, 'This item is not in the catalogue'],
  insufficient_stock: [422, 'There is not enough stock, and back orders are not allowed'],
  cart_full: [422, 'The cart has reached its maximum number of items'],
  cart_empty: [422, 'An empty cart cannot be ordered'],
  too_many_requests: [429, 'Too many requests'],
  head_too_large: [431, 'The request headers are too large'],
  internal: [500, 'Internal service error'],
  unavailable: [503, 'The service is unavailable'],
} as const satisfies Record<string, readonly [number, string]>;
export type ProblemCode = keyof typeof problemKinds;

/** A problem document. `type` is `urn:problem:` followed by the code; `detail` explains this occurrence. */
export const problemOf = (
  code: ProblemCode,
  more: { detail?: string; instance?: string; errors?: ProblemEntry[] } = {},
): Problem => ({
  type: `urn:problem:${code}`,
  title: problemKinds[code][1],
  status: problemKinds[code][0],
  ...more,
});

export const problemType = 'application/problem+json';

const maxDetailLength = 500;
/** Keeps a whole document below 16 KB, independent of the request. */
const maxErrorsBytes = 12_000;

/** Keeps a problem small: a short detail, and as many of its errors as fit. */
const limited = ({
  detail,
  errors,
}: {
  detail?: string | undefined;
  errors?: ProblemEntry[] | undefined;
}) => {
  let bytes = 0;
  const kept = errors?.filter((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes <= maxErrorsBytes;
  });
  const omitted = (errors?.length ?? 0) - (kept?.length ?? 0);
  const text = detail === undefined ? [] : [[...detail].slice(0, maxDetailLength).join('')];
  if (omitted > 0) text.push(`${omitted} more errors are not listed.`);
  return {
    ...(text.length > 0 ? { detail: text.join(' ') } : {}),
    ...(kept === undefined ? {} : { errors: kept }),
  };
};

/** One sentence for clients that read `message`. */
const messageOf = ({ title, detail, errors }: Problem): string => {
  const fields = (errors ?? []).map(({ field, message }) => `${field}: ${message}`).join('; ');
  const text = [title, detail, fields].filter((part) => part).join('. ');
  return [...text].slice(0, maxDetailLength).join('');
};

const documentText = (document: Problem): string =>
  JSON.stringify({ ...document, message: messageOf(document) });

/** Answers a request with a problem. */
export const sendProblem = (
  reply: FastifyReply,
  code: ProblemCode,
  more: { detail?: string; errors?: ProblemEntry[] } = {},
): FastifyReply =>
  reply
    .code(problemKinds[code][0])
    .header('content-type', problemType)
    .send(documentText(problemOf(code, { instance: `urn:request:${reply.request.id}`, ...limited(more) })));

const parserCodes: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'head_too_large',
};

/** A problem of a request that Fastify does not see. */
interface OutsideFastify {
  id: string;
  code: ProblemCode;
  detail?: string;
}

/** The document of such a problem, and the headers of its answer. */
const outsideFastify = ({ id, code, detail }: OutsideFastify) => {
  const document = problemOf(code, { instance: `urn:request:${id}`, ...limited({ detail }) });
  const body = documentText(document);
  const headers = {
    'Content-Type': problemType,
    'Content-Length': String(Buffer.byteLength(body)),
    'API-Version': '4',
    'X-Request-Id': id,
    Connection: 'close',
  };
  return { status: problemKinds[code][0], headers, body };
};

/** Writes a problem to a socket and closes the connection. */
const endWithProblem = (socket: Duplex, problem: OutsideFastify, more: Record<string, string> = {}): void => {
  const { status, headers, body } = outsideFastify(problem);
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${problemKinds[problem.code][1]}\r\n${lines.join('')}\r\n${body}`,
    // A half-open client would keep its side open forever.
    () => socket.destroy(),
  );
};

/** Answers requests that Node could not parse. */
export const answerBroken = (error: Error & { code?: string }, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = parserCodes[error.code ?? ''] ?? 'malformed';
  endWithProblem(socket, { id: randomUUID(), code });
};

/**
 * Answers requests that Node does not pass on: with an Expect header other than 100-continue, to which it would answer without
 * a body, and with the method CONNECT, whose connection it would close.
 */
export const answerUnpassed = (server: Server): void => {
  server.on('checkExpectation', (request, response) => {
    const { status, headers, body } = outsideFastify({
      id: newRequestId(request),
      code: 'expectation_failed',
      detail: 'The service supports only "Expect: 100-continue".',
    });
    response.writeHead(status, headers).end(body);
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    const detail = 'The service is not a proxy: it does not support the method CONNECT.';
    const problem = { id: newRequestId(request), code: 'method_not_allowed', detail } as const;
    endWithProblem(socket, problem, { Allow: 'GET, HEAD, POST, DELETE' });
  });
};

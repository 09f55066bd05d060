import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { Problem, ProblemEntry } from '../contract/problems.ts';

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

/** Answers a request with a problem. */
export const sendProblem = (
  reply: FastifyReply,
  code: ProblemCode,
  { detail, errors }: { detail?: string; errors?: ProblemEntry[] } = {},
): FastifyReply =>
  reply
    .code(problemKinds[code][0])
    .header('content-type', problemType)
    .send(
      JSON.stringify(
        problemOf(code, {
          ...(detail === undefined ? {} : { detail }),
          instance: `urn:request:${reply.request.id}`,
          ...(errors === undefined ? {} : { errors }),
        }),
      ),
    );

const parserCodes: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'head_too_large',
};

/** Answers a request that Node could not parse: writes the problem to the socket and closes the connection. */
export const answerBrokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = parserCodes[error.code ?? ''] ?? 'malformed';
  const body = JSON.stringify(problemOf(code));
  socket.end(
    `HTTP/1.1 ${problemKinds[code][0]} ${problemKinds[code][1]}\r\nContent-Type: ${problemType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nAPI-Version: 4\r\nConnection: close\r\n\r\n${body}`,
    // A half-open client would keep its side open forever.
    () => socket.destroy(),
  );
};

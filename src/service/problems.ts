import type { FastifyReply } from 'fastify';
import type { Problem, ProblemEntry } from '../contract/problems.ts';

/** Every problem that the service answers: its code, HTTP status and title (RFC 9457). */
export const problemKinds = {
  malformed: [400, 'The request cannot be read'],
  unauthenticated: [401, 'A valid token is needed'],
  forbidden: [403, 'This token may not do that'],
  not_found: [404, 'There is nothing at this address'],
  no_cart: [404, 'This PO has no cart'],
  no_order: [404, 'This PO has no order'],
  method_not_allowed: [405, 'This address does not take this method'],
  request_timeout: [408, 'The request did not arrive in time'],
  cart_exists: [409, 'This PO already has a cart'],
  already_ordered: [409, 'This PO was ordered before'],
  body_too_large: [413, 'The request body is too large'],
  unsupported_media_type: [415, 'Send JSON or a form'],
  invalid: [422, 'Some fields cannot be accepted'],
  unknown_item: [422, 'This item is not sold here'],
  insufficient_stock: [422, 'There is not enough stock, and back orders are not allowed'],
  cart_full: [422, 'The cart holds as many items as it may'],
  cart_empty: [422, 'An empty cart cannot be ordered'],
  too_many_requests: [429, 'Too many requests'],
  head_too_large: [431, 'The request head is too large'],
  internal: [500, 'The service made a mistake'],
  unavailable: [503, 'The service is not available'],
} as const satisfies Record<string, readonly [number, string]>;
export type ProblemCode = keyof typeof problemKinds;

/** A problem document. `type` is `urn:problem:` and the code; `detail` says it for this request. */
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

/** Answers a problem to a request. */
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

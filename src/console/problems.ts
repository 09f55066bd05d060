import type { FastifyReply } from 'fastify';

/** Every problem that the console answers: its code, HTTP status and title (RFC 9457). */
export const problemKinds = {
  malformed: [400, 'The request could not be parsed'],
  unauthenticated: [401, 'Sign in first'],
  wrong_password: [401, 'The user name or the password is wrong'],
  forbidden: [403, 'You may not do this'],
  foreign_site: [403, 'The request comes from another site'],
  header_missing: [403, 'The header x-cartwright is missing'],
  not_found: [404, 'Not found'],
  gone: [410, 'This link is no longer valid'],
  read_anew: [410, 'This cursor is no longer valid'],
  conflict: [409, 'It is in another state now'],
  too_large: [413, 'The request is too large'],
  unsupported_media_type: [415, 'The content type is not supported'],
  invalid: [422, 'Some fields are invalid'],
  not_possible: [422, 'This is not possible'],
  too_many_requests: [429, 'Too many requests'],
  internal: [500, 'Something went wrong'],
  unavailable: [503, 'The ledger cannot be reached'],
  busy: [503, 'The console has too much to do'],
} as const satisfies Record<string, readonly [number, string]>;
export type ProblemCode = keyof typeof problemKinds;

interface ProblemDetails {
  /** The problem and what to do, in sentences for the person. */
  detail?: string | undefined;
  /** The fields that are wrong. */
  errors?: { field: string; detail: string }[] | undefined;
  /** Seconds after which the request can be repeated. */
  retryAfter?: number | undefined;
  /** Further members of the problem document, such as what happened to each PO. */
  more?: Readonly<Record<string, unknown>> | undefined;
}

/** Thrown by a route to answer a problem. */
export class ConsoleProblem extends Error {
  override name = 'ConsoleProblem';
  readonly code: ProblemCode;
  readonly details: ProblemDetails;
  /** For the error handlers of other libraries' pages. */
  readonly statusCode: number;
  constructor(code: ProblemCode, detail?: string, more: Omit<ProblemDetails, 'detail'> = {}) {
    super(detail ?? problemKinds[code][1]);
    this.code = code;
    this.statusCode = problemKinds[code][0];
    this.details = { detail, ...more };
  }
}

/** Answers a request with a problem document. */
export const sendProblem = (reply: FastifyReply, code: ProblemCode, details: ProblemDetails = {}) => {
  const { detail, errors, retryAfter, more } = details;
  const [status, title] = problemKinds[code];
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .send(
      JSON.stringify({
        type: `urn:cartwright:problem:${code}`,
        title,
        status,
        detail: detail ?? `${title}.`,
        code,
        ...(errors ? { errors } : {}),
        ...more,
      }),
    );
};

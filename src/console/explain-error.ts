import type { FastifyRequest } from 'fastify';
import { isLostConnection } from '../ledger/lost-connection.ts';
import { ConsoleProblem, type ProblemCode } from './problems.ts';

const byStatus: Record<number, ProblemCode> = {
  400: 'malformed',
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_media_type',
};

/** SQLSTATE character_not_in_repertoire: Postgres stores every character but NUL. */
const characterNotStorable = '22021';

const unavailable: ConsoleProblem['details'] = {
  detail: 'The database cannot be reached at the moment. This page recovers when it is back.',
  retryAfter: 2,
};

/** A change without an answer may have been made, because the connection can break after the commit. Do not repeat it blindly. */
const unknownOutcome: ConsoleProblem['details'] = {
  detail:
    'The database stopped answering, so it is not known whether this was done. Look at what you wanted to change when the database is back, before you try again.',
};

/** A change that was not started was certainly not made. */
const notBegun: ConsoleProblem['details'] = {
  detail: 'The database cannot be reached at the moment, and nothing was done. Try again when it is back.',
  retryAfter: 2,
};

/** SQLSTATE deadlock_detected, serialization_failure and lock_not_available: Postgres has rolled the transaction back. */
const rolledBack: ReadonlySet<unknown> = new Set(['40P01', '40001', '55P03']);

const atTheSameTime: ConsoleProblem['details'] = {
  detail: 'Something else was working on the same at this moment, so this was not done. Try again.',
  retryAfter: 2,
};

const changes = ({ method, routeOptions }: FastifyRequest): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) && routeOptions.config.onlyReads !== true;

/** The answer for any error of a request. */
export const explainError = (
  thrown: Error & { statusCode?: number },
  request: FastifyRequest,
): { code: ProblemCode; details: ConsoleProblem['details'] } => {
  if (thrown instanceof ConsoleProblem) return { code: thrown.code, details: thrown.details };
  if (isLostConnection(thrown)) {
    const details = !changes(request) ? unavailable : request.begun ? unknownOutcome : notBegun;
    return { code: 'unavailable', details };
  }
  const { code: sqlState } = thrown as { code?: unknown };
  if (rolledBack.has(sqlState)) return { code: 'unavailable', details: atTheSameTime };
  if (sqlState === characterNotStorable) {
    return { code: 'invalid', details: { detail: 'The request has a NUL character; no text here has one.' } };
  }
  const code = byStatus[thrown.statusCode ?? 500];
  return code
    ? { code, details: { detail: thrown.message } }
    : {
        code: 'internal',
        details: {
          detail: 'Something went wrong in Cartwright. The log of `cartwright up` has the details.',
        },
      };
};

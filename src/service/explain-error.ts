import type { FastifyError } from 'fastify';
import type { ProblemEntry } from '../contract/problems.ts';
import type { ProblemCode } from './problems.ts';
import { RefusedRequest } from './read-body.ts';

/** The part of an error that a client may see. */
export interface Explained {
  code: ProblemCode;
  detail?: string;
  errors?: ProblemEntry[];
}

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'malformed',
  FST_ERR_ASYNC_CONSTRAINT: 'malformed',
};

/** SQLSTATE classes of temporary failures: connection, login, name, resources, shutdown, locks, rollbacks. */
const passingStates = /^(08|28|3D|53|57|55|40)/;

/** Whether pg or Node reports that the database cannot be reached. */
const unreachable = (error: Error & { code?: string; errors?: unknown[] }): boolean =>
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/.test(error.code ?? '') ||
  /^(Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after|Client has encountered a connection error|Query read timeout)/.test(
    error.message,
  ) ||
  (error.errors ?? []).some((inner) => inner instanceof Error && unreachable(inner));

/**
 * Turns anything thrown while serving a request into the problem for the client. Mistakes in the request are
 * explained in full; failures of the service are reported without details.
 */
export const explainError = (error: Partial<FastifyError> & Error): Explained => {
  if (error instanceof RefusedRequest) {
    const { code, message, errors } = error;
    return { code, ...(message === '' ? {} : { detail: message }), ...(errors ? { errors } : {}) };
  }
  const known = frameworkCodes[error.code ?? ''];
  if (known) return { code: known, detail: error.message };
  if (error.statusCode === 413) return { code: 'body_too_large', detail: error.message };
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return { code: 'malformed', detail: error.message };
  }
  if (unreachable(error) || passingStates.test(error.code ?? '')) {
    return {
      code: 'unavailable',
      detail: 'The database cannot be reached. Check whether the request took effect before you retry it.',
    };
  }
  return { code: 'internal' };
};

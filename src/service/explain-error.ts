import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { ProblemEntry } from '../contract/problems.ts';
import type { ProblemCode } from './problems.ts';

/** What of an error a client may know. */
export interface Explained {
  code: ProblemCode;
  detail?: string;
  errors?: ProblemEntry[];
}

/** One entry per field, with the contract's own name of the rule where it has one. */
const entriesOf = (
  issues: { instancePath: string; keyword: string; message?: string | undefined; params: object }[],
) =>
  issues.flatMap((issue): ProblemEntry[] => {
    const params = issue.params as { keys?: string[]; params?: { rule?: string } };
    const field = issue.instancePath.slice(1).replaceAll('/', '.') || 'body';
    if (params.keys) {
      return params.keys.map((key) => ({
        field: key.slice(0, 100),
        code: 'unknown_field',
        message: 'is no field of this interface',
      }));
    }
    return [
      { field, code: params.params?.rule ?? issue.keyword, message: issue.message ?? 'cannot be accepted' },
    ];
  });

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'malformed',
  FST_ERR_ASYNC_CONSTRAINT: 'malformed',
};

/** SQLSTATE classes of a database that cannot serve now: connection, login, name, resources, shutdown, locks, rollbacks. */
const passingStates = /^(08|28|3D|53|57|55|40)/;

/** The error codes and messages by which pg and Node say that the database cannot be reached. */
const unreachable = (error: Error & { code?: string; errors?: unknown[] }): boolean =>
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/.test(error.code ?? '') ||
  /^(Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after|Client has encountered a connection error|Query read timeout)/.test(
    error.message,
  ) ||
  (error.errors ?? []).some((inner) => inner instanceof Error && unreachable(inner));

/**
 * Turns whatever was thrown while a request was served into the problem that the client gets: its own
 * mistakes in full, the service's as no more than that there was one.
 */
export const explainError = (error: Partial<FastifyError> & Error): Explained => {
  if (hasZodFastifySchemaValidationErrors(error)) {
    return { code: 'invalid', errors: entriesOf(error.validation) };
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
      detail: 'The database cannot be reached. Try again; look first whether it took effect.',
    };
  }
  return { code: 'internal' };
};

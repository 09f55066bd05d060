import { ConsoleProblem, type ProblemCode } from './problems.ts';

const byStatus: Record<number, ProblemCode> = {
  400: 'malformed',
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_media_type',
};

/** Connection failures of pg and Node, and the classes of SQLSTATE that mean that the server is stopping or starting. */
const isLostDatabase = (error: Error & { code?: unknown }): boolean =>
  /^(?:ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|08|57P|53300)/.test(String(error.code ?? '')) ||
  /timeout exceeded when trying to connect|Connection terminated/.test(error.message);

/** SQLSTATE character_not_in_repertoire: Postgres stores every character but NUL. */
const characterNotStorable = '22021';

/** What to answer for anything that a request threw. */
export const explainError = (
  thrown: Error & { statusCode?: number },
): { code: ProblemCode; details: ConsoleProblem['details'] } => {
  if (thrown instanceof ConsoleProblem) return { code: thrown.code, details: thrown.details };
  if (isLostDatabase(thrown)) {
    return {
      code: 'unavailable',
      details: {
        detail: 'The database cannot be reached at the moment. This page recovers when it is back.',
        retryAfter: 2,
      },
    };
  }
  if ((thrown as { code?: unknown }).code === characterNotStorable) {
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

import { type ErrorSubject, messageOf, subjectOf, UserError } from '../errors.ts';
import type { LogFields, Logger } from '../logger.ts';
import { hasLostSchema } from './backend.ts';

const quietMs = 10_000;

export interface ProblemLog {
  /** Warns, unless the same problem of the same queue was logged within the last ten seconds. */
  warn(
    queue: string,
    err: unknown,
    message: string,
    of?: { jobId?: string | undefined; count?: number | undefined } & ErrorSubject,
  ): void;
}

/** Limits equal warnings: while a server is unreachable, every connection reports it several times a second. */
export const createProblemLog = (logger: Logger): ProblemLog => {
  const loggedAt = new Map<string, number>();
  return {
    warn(queue, err, message, of = {}) {
      const code = (err as { code?: unknown }).code;
      const fields = { ...of, ...subjectOf(err) };
      // A server that is down fails the jobs of every account; an unwritable file only those of its own account.
      const isOwn = err instanceof UserError || (err as { path?: unknown }).path !== undefined;
      const about = isOwn ? `${fields.account ?? ''} ${fields.file ?? ''}` : '';
      const problem = `${queue} ${about} ${message} ${typeof code === 'string' ? code : (err as Error).message}`;
      const now = Date.now();
      if (now - (loggedAt.get(problem) ?? 0) < quietMs) return;
      if (loggedAt.size > 500) loggedAt.clear();
      loggedAt.set(problem, now);
      const what = hasLostSchema(err) ? { reason: messageOf(err) } : { err };
      logger.warn({ queue, ...what, ...fields } as LogFields, message);
    },
  };
};

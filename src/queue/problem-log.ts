import { messageOf, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';

const quietMs = 10_000;

export interface ProblemLog {
  /** Warns, unless the same problem of the same queue was logged within the last ten seconds. */
  warn(
    queue: string,
    err: unknown,
    message: string,
    of?: { jobId?: string | undefined; count?: number | undefined },
  ): void;
}

/**
 * An error of an unreachable or restarting server. Its stack is that of BullMQ or of a driver and never leads to the
 * cause, so it is not logged.
 */
const isOfServer = (err: unknown): boolean => {
  const { code, name } = err as { code?: unknown; name?: unknown };
  return (
    err instanceof UserError ||
    err instanceof AggregateError ||
    typeof code === 'string' ||
    name === 'ReplyError' ||
    name === 'MaxRetriesPerRequestError' ||
    /^Connection (is closed|terminated)|Command timed out|Stream isn't writeable/.test(messageOf(err))
  );
};

/** While a server is unreachable, every connection reports it several times a second: the log limits equal warnings. */
export const createProblemLog = (logger: Logger): ProblemLog => {
  const loggedAt = new Map<string, number>();
  return {
    warn(queue, err, message, of = {}) {
      const code = (err as { code?: unknown }).code;
      const problem = `${queue} ${message} ${typeof code === 'string' ? code : (err as Error).message}`;
      const now = Date.now();
      if (now - (loggedAt.get(problem) ?? 0) < quietMs) return;
      if (loggedAt.size > 500) loggedAt.clear();
      loggedAt.set(problem, now);
      logger.warn(
        {
          queue,
          ...(isOfServer(err)
            ? { reason: messageOf(err), ...(typeof code === 'string' ? { code } : {}) }
            : { err }),
          ...(of.jobId === undefined ? {} : { jobId: of.jobId }),
          ...(of.count === undefined ? {} : { count: of.count }),
        },
        message,
      );
    },
  };
};

import { messageOf, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';

const quietMs = 10_000;

export interface ProblemLog {
  /** Warns, unless the same trouble of the same queue was said within ten seconds. */
  say(
    queue: string,
    err: unknown,
    message: string,
    of?: { jobId?: string | undefined; count?: number | undefined },
  ): void;
}

/**
 * What a server says that is away or comes back; a stack adds nothing to it. The stack is that of BullMQ or of a
 * driver, and never leads to the cause.
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

/** While a server is away every connection says so several times a second: the log says it now and then. */
export const createProblemLog = (logger: Logger): ProblemLog => {
  const saidAt = new Map<string, number>();
  return {
    say(queue, err, message, of = {}) {
      const code = (err as { code?: unknown }).code;
      const trouble = `${queue} ${message} ${typeof code === 'string' ? code : (err as Error).message}`;
      const now = Date.now();
      if (now - (saidAt.get(trouble) ?? 0) < quietMs) return;
      if (saidAt.size > 500) saidAt.clear();
      saidAt.set(trouble, now);
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

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
          err,
          ...(of.jobId === undefined ? {} : { jobId: of.jobId }),
          ...(of.count === undefined ? {} : { count: of.count }),
        },
        message,
      );
    },
  };
};

import type { Logger } from '../logger.ts';

/** Long enough for all that one event brings about: a kill loses the locks of a hundred jobs at once. */
const gatherMs = 1000;

/** Logs one line for many things of one kind that happen at once. */
export interface GatheredLog {
  add(message: string, count: number): void;
  /** What is not logged by then is never logged. Idempotent. */
  stop(): void;
}

export const createGatheredLog = (logger: Logger): GatheredLog => {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const flush = (): void => {
    timer = undefined;
    for (const [message, count] of counts) logger.warn({ count }, message);
    counts.clear();
  };
  return {
    add(message, count) {
      if (stopped) return;
      counts.set(message, (counts.get(message) ?? 0) + count);
      timer ??= setTimeout(flush, gatherMs).unref();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};

import type { Logger } from '../logger.ts';

/** Long enough for all consequences of one event: a killed worker loses the locks of a hundred jobs at once. */
const collectMs = 1000;

/** Counts equal events for a second and logs each kind in one line. */
export interface GatheredLog {
  add(message: string, count: number): void;
  /** Drops entries that are not logged yet. Idempotent. */
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
      timer ??= setTimeout(flush, collectMs).unref();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};

import type { Throttle } from './transport.ts';

export interface SharedThrottle extends Throttle {
  /** Starts as many waiting calls as the limit now allows. */
  admitWaiting(): void;
  /** The number of calls that have started so far. */
  started(): number;
  /** Calls that have started and not ended. */
  running(): number;
  /** Calls that wait until they may start. */
  waiting(): number;
}

/**
 * Allows as many concurrent calls as `limitOf` currently answers, in the order of their requests. Each call also waits for
 * `admit`, which limits the calls per second together with other processes.
 *
 * @param limitOf called before each call; may return 0
 * @param onWait called when a call has to wait for others to end, or for a higher limit
 */
export const createThrottle = (
  limitOf: () => number,
  admit?: () => Promise<void>,
  onWait?: () => void,
): SharedThrottle => {
  let running = 0;
  let started = 0;
  const waiting: (() => void)[] = [];
  const admitWaiting = (): void => {
    while (waiting.length > 0 && running < limitOf()) {
      running += 1;
      waiting.shift()!();
    }
  };
  const leave = (): void => {
    running -= 1;
    admitWaiting();
  };
  return {
    started: () => started,
    running: () => running,
    waiting: () => waiting.length,
    admitWaiting,
    enter: async () => {
      if (waiting.length === 0 && running < limitOf()) running += 1;
      else {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          onWait?.();
        });
      }
      try {
        await admit?.();
      } catch (error) {
        leave();
        throw error;
      }
      started += 1;
      return leave;
    },
  };
};

import type { Throttle } from './transport.ts';

export interface SharedThrottle extends Throttle {
  /** Changes the maximum number of concurrent calls. Running calls are not affected. */
  setInFlight(inFlight: number): void;
  /** The number of calls that have started so far. */
  started(): number;
}

/**
 * Allows at most `inFlight` concurrent calls, in the order of their requests. Each call also waits for `admit`, which
 * limits the calls per second together with other processes.
 */
export const createThrottle = (inFlight: number, admit?: () => Promise<void>): SharedThrottle => {
  let limit = inFlight;
  let running = 0;
  let started = 0;
  const waiting: (() => void)[] = [];
  const admitWaiting = (): void => {
    while (running < limit && waiting.length > 0) {
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
    setInFlight: (next) => {
      limit = Math.max(1, Math.floor(next));
      admitWaiting();
    },
    enter: async () => {
      if (running < limit && waiting.length === 0) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
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

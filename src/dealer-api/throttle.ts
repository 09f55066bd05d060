import type { Throttle } from './transport.ts';

export interface SharedThrottle extends Throttle {
  /** How many calls may be under way from now on; those that are stay. */
  setInFlight(inFlight: number): void;
  /** Calls that have started so far. */
  started(): number;
}

/**
 * At most `inFlight` calls at once, first come first served, and each waits for `admit` before it starts
 * (a limit of calls per second that is shared with other processes).
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

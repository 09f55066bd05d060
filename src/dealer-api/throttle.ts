import type { Throttle } from './transport.ts';

/**
 * At most `inFlight` calls at once, first come first served, and each waits for `admit` before it starts
 * (a limit of calls per second that may be shared with other processes).
 */
export const createThrottle = (inFlight: number, admit?: () => Promise<void>): Throttle => {
  let free = inFlight;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    enter: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        await admit?.();
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
  };
};

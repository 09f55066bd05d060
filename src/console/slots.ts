/** A semaphore: lets at most `atOnce` through, the others wait. `enter` returns false if too many are already waiting. */
export const createSlots = (atOnce: number, mostWaiting = Number.POSITIVE_INFINITY) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    enter: async (): Promise<boolean> => {
      if (running < atOnce) {
        running += 1;
        return true;
      }
      if (waiting.length >= mostWaiting) return false;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return true;
    },
    leave: (): void => {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    },
  };
};

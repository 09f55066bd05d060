/** Lets only so many at a time through; the others wait for their turn. `enter` is false where too many wait already. */
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

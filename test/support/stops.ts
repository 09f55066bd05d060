/** Where work stops: by what it is about (a PO number, a file name), the nth passing of a named checkpoint. */
export type Stops = Record<string, { at: string; nth: number; how: 'wait' | 'throw' }>;

/**
 * Checkpoints that stop where they are told to, each once: waiting until they are let go, or throwing.
 * @param tell hears of each stop as it is reached
 */
export const createStops = (stops: Stops, tell: (name: string, about: string) => void) => {
  const passed = new Map<string, number>();
  const waiting = new Set<() => void>();
  let open = false;
  return {
    pass: async (name: string, about: string): Promise<void> => {
      const stop = stops[about];
      if (stop?.at !== name || open) return;
      const times = (passed.get(about) ?? 0) + 1;
      passed.set(about, times);
      if (times !== stop.nth) return;
      tell(name, about);
      if (stop.how === 'throw') throw new Error(`a planted error at ${name} of ${about}`);
      await new Promise<void>((resolve) => waiting.add(resolve));
    },
    letGo: (): void => {
      open = true;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
};

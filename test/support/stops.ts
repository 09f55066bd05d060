/** Where work stops: for a PO number or file name, the nth time that a named checkpoint is passed. */
export type Stops = Record<string, { at: string; nth: number; how: 'wait' | 'throw' }>;

/**
 * Checkpoints that each stop once as `stops` says: they wait until `release`, or throw.
 * @param onStop called when a stop is reached
 */
export const createStops = (stops: Stops, onStop: (name: string, about: string) => void) => {
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
      onStop(name, about);
      if (stop.how === 'throw') throw new Error(`a planted error at ${name} of ${about}`);
      await new Promise<void>((resolve) => waiting.add(resolve));
    },
    release: (): void => {
      open = true;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
};

/**
 * Does work for each entry, for at most `atOnce` of them at the same time.
 * @returns the results, in the order of the entries; rejects with the first error
 */
export const mapAtOnce = async <T, R>(
  entries: readonly T[],
  atOnce: number,
  work: (entry: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = new Array(entries.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < entries.length; at = next++) results[at] = await work(entries[at]!);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, entries.length) }, lane));
  return results;
};

/** Runs at most `atOnce` pieces of work at the same time; others wait in the order of their requests. */
export const createTurns = (atOnce: number): (<R>(work: () => Promise<R>) => Promise<R>) => {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};

/** The last reading. `pending`: the first one has not ended yet. */
export type Reading<T> = { kind: 'read'; value: T; at: Date } | { kind: 'failed' } | { kind: 'pending' };

/** Slow readings are made less often, so that reading never takes more than a twentieth of the time. */
const restPerWork = 19;

/** Resolves to `late` if the work takes longer. */
const within = async <T, L>(work: Promise<T>, limitMs: number, late: L): Promise<T | L> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), limitMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Reads something regularly while there are requests for it, so that each request is answered at once.
 *
 * @param options.everyMs the time between two readings
 * @param options.idleMs reading stops after this time without requests; the next request waits for a new reading
 * @param options.patienceMs how long the first request waits
 */
export const createFreshReading = <T>(
  read: () => Promise<T>,
  options: { everyMs: number; idleMs: number; patienceMs: number },
): { current(): Promise<Reading<T>>; stop(): void } => {
  let latest: Reading<T> = { kind: 'pending' };
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let askedAt = 0;
  let stopped = false;

  const refresh = async (): Promise<void> => {
    const startedAt = performance.now();
    latest = await read().then(
      (value): Reading<T> => ({ kind: 'read', value, at: new Date() }),
      () => ({ kind: 'failed' }),
    );
    if (stopped) return;
    const restMs = Math.max(options.everyMs, restPerWork * (performance.now() - startedAt));
    timer = setTimeout(() => {
      if (performance.now() - askedAt < options.idleMs) {
        reading = refresh();
        return;
      }
      latest = { kind: 'pending' };
      reading = undefined;
    }, restMs).unref();
  };

  return {
    current: async () => {
      askedAt = performance.now();
      reading ??= refresh();
      if (latest.kind === 'pending') await within(reading, options.patienceMs, undefined);
      return latest;
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};

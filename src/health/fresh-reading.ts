/** What was read last. `failed`: it could not be read. `pending`: the first reading has not ended yet. */
export type Reading<T> = { kind: 'read'; value: T; at: Date } | { kind: 'failed' } | { kind: 'pending' };

/** What takes long is read less often, so that it never uses more than a twentieth of the time. */
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
 * Reads something regularly while it is asked for, so that each request is answered at once.
 *
 * @param options.everyMs the time between two readings
 * @param options.idleMs nobody has asked for this long: reading stops, and the next one who asks waits for a new one
 * @param options.patienceMs how long the first one who asks waits
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

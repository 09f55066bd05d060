/** Random numbers that a seed determines (mulberry32). */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  chance(probability: number): boolean;
  between(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (low, high) => low + next() * (high - low),
    pick: (from) => from[Math.floor(next() * from.length)]!,
  };
};

interface Event {
  at: number;
  tie: number;
  work: () => void;
}

/** Simulated time that jumps from event to event; the seed determines the order of simultaneous events. */
export interface Scheduler {
  now(): number;
  after(delayMs: number, work: () => void): void;
  /** Runs events until `done` returns true or none is left; false when `limitMs` was reached first. */
  run(done: () => boolean, limitMs: number): Promise<boolean>;
}

export const createScheduler = (random: Random): Scheduler => {
  const heap: Event[] = [];
  let now = 0;
  const before = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.tie < b.tie);
  const push = (event: Event): void => {
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  };
  const pop = (): Event | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
      if (!before(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  };
  return {
    now: () => now,
    after: (delayMs, work) => push({ at: now + Math.max(0, delayMs), tie: random.next(), work }),
    run: async (done, limitMs) => {
      // Wait a macrotask, so that all promises of an event settle before the next event.
      await new Promise(setImmediate);
      while (!done()) {
        const event = pop();
        if (!event) return true;
        if (event.at > limitMs) return false;
        now = event.at;
        event.work();
        await new Promise(setImmediate);
      }
      return true;
    },
  };
};

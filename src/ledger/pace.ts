import { setTimeout as sleep } from 'node:timers/promises';

/** Target time of one statement that removes rows: a worker's next commit waits for its WAL, and it occupies a processor. */
const targetMs = 40;
const firstRows = 500;
const fewestRows = 50;
const mostRows = 10_000;
/** Caps the rest after a step that stalled with the database or machine, whose time says nothing about its cost. */
const longestRestMs = 1000;

/** Background work beside placing, in steps sized by the duration of the last one. */
export interface Pace {
  /**
   * Does one step, then rests as long as the steps since the last rest took, at most a second, so that such work takes at most half of the
   * time.
   *
   * @param work gets the number of rows that it may read, and resolves to how many it read
   */
  step<T extends { read: number }>(work: (rows: number) => Promise<T>): Promise<T>;
}

export const createPace = ({
  now = () => performance.now(),
  rest = sleep,
}: {
  now?: () => number;
  rest?: (ms: number) => Promise<unknown>;
} = {}): Pace => {
  let rows = firstRows;
  let workedMs = 0;
  return {
    step: async (work) => {
      const startedAt = now();
      const done = await work(rows);
      const tookMs = now() - startedAt;
      workedMs += tookMs;
      // A step that ran out of rows says nothing about larger steps.
      if (tookMs > targetMs || done.read >= rows) {
        const change = Math.min(2, targetMs / Math.max(1, tookMs));
        rows = Math.round(Math.min(mostRows, Math.max(fewestRows, rows * change)));
      }
      if (workedMs >= targetMs) {
        await rest(Math.min(workedMs, longestRestMs));
        workedMs = 0;
      }
      return done;
    },
  };
};

import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long one statement may take that removes rows: the commit of a worker that comes after it waits for what it wrote, and a
 * processor that it uses does nothing else.
 */
const targetMs = 40;
const firstRows = 500;
const fewestRows = 50;
const mostRows = 10_000;
/** The time of a step that stalled, because the database or the machine did, says nothing about its cost. */
const longestRestMs = 1000;

/** Work that runs beside placing, in steps that are as large as the time of the last one allows. */
export interface Pace {
  /**
   * Does one step, then rests as long as the steps since the last rest took, so that such work never takes more than half
   * of the time; at most a second.
   *
   * @param work is told how many rows it may read, and resolves to how many it did
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
      // A step with fewer rows than it could have says nothing about larger ones.
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

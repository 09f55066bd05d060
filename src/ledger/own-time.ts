import { stat } from 'node:fs';

const tickMs = 50;
/** A tick that comes later than this was late because of this process, and counts only as one. */
const onTimeMs = 2 * tickMs;

/** `over`: so much time has passed in which this process ran. `starved`: it hardly runs. */
export type OwnTime = 'over' | 'starved';

/**
 * Waits for so much time in which this process itself could have noticed an answer: its event loop came round, and its thread pool, which
 * looks up names and checks passwords, took work. Where that is not so, nothing is known of anybody else, however late their answer seems.
 * @param starvedAfterMs by the clock, it waits no longer than this
 */
export const ownTime = (
  limitMs: number,
  starvedAfterMs: number,
): { passed: Promise<OwnTime>; stop(): void } => {
  const startedAt = performance.now();
  let lastAt = startedAt;
  let countedMs = 0;
  let poolIsFree = true;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<OwnTime>((resolve) => {
    timer = setInterval(() => {
      const now = performance.now();
      const sinceMs = now - lastAt;
      lastAt = now;
      if (poolIsFree) {
        countedMs += Math.min(sinceMs, onTimeMs);
        poolIsFree = false;
        stat('/', () => {
          poolIsFree = true;
        });
      }
      if (countedMs >= limitMs) resolve('over');
      else if (now - startedAt >= starvedAfterMs) resolve('starved');
    }, tickMs);
  });
  return { passed, stop: () => clearInterval(timer) };
};

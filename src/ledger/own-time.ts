import { stat } from 'node:fs';

const tickMs = 50;
/** A tick later than this was delayed by this process, and counts as one tick. */
const onTimeMs = 2 * tickMs;

/** `over`: the time has passed while this process was responsive. `starved`: this process hardly runs. */
export type OwnTime = 'over' | 'starved';

/**
 * Waits for this much time in which the process could have noticed an answer: its event loop turned, and its thread pool (DNS lookups,
 * password checks) took work. A blocked process cannot conclude that a peer is slow, however late the answer seems.
 * @param starvedAfterMs maximum wait by the clock
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

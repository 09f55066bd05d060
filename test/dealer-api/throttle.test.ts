import { describe, expect, test } from 'vitest';
import { createThrottle } from '../../src/dealer-api/throttle.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Calls that start in order; `entered` lists those that started, `end` ends one. */
const callers = (throttle: ReturnType<typeof createThrottle>, count: number) => {
  const entered: number[] = [];
  const ends = new Map<number, () => void>();
  for (let nth = 0; nth < count; nth += 1) {
    void throttle.enter().then((end) => {
      entered.push(nth);
      ends.set(nth, end);
    });
  }
  return {
    entered,
    end: async (nth: number) => {
      ends.get(nth)!();
      await settle();
    },
  };
};

describe('calls in flight', () => {
  test('never exceed the limit, and the one that waited longest is next', async () => {
    const throttle = createThrottle(2);
    const { entered, end } = callers(throttle, 5);
    await settle();
    expect(entered).toEqual([0, 1]);
    await end(1);
    await end(0);
    expect(entered).toEqual([0, 1, 2, 3]);
    // A new call waits behind those that are already waiting.
    const late = callers(throttle, 1);
    await end(2);
    expect([entered.at(-1), late.entered]).toEqual([4, []]);
    await end(3);
    expect(late.entered).toEqual([0]);
    expect(throttle.started()).toBe(6);
  });

  test('follow a limit that is lowered and raised while calls run', async () => {
    const throttle = createThrottle(4);
    const { entered, end } = callers(throttle, 8);
    await settle();
    throttle.setInFlight(2);
    await end(0);
    await end(1);
    expect(entered).toHaveLength(4);
    await end(2);
    expect(entered).toHaveLength(5);
    throttle.setInFlight(4);
    await settle();
    expect(entered).toHaveLength(7);
  });

  test('are at least one, even if the share is smaller', async () => {
    const throttle = createThrottle(4);
    throttle.setInFlight(0.3);
    const { entered } = callers(throttle, 2);
    await settle();
    expect(entered).toEqual([0]);
  });

  test('release their slot when they are not admitted', async () => {
    let admitted = false;
    const throttle = createThrottle(1, async () => {
      if (!admitted) throw new Error('no');
    });
    await expect(throttle.enter()).rejects.toThrow('no');
    admitted = true;
    (await throttle.enter())();
    expect(throttle.started()).toBe(1);
  });
});

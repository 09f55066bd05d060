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
    const throttle = createThrottle(() => 2);
    const { entered, end } = callers(throttle, 5);
    await settle();
    expect(entered).toEqual([0, 1]);
    await end(1);
    await end(0);
    expect(entered).toEqual([0, 1, 2, 3]);
    // A new call waits behind those already waiting.
    const late = callers(throttle, 1);
    await end(2);
    expect([entered.at(-1), late.entered]).toEqual([4, []]);
    await end(3);
    expect(late.entered).toEqual([0]);
    expect(throttle.started()).toBe(6);
  });

  test('follow a limit that is lowered and raised while calls run', async () => {
    let limit = 4;
    const throttle = createThrottle(() => limit);
    const { entered, end } = callers(throttle, 8);
    await settle();
    limit = 2;
    await end(0);
    await end(1);
    expect(entered).toHaveLength(4);
    await end(2);
    expect(entered).toHaveLength(5);
    limit = 4;
    throttle.admitWaiting();
    await settle();
    expect(entered).toHaveLength(7);
  });

  test('that have to wait say so, and none starts while the limit is 0', async () => {
    let limit = 0;
    let waits = 0;
    const throttle = createThrottle(
      () => limit,
      undefined,
      () => {
        waits += 1;
      },
    );
    const { entered } = callers(throttle, 2);
    await settle();
    expect([entered, waits, throttle.waiting(), throttle.running()]).toEqual([[], 2, 2, 0]);
    limit = 1;
    throttle.admitWaiting();
    await settle();
    expect([entered, throttle.waiting(), throttle.running()]).toEqual([[0], 1, 1]);
  });

  test('release their slot when they are not admitted', async () => {
    let admitted = false;
    const throttle = createThrottle(
      () => 1,
      async () => {
        if (!admitted) throw new Error('no');
      },
    );
    await expect(throttle.enter()).rejects.toThrow('no');
    admitted = true;
    (await throttle.enter())();
    expect(throttle.started()).toBe(1);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CallShare, shareOut } from '../../src/dealer-api/share-out.ts';

/** How long a process uses a share without asking again. */
const usableMs = 10_000;
/** No call lasts longer. */
const longestCallMs = 15_000;
/** A share counts until the last call that it allowed has ended. */
const validMs = usableMs + longestCallMs;

/** Processes that ask one after the other at the times of a schedule, and use no more than they got. */
const createProcesses = (limit: number) => {
  let shares: Record<string, CallShare> = {};
  const mine = new Map<string, { usable: number; begun: readonly number[]; askedAt: number }>();
  const of = (process: string) =>
    mine.get(process) ?? { usable: 0, begun: [], askedAt: Number.NEGATIVE_INFINITY };
  const runningOf = (process: string, now: number) =>
    of(process).begun.filter((begunAt) => begunAt + longestCallMs > now);
  return {
    of,
    ask: (process: string, wanted: number, now: number) => {
      const begun = runningOf(process, now);
      const running = begun.length;
      const result = shareOut(shares, {
        process,
        limit,
        running,
        wanted: Math.max(wanted, running),
        now,
        validMs,
      });
      shares = result.shares;
      mine.set(process, { usable: result.usable, begun, askedAt: now });
      return result.usable;
    },
    /** Starts as many calls as the process may, and ends some first. */
    work: (process: string, wanted: number, ends: number, now: number) => {
      const one = of(process);
      const left = runningOf(process, now).slice(ends);
      const usable = now - one.askedAt < usableMs ? one.usable : 0;
      const starts = Math.max(0, Math.min(wanted, usable) - left.length);
      mine.set(process, { ...one, begun: [...left, ...Array<number>(starts).fill(now)] });
    },
    kill: (process: string) => mine.delete(process),
    running: (now: number) =>
      [...mine.keys()].reduce((sum, process) => sum + runningOf(process, now).length, 0),
  };
};

describe('the calls of an account', () => {
  test('that are running are never more than the limit, whatever the processes want, when they ask and when they die', () => {
    const step = fc.record({
      process: fc.integer({ min: 1, max: 6 }).map(String),
      wanted: fc.integer({ min: 0, max: 40 }),
      ends: fc.integer({ min: 0, max: 5 }),
      afterMs: fc.integer({ min: 0, max: 12_000 }),
      does: fc.constantFrom('asks', 'asks', 'works', 'works', 'dies'),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
        const processes = createProcesses(limit);
        let now = 0;
        for (const { process, wanted, ends, afterMs, does } of steps) {
          now += afterMs;
          if (does === 'asks') processes.ask(process, wanted, now);
          else if (does === 'works') processes.work(process, wanted, ends, now);
          else processes.kill(process);
          expect(processes.running(now)).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('all go to the only process that needs some', () => {
    const processes = createProcesses(16);
    expect(processes.ask('a', 1, 0)).toBe(16);
    processes.ask('a', 0, 1000);
    expect(processes.ask('b', 3, 1001)).toBe(16);
  });

  test.each([
    [16, [40, 40], [8, 8]],
    [17, [40, 40], [8, 9]],
    [16, [2, 40], [2, 14]],
    [10, [2, 2], [5, 5]],
    [2, [5, 5], [1, 1]],
  ])('of %i are shared fairly by processes that want %j', (limit, wanted, fair) => {
    const processes = createProcesses(limit);
    const names = ['a', 'b'];
    for (let round = 0; round < 4; round += 1) {
      names.forEach((name, at) => {
        processes.ask(name, wanted[at]!, round * 1000);
      });
    }
    expect(names.map((name) => processes.of(name).usable).toSorted((x, y) => x - y)).toEqual(fair);
  });

  test('are used in turns by more processes than there are calls: each gets its turn', () => {
    const processes = createProcesses(2);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const turns = new Map(names.map((name) => [name, 0]));
    let busy = 0;
    for (let now = 0; now < 60_000; now += 200) {
      for (const name of names) {
        processes.ask(name, 3, now);
        processes.work(name, 3, 3, now);
        if (processes.of(name).usable > 0) turns.set(name, turns.get(name)! + 1);
      }
      busy += processes.running(now);
    }
    // 300 rounds of two calls each: every process got about 100 calls, and hardly any was unused.
    for (const count of turns.values()) expect(count).toBeGreaterThan(60);
    expect(busy).toBeGreaterThan(0.8 * 600);
  });

  test('of a killed process go to others once its share no longer counts', () => {
    const processes = createProcesses(4);
    processes.ask('a', 4, 0);
    processes.kill('a');
    expect(processes.ask('b', 4, validMs - 1)).toBe(0);
    expect(processes.ask('b', 4, validMs + 1)).toBe(4);
  });
});

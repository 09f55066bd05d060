import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { learnLongest, longestToAsk } from '../../src/tracking/learn-range.ts';
import { type PollAge, planPoll } from '../../src/tracking/plan-poll.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const defaults = [
  { olderThanDays: 14, everyMs: hourMs },
  { olderThanDays: 30, everyMs: 4 * hourMs },
  { olderThanDays: 90, everyMs: dayMs },
];
const today = 20_000;
const at = new Date(today * dayMs + 12 * hourMs);
const never = new Map<number, Date>();
const justNow = new Map(defaults.map(({ olderThanDays }) => [olderThanDays, at]));
const plan = (openDays: number[], askedAt: ReadonlyMap<number, Date> = justNow, all = false) =>
  planPoll({ today, openDays, ages: defaults, askedAt, at, all });

describe('the range of a poll', () => {
  test('covers fresh orders, with a day more on both ends', () => {
    expect(plan([today - 3, today]).range).toEqual({ first: today - 4, last: today + 1 });
  });

  test('does not grow with a PO that is held for 90 days or more, except when its age is due', () => {
    for (const age of [15, 31, 91, 170]) {
      expect(plan([today - age, today - 2, today]).range).toEqual({ first: today - 3, last: today + 1 });
      expect(plan([today - age, today - 2, today], never).range).toEqual({
        first: today - age - 1,
        last: today + 1,
      });
    }
  });

  test('covers every open order when a person asks, or when no age has an interval', () => {
    expect(plan([today - 170, today], justNow, true).range.first).toBe(today - 171);
    const open = { today, openDays: [today - 170, today], askedAt: justNow, at, all: false };
    expect(planPoll({ ...open, ages: [] }).range.first).toBe(today - 171);
  });

  test('does not go back to an age without an open order', () => {
    expect(plan([today - 40, today], never).range.first).toBe(today - 41);
    const askedAt = new Map([[30, at]]);
    expect(plan([today - 40, today], askedAt).range.first).toBe(today - 1);
    expect(plan([today - 40], askedAt).range.first).toBe(today - 1);
  });

  test('is due again after the clock was set back', () => {
    const askedAt = new Map([[90, new Date(at.getTime() + 5 * dayMs)]]);
    expect(plan([today - 100], askedAt).range.first).toBe(today - 101);
  });
});

interface Settings {
  ages: PollAge[];
  pollMs: number;
  /** Ages on the first day of POs that stay open for the whole time. */
  openAges: number[];
  /** Delays of the polls, in turn. */
  lateMs: number[];
}

const settings: fc.Arbitrary<Settings> = fc.record({
  ages: fc
    .uniqueArray(
      fc.record({
        olderThanDays: fc.integer({ min: 1, max: 120 }),
        everyMs: fc.integer({ min: 1, max: 48 }).map((hours) => hours * hourMs),
      }),
      { maxLength: 4, selector: ({ olderThanDays }) => olderThanDays },
    )
    .map((ages) => ages.sort((one, other) => one.olderThanDays - other.olderThanDays)),
  pollMs: fc.integer({ min: 1, max: 26 }).map((hours) => hours * hourMs),
  openAges: fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 12 }),
  lateMs: fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 20 }),
});

const days = 6;

/** Simulates the polls of some days, with the ledger's memory. */
const runPolls = function* ({ ages, pollMs, openAges, lateMs }: Settings) {
  const openDays = [...new Set(openAges.map((age) => today - age))].sort((one, other) => one - other);
  const askedAt = new Map<number, Date>();
  for (let turn = 0; turn * pollMs < days * dayMs; turn += 1) {
    const now = new Date(today * dayMs + turn * pollMs + lateMs[turn % lateMs.length]!);
    const day = Math.floor(now.getTime() / dayMs);
    const planned = planPoll({ today: day, openDays, ages, askedAt, at: now, all: false });
    for (const { olderThanDays } of planned.ages) if (olderThanDays > 0) askedAt.set(olderThanDays, now);
    yield { now, day, openDays, range: planned.range };
  }
};

test('every open order is asked for within the interval of its age and one poll, up to tomorrow', () => {
  fc.assert(
    fc.property(settings, (given) => {
      const last = new Map<number, number>();
      for (const { now, day, openDays, range } of runPolls(given)) {
        expect(range.last).toBe(day + 1);
        for (const open of openDays) {
          const age = given.ages.findLast(({ olderThanDays }) => day - open > olderThanDays);
          if (range.first <= open - 1) last.set(open, now.getTime());
          else expect(now.getTime() - last.get(open)!).toBeLessThan(age?.everyMs ?? 0);
        }
      }
    }),
  );
});

test('polls go back beyond fresh orders no more often than the ages are due', () => {
  fc.assert(
    fc.property(settings, (given) => {
      const youngest = given.ages[0]?.olderThanDays ?? Number.POSITIVE_INFINITY;
      const beyond = [...runPolls(given)].filter(({ day, range }) => range.first < day - youngest - 1);
      const due = given.ages.map(({ everyMs }) => 1 + (days * dayMs) / (0.9 * everyMs));
      expect(beyond.length).toBeLessThanOrEqual(due.reduce((sum, times) => sum + times, 0));
    }),
  );
});

describe('the longest range', () => {
  const learn = (
    known: number | undefined,
    asked: number | undefined,
    longestRead: number,
    shortestTooLong?: number,
  ) => learnLongest({ days: known, learnedAt: at }, asked, { longestRead, shortestTooLong });

  test('is learned from a range that failed and a shorter one that was answered', () => {
    expect(learn(undefined, undefined, 7, 14)).toBe(7);
    expect(learn(7, 7, 4, 7)).toBe(4);
    expect(learn(7, 14, 7, 14)).toBe(7);
  });

  test('is not learned from a service that answers nothing, or everything', () => {
    expect(learn(undefined, undefined, 0, 2)).toBeUndefined();
    expect(learn(undefined, undefined, 90)).toBeUndefined();
    expect(learn(7, 7, 7)).toBeUndefined();
  });

  test('does not shrink because of one day that has too many orders', () => {
    expect(learn(7, 7, 7, 2)).toBeUndefined();
  });

  test('grows when a longer one is answered, which is tried after an hour', () => {
    expect(longestToAsk({ days: undefined, learnedAt: undefined }, at)).toBeUndefined();
    expect(longestToAsk({ days: 7, learnedAt: at }, at)).toBe(7);
    expect(longestToAsk({ days: 7, learnedAt: at }, new Date(at.getTime() + hourMs))).toBe(14);
    expect(learn(7, 14, 14)).toBe(14);
    expect(learn(7, 14, 10)).toBe(10);
  });
});

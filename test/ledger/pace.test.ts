import { expect, test } from 'vitest';
import { createPace } from '../../src/ledger/pace.ts';

/** A pace on a simulated clock; each row of a step takes `msOfRow()`. */
const onClock = (msOfRow: () => number) => {
  let clockMs = 0;
  const steps: { rows: number; tookMs: number }[] = [];
  const rests: number[] = [];
  const pace = createPace({
    now: () => clockMs,
    rest: async (ms) => {
      rests.push(ms);
      clockMs += ms;
    },
  });
  /** `of`: total number of rows. */
  const step = (of = Number.POSITIVE_INFINITY) =>
    pace.step(async (limit) => {
      const read = Math.min(limit, of);
      const tookMs = read * msOfRow();
      clockMs += tookMs;
      steps.push({ rows: read, tookMs });
      return { read };
    });
  return { step, steps, rests };
};

test.each([0.001, 0.01, 0.1, 0.5])(
  'steps become as large as the time allows, at %d ms a row, and at least half of the time is rest',
  async (msOfRow) => {
    const on = onClock(() => msOfRow);
    for (let nth = 0; nth < 40; nth += 1) await on.step();
    const late = on.steps.slice(10);
    expect(Math.max(...late.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(40);
    expect(Math.min(...late.map(({ rows }) => rows))).toBeGreaterThanOrEqual(Math.min(10_000, 36 / msOfRow));
    const workedMs = on.steps.reduce((sum, { tookMs }) => sum + tookMs, 0);
    const restedMs = on.rests.reduce((sum, ms) => sum + ms, 0);
    // The work after the last rest is less than one step may take.
    expect(restedMs).toBeGreaterThan(workedMs - 40);
  },
);

test('after a step that took long the next one is small, and steps grow again slowly', async () => {
  let msOfRow = 0.01;
  const on = onClock(() => msOfRow);
  for (let nth = 0; nth < 20; nth += 1) await on.step();
  const before = on.steps.at(-1)!.rows;
  msOfRow = 1;
  await on.step();
  await on.step();
  expect(on.steps.at(-1)!.tookMs).toBeLessThanOrEqual(50);
  msOfRow = 0.01;
  await on.step();
  await on.step();
  expect(on.steps.at(-1)!.rows).toBeLessThanOrEqual(before / 10);
  for (let nth = 0; nth < 20; nth += 1) await on.step();
  expect(on.steps.at(-1)!.rows).toBe(before);
});

test('steps with few rows change nothing, and their time adds up to a rest', async () => {
  const on = onClock(() => 1);
  for (let nth = 0; nth < 8; nth += 1) await on.step(5);
  expect(on.rests).toEqual([40]);
  await on.step(400);
  expect(on.steps.at(-1)!.rows).toBe(400);
});

test('a step that stalled for a minute is followed by a second of rest', async () => {
  const on = onClock(() => 60);
  await on.step(1000);
  expect(on.rests).toEqual([1000]);
});

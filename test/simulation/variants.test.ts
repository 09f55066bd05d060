import { expect, test } from 'vitest';
import { heldShare, runSeeds, wentThrough } from './run-seeds.ts';

test('on every variant of the service, and every pair of them, nothing is lost, double or wrong', async () => {
  const run = await runSeeds('odd');
  expect(run.broken).toEqual([]);
  expect(wentThrough(run), JSON.stringify(run.went)).toBe(true);
  // Where submission keeps the cart, an unknown submission that left no order has to be held.
  expect(heldShare(run)).toBeLessThan(0.05);
}, 110_000);

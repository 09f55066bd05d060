import { expect, test } from 'vitest';
import { heldShare, runSeeds, wentThrough } from './run-seeds.ts';

test('on the default service every PO becomes exactly one order, or ends clearly, whatever fails', async () => {
  const run = await runSeeds('even');
  expect(run.broken).toEqual([]);
  expect(wentThrough(run), JSON.stringify(run.went)).toBe(true);
  // Heavy storms included. All held would be a failure too.
  expect(heldShare(run)).toBeLessThan(0.01);
}, 110_000);

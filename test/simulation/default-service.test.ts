import { expect, test } from 'vitest';
import { heldShare, metEveryEvent, runSeeds } from './run-seeds.ts';

test('on the default service every PO becomes exactly one order or is clearly held or failed, no matter what fails', async () => {
  const run = await runSeeds('even');
  expect(run.broken).toEqual([]);
  expect(metEveryEvent(run), JSON.stringify(run.met)).toBe(true);
  // Despite bursts of faults, holding every PO would be a failure, too.
  expect(heldShare(run)).toBeLessThan(0.01);
}, 300_000);

import { expect, test } from 'vitest';
import { heldShare, metEveryEvent, runSeeds } from './run-seeds.ts';

test('on every variant of the service and every pair of variants no PO is lost, ordered twice or ordered wrong', async () => {
  const run = await runSeeds('odd');
  expect(run.broken).toEqual([]);
  expect(metEveryEvent(run), JSON.stringify(run.met)).toBe(true);
  // If submission keeps the cart, an unknown submission without an order must be held.
  expect(heldShare(run)).toBeLessThan(0.05);
}, 300_000);

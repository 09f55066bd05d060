import { expect, test } from 'vitest';
import { scoreFolder } from '../../../bench/support/score-mapping.ts';

test('of the labelled order exports none is mapped wrong, and most are mapped right', async () => {
  const scores = await scoreFolder(new URL('../../fixtures/order-exports/', import.meta.url));
  expect(scores.length).toBeGreaterThan(40);
  expect(scores.filter(({ result }) => result === 'harmful')).toEqual([]);
  expect(scores.filter(({ mappable, result }) => !mappable && result !== 'right')).toEqual([]);
  const mappable = scores.filter((score) => score.mappable);
  const right = mappable.filter(({ result }) => result === 'right');
  expect(right.length / mappable.length).toBeGreaterThanOrEqual(0.85);
});

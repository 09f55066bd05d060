import { expect, test } from 'vitest';
import { scoreFolder } from '../../../bench/support/score-mapping.ts';

test.each([
  ['order-exports', 40],
  ['more-order-exports', 200],
])('of the labelled %s none is mapped wrong, and most are mapped right', async (folder, least) => {
  const scores = await scoreFolder(new URL(`../../fixtures/${folder}/`, import.meta.url));
  expect(scores.length).toBeGreaterThan(least);
  expect(scores.filter(({ result }) => result === 'harmful')).toEqual([]);
  expect(scores.filter(({ mappable, result }) => !mappable && result !== 'right')).toEqual([]);
  const mappable = scores.filter((score) => score.mappable);
  const right = mappable.filter(({ result }) => result === 'right');
  expect(right.length / mappable.length).toBeGreaterThanOrEqual(0.85);
});

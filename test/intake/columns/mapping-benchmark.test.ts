import { expect, test } from 'vitest';
import { acceptAll, confirmAsLabelled } from '../../../bench/support/confirm-mapping.ts';
import { labelsIn, pathOf, scoreFolder } from '../../../bench/support/score-mapping.ts';

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

// bench/mapping scores all of them.
test.each([
  ['order-exports', 1],
  ['more-order-exports', 6],
])(
  'each of the labelled %s can be ordered after a few choices, and who accepts all orders none that is no order',
  async (name, every) => {
    const folder = new URL(`../../fixtures/${name}/`, import.meta.url);
    const wrong: string[] = [];
    const choices: number[] = [];
    for (const label of (await labelsIn(folder)).filter((_, at) => at % every === 0)) {
      const file = { label, path: pathOf(folder, label.file) };
      if (Array.isArray(label.expect)) {
        const confirmed = await confirmAsLabelled(file);
        choices.push(confirmed.choices.length);
        wrong.push(...confirmed.wrong.map((one) => `${label.file}, ${one}`));
      } else wrong.push(...(await acceptAll(file)).map(({ rowNumber }) => `${label.file}, row ${rowNumber}`));
    }
    expect(wrong).toEqual([]);
    expect(choices.filter((count) => count > 1).length / choices.length).toBeLessThanOrEqual(0.1);
  },
);

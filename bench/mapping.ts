// What `cartwright map` proposes for labelled order exports, by kind of file. Nothing is timed.
import { existsSync } from 'node:fs';
import { realOrderExports } from '../test/support/real-files.ts';
import type { Figure } from './support/figures.ts';
import { type Score, scoreFolder } from './support/score-mapping.ts';

// Compiled, this file is in dist/bench; the files are beside the source, and further ones beside the repository.
const ours = new URL('../test/fixtures/order-exports/', import.meta.url.replace('/dist/', '/'));
/** Collected by people who did not know the rules. */
const more = new URL('../test/fixtures/more-order-exports/', import.meta.url.replace('/dist/', '/'));

const results: Score['result'][] = ['right', 'miss', 'harmful', 'refused'];
const share = (scores: readonly Score[]) =>
  results.map((result) => `${result} ${scores.filter((score) => score.result === result).length}`).join(', ');

/** @param options.only a file, or a part of its name: prints the reasons of its score */
export const run = async (options: { only?: string } = {}): Promise<Figure[]> => {
  const hasAll = existsSync(realOrderExports);
  const scores = await scoreFolder(hasAll ? realOrderExports : ours);
  const further = await scoreFolder(more);
  const { only } = options;
  if (only !== undefined)
    return [...scores, ...further]
      .filter(({ file }) => file.includes(only))
      .map(({ file, result, reasons }) => ({ name: file, value: [result, ...reasons].join('; ') }));
  const mappable = scores.filter((score) => score.mappable);
  const others = scores.filter((score) => !score.mappable);
  const kinds = [...new Set(mappable.map(({ difficulty }) => difficulty))].sort();
  const right = mappable.filter(({ result }) => result === 'right').length;
  return [
    {
      name: 'files',
      value: hasAll
        ? scores.length
        : `${scores.length}, without the real ones, which are not on this machine`,
    },
    { name: 'harmful', value: scores.filter(({ result }) => result === 'harmful').length, target: '= 0' },
    {
      name: 'right, of the files that can be mapped (%)',
      value: (100 * right) / mappable.length,
      target: '>= 85',
    },
    ...kinds.map((kind) => ({
      name: `can be mapped: ${kind}`,
      value: share(mappable.filter(({ difficulty }) => difficulty === kind)),
    })),
    { name: 'cannot be mapped', value: share(others) },
    {
      name: 'not right',
      value:
        scores
          .filter(({ result }) => result !== 'right')
          .map(({ file, result }) => `${file} (${result})`)
          .join(', ') || 'none',
    },
    { name: 'further files', value: further.length },
    {
      name: 'further files: harmful',
      value: further.filter(({ result }) => result === 'harmful').length,
      target: '= 0',
    },
    {
      name: 'further files: right, of those that can be mapped (%)',
      value:
        (100 * further.filter((one) => one.mappable && one.result === 'right').length) /
        further.filter((one) => one.mappable).length,
      target: '>= 85',
    },
  ];
};

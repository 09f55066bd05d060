// The quality of proposals for labelled order exports, by kind of file, and the corrections that a person makes on the page. No timing.
import { existsSync } from 'node:fs';
import { realOrderExports } from '../test/support/real-files.ts';
import { acceptAll, confirmAsLabelled } from './support/confirm-mapping.ts';
import { type Figure, median, percentile } from './support/figures.ts';
import { labelsIn, pathOf, type Score, scoreFolder } from './support/score-mapping.ts';

// The compiled file is in dist/bench; the exports are beside the source, and more of them beside the repository.
const ours = new URL('../test/fixtures/order-exports/', import.meta.url.replace('/dist/', '/'));
/** Collected by people who did not know the rules. */
const more = new URL('../test/fixtures/more-order-exports/', import.meta.url.replace('/dist/', '/'));
/** Exports of systems that nobody here had seen before labelling them. */
const unseen = new URL('../order-exports-2/', realOrderExports);

const results: Score['result'][] = ['right', 'miss', 'harmful', 'refused'];
const share = (scores: readonly Score[]) =>
  results.map((result) => `${result} ${scores.filter((score) => score.result === result).length}`).join(', ');

/** The corrections a person makes on the page until the files of a folder can be ordered, and the fate of files that are no orders. */
const confirmFolder = async (name: string, folder: URL): Promise<Figure[]> => {
  const choices: number[] = [];
  const stuck: string[] = [];
  const accepted: string[] = [];
  for (const label of await labelsIn(folder)) {
    const file = { label, path: pathOf(folder, label.file) };
    if (Array.isArray(label.expect)) {
      const confirmed = await confirmAsLabelled(file);
      choices.push(confirmed.choices.length);
      if (confirmed.wrong.length > 0) stuck.push(label.file);
    } else if ((await acceptAll(file)).length > 0) accepted.push(label.file);
  }
  return [
    {
      name: `${name}: can be ordered after the right choices (%)`,
      value: (100 * (choices.length - stuck.length)) / choices.length,
      target: '= 100',
    },
    { name: `${name}: choices to correct, median`, value: median(choices) },
    { name: `${name}: choices to correct, p90`, value: percentile(choices, 0.9) },
    { name: `${name}: choices to correct, most`, value: Math.max(...choices) },
    {
      name: `${name}: are no orders, and would be ordered by who accepts all`,
      value: accepted.length,
      target: '= 0',
    },
    ...(stuck.length + accepted.length > 0
      ? [{ name: `${name}: these are`, value: [...stuck, ...accepted].join(', ') }]
      : []),
  ];
};

/** @param options.only a file, or a part of its name: prints the reasons for its score */
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
    ...(await confirmFolder('labelled files', hasAll ? realOrderExports : ours)),
    ...(await confirmFolder('further files', more)),
    ...(existsSync(unseen)
      ? await confirmFolder('files of unseen systems', unseen)
      : [{ name: 'files of unseen systems', value: 'skipped: they are not on this machine' }]),
  ];
};

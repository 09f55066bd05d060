import { expect, test } from 'vitest';
import { listOpenFiles } from '../../src/ledger/console/needs-person.ts';
import { header, useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText } = staging;
const first = `${header},Ann,DD-1,2\nD-1,Ann,DD-2,3\n`;

/** After these files of an account arrived in order: the files with open rows without a PO. */
const openAfter = async (
  ...files: [text: string, fileName: string, more?: { quoteOnly?: boolean }][]
): Promise<number[]> => {
  const account = newAccount();
  const ids: string[] = [];
  for (const [text, fileName, more] of files)
    ids.push((await stageText(account, text, { fileName, ...more })).importId);
  const open = await listOpenFiles(staging.pool, [account]);
  return open.map(({ id }) => ids.indexOf(id) + 1).sort();
};

test.each([
  ['another order under its name', `${header}D-8,Ann,DD-8,2\n`],
  ['another order with the same item', `${header}D-8,Ann,DD-1,2\n`],
  ['its POs without the row', `${header}D-1,Ann,DD-2,3\n`],
  ['the row alone', `${header}D-2,Ann,DD-1,2\n`],
  ['its POs and more of them', `${header}D-1,Ann,DD-2,3\nD-3,Ann,DD-3,1\nD-4,Ann,DD-4,4\n`],
  [
    'its POs, and a row that is the same as one that it had with a number',
    `${header}D-1,Ann,DD-2,3\nD-3,Ann,DD-2,3\n`,
  ],
])(
  'rows that belong to no PO stay until somebody has seen to them: %s does not say that they are ordered',
  async (_, text) => {
    expect(await openAfter([first, 'md.csv'], [text, 'md.csv'])).toEqual([1]);
  },
);

test('another row without a number in the same POs says nothing of them', async () => {
  const other = `${header},Ann,DD-9,8\nD-1,Ann,DD-2,3\n`;
  expect(await openAfter([first, 'md.csv'], [other, 'md.csv'])).toEqual([1, 2]);
});

test('the same bytes again, or a quote, say nothing of them', async () => {
  expect(
    await openAfter(
      [first, 'md.csv'],
      [`${header}D-2,Ann,DD-1,2\nD-1,Ann,DD-2,3\n`, 'md.csv', { quoteOnly: true }],
    ),
  ).toEqual([1]);
  expect(await openAfter([`${header},Ann,DD-1,2\n`, 'w.csv'], [`${header},Ann,DD-5,2\n`, 'w.csv'])).toEqual([
    1, 2,
  ]);
});

test('they are seen to when the file comes again with them, under whatever name', async () => {
  const mended = `${header}D-1,Ann,DD-2,3\nD-2,Ann,DD-1,2\n`;
  expect(await openAfter([first, 'md.csv'], [mended, 'other.csv'])).toEqual([]);
  const two = `${header},Ann,DD-1,2\n,Ann,DD-7,1\nD-1,Ann,DD-2,3\n`;
  const grown = `${mended}D-3,Ann,DD-3,1\nD-4,Ann,DD-4,4\n`;
  expect(await openAfter([first, 'md.csv'], [grown, 'md.csv'])).toEqual([]);
  // A row that is still wrong in the later file is an entry of that file.
  expect(await openAfter([first, 'md.csv'], [`${first}D-3,Ann,DD-3,1\n`, 'md.csv'])).toEqual([2]);
  expect(
    await openAfter([two, 'md.csv'], [`${header},Ann,DD-7,1\nD-2,Ann,DD-1,2\nD-1,Ann,DD-2,3\n`, 'md.csv']),
  ).toEqual([2]);
});

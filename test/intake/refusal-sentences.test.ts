import { describe, expect, test } from 'vitest';
import { importBytes, refusalOf } from './support/import-file.ts';

const name = (at: number) => `A header that somebody made very long indeed, number ${at}`;
const many = Array.from({ length: 200 }, (_, at) => name(at));
const row = (cells: readonly string[]) => `${cells.join(',')}\n`;
const below = row(many.map((_, at) => `value ${at}`)).repeat(5);
const layouts = Object.fromEntries(
  many.map((header, at) => [
    `layout ${at} for one of many dealers`,
    { columns: { [header]: 'po_number' as const } },
  ]),
);

/** About ten lines of a terminal: a sentence, the findings, and what to do. */
const longest = 800;

describe('a refusal fits on a screen, whatever the file', () => {
  test.each<[string, string, Parameters<typeof importBytes>[2]]>([
    ['200 long headers', `${row(many)}${below}`, {}],
    [
      '200 long headers, of which all mean one field',
      `${row(many)}${below}`,
      { columns: Object.fromEntries(many.map((one) => [one, 'po_number'])) },
    ],
    ['200 equal headers', `${row(['po', ...many.map(() => 'qty')])}${below}`, {}],
    ['200 columns without a header', below, { header: 'none' }],
    [
      '200 mapped columns that are not in the file',
      'a,b\n1,2\n',
      { columns: Object.fromEntries(many.map((one) => [one, 'po_number'])) },
    ],
    ['200 layouts, and none fits', 'a,b\n1,2\n', { layouts }],
    ['200 layouts, and all fit', `${row(many)}${below}`, { layouts }],
    [
      '200 candidates for the quantity',
      `${row(['po', 'sku', ...many])}${row(['P-1', 'A-1', ...many.map(() => '3')]).repeat(5)}`,
      {},
    ],
  ])('%s', async (_, text, options) => {
    const { message } = refusalOf(await importBytes('a.csv', text, options));
    expect(message.length).toBeLessThan(longest);
  });
});

test.each([
  ['orders.csv', 'orders.csv'],
  ['March orders (2).csv', "'March orders (2).csv'"],
  ["d'Arc.csv", "'d'\\''Arc.csv'"],
  ['/srv/in box/a.csv', "'/srv/in box/a.csv'"],
])('a refusal of %s names the command with this file', async (fileName, inShell) => {
  const { message } = refusalOf(await importBytes(fileName, 'alpha,beta\n1,2\n'));
  expect(message).toContain(`\`cartwright map ${inShell} --write\``);
  expect(message).not.toMatch(/\bFILE\b/);
});

test('a refusal speaks of the PO number, the item and the quantity, not of names of an interface', async () => {
  const { message } = refusalOf(await importBytes('a.csv', 'alpha,beta\n1,2\n'));
  expect(message).toContain('no column is recognised for the PO number, the item number and the quantity.');
  expect(message).not.toMatch(/po_number|item_sku|item_id/);
});

test.each([
  ['P-1,A-1,2\nP-1,A-2,3\nP-2,A-1,1\n', '1: po_number'],
  ['2,P-1,A-1\n3,P-1,A-2\n1,P-2,A-1\n', '2: po_number'],
  ['2,3\n4,5\n3,1\n', undefined],
])('the example for a file without a header is a column that can hold PO numbers', async (text, example) => {
  const { message } = refusalOf(await importBytes('a.csv', text, { header: 'none' }));
  if (example === undefined) expect(message).not.toContain('for example');
  else expect(message).toContain(`for example ${example}.`);
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readLayouts, writeLayouts } from '../../src/cli/layout-files.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { layoutsFile as file } from './layouts-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'cartwright-layouts-'));
afterAll(() => rm(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const config = loadConfig(
  {
    file: write(
      'cartwright.yaml',
      'accounts:\n  north: {}\n  south: { intake: { constants: { po_number: S-1 } } }\n',
    ),
  },
  {},
);
const read = (text: string) => readLayouts(write('layouts.yaml', text), config);

const wrong: [string, string, RegExp][] = [
  [
    'a field that does not exist',
    file.replace('Ware: item_sku', 'Ware: item'),
    /line 5, layout 1 \("Weekly orders" of north\): settings\.columns\.Ware must be the name of a field/,
  ],
  [
    'a column that is not in the header',
    file.replace('Anz: quantity', 'Anz: quantity, Anzahl: note'),
    /line 5, .*settings\.columns\.Anzahl is not in the header/,
  ],
  [
    'no quantity',
    file.replace(', Anz: quantity', ''),
    /line 5, .*: settings\.columns has no column for quantity/,
  ],
  [
    'a setting that does not exist',
    file.replace('decimal', 'decimals'),
    /line 6, .*: settings\.decimals is not a field/,
  ],
  ['a header that is no text', file.replace('"2024"', '2024'), /line 3, .*: entry 4 of header must be text/],
  ['no width', file.replace('  width: 4\n', ''), /layout 2 .*: width is missing/],
  [
    'a column beyond the width',
    file.replace('D: quantity', 'D: quantity, 9: note'),
    /line 13, .*settings\.columns\.9 is not one of the 4 columns/,
  ],
  [
    'another account',
    file.replace('account: south', 'account: west'),
    /line 18, .*: account is not configured; configured are north, south/,
  ],
  [
    'a header twice',
    `${file}${file.slice(0, file.indexOf('- account: north\n  name: Bare'))}`,
    /layout 5 .*: header is that of layout 1/,
  ],
  [
    'one PO number for all files',
    file.replace('decimal: comma', 'constants: { po_number: X-1 }'),
    /settings\.constants\.po_number is not possible/,
  ],
  [
    'no encoding',
    file.replace('decimal: comma', 'encoding: utf-9'),
    /settings\.encoding is not possible: unknown encoding "utf-9"/,
  ],
  [
    'settings of files that are no order',
    file.replace('Preis]\n', 'Preis]\n  settings: { decimal: comma }\n'),
    /settings must be empty for kind no_order/,
  ],
  ['no list', 'layouts: 1\n', /line 1: it must be a list of layouts/],
  ['no YAML', '- account: "north\n', /Missing closing "quote/],
];

test.each(wrong)('a mistake is named with its line: %s', async (_, text, sentence) => {
  await expect(read(text)).rejects.toMatchObject({
    code: 'layouts_invalid',
    message: expect.stringMatching(sentence),
  });
});

test('what is missing is named in each layout, and many mistakes are counted', async () => {
  await expect(read(Array.from({ length: 30 }, () => '- account: north\n').join(''))).rejects.toThrow(
    /line 1, layout 1: name is missing[\s\S]*line 2, layout 2: name is missing[\s\S]*\n {2}and 40 more$/,
  );
});

test('a file that is not there, and a folder, are named', async () => {
  await expect(readLayouts(join(folder, 'none.yaml'), config)).rejects.toThrow(/none\.yaml does not exist\./);
  await expect(readLayouts(folder, config)).rejects.toThrow(/is a folder\./);
});

test('what was read is written as the same layouts, in the same text', async () => {
  const layouts = await read(file);
  const text = writeLayouts(layouts);
  expect(await read(text)).toEqual(layouts);
  expect(writeLayouts(await read(text))).toBe(text);
  expect(await read(writeLayouts([]))).toEqual([]);
});

test('names that YAML would read as something else stay what they are', async () => {
  const names = ['2024', 'null', 'yes', '1.20', '# no', 'a: b', '  edge ', 'Straße', "it's", '"x"', 'a\nb'];
  const [layout] = await read(file);
  const odd = { ...layout!, header: [...layout!.header, ...names] };
  const [again] = await read(writeLayouts([odd]));
  expect(again!.header).toEqual(odd.header);
});

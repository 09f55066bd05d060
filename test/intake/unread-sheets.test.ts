import { expect, test } from 'vitest';
import { guideTitle } from '../../src/intake/own-columns.ts';
import { importBytes, ordersOf, refusalOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const orders = {
  name: 'Page 1',
  rows: [
    ['PO Number', 'SKU', 'Qty'],
    ['P-1', 'A-1', '5'],
    ['P-2', 'A-2', '7'],
  ],
};
const read = async (other: { name: string; rows: string[][] }, options = {}) =>
  importBytes('a.xlsx', await writeWorkbook({ sheets: [orders, other] }), options, { waitsForNews: true });

test.each([
  [
    'orders that go on without a header',
    [
      ['P-3', 'A-3', '9'],
      ['P-4', 'A-4', '1'],
    ],
  ],
  [
    'orders below other names',
    [
      ['PO #', 'Product', 'Units'],
      ['P-3', 'A-3', '9'],
    ],
  ],
  ['notes', [['Please call'], ['before delivery']]],
  [
    'a price list',
    [
      ['SKU', 'Price', 'In stock'],
      ['A-1', '5.00', '900'],
    ],
  ],
])('a sheet beside the one that is read is asked about, whatever it has: %s', async (_, rows) => {
  const other = { name: 'More', rows };
  const { code, message } = refusalOf(await read(other));
  expect(code).toMatch(/^(?:not_agreed|sheet_ambiguous)$/);
  expect(message).toContain('"More');
  const named = await read(other, { sheet: 'Page 1' });
  expect(ordersOf(named).map(({ poNumber }) => poNumber)).toEqual(['P-1', 'P-2']);
});

test('the guide of our template is not', async () => {
  const guide = { name: 'About this template', rows: [[guideTitle], ['po_number', 'What it is']] };
  expect(ordersOf(await read(guide)).map(({ poNumber }) => poNumber)).toEqual(['P-1', 'P-2']);
});

test('an empty sheet is not', async () => {
  expect(ordersOf(await read({ name: 'More', rows: [] })).map(({ poNumber }) => poNumber)).toEqual([
    'P-1',
    'P-2',
  ]);
});

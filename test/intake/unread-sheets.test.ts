import { describe, expect, test } from 'vitest';
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
  importBytes('a.xlsx', await writeWorkbook({ sheets: [orders, other] }), options);

describe('a sheet beside the one that is read', () => {
  test.each([
    [
      'goes on without a header',
      [
        ['P-3', 'A-3', '9'],
        ['P-4', 'A-4', '1'],
      ],
    ],
    [
      'has columns of other names',
      [
        ['PO #', 'Product', 'Units'],
        ['P-3', 'A-3', '9'],
      ],
    ],
  ])('refuses the file if it %s, since its lines would be lost', async (_, rows) => {
    const refusal = refusalOf(await read({ name: 'Page 2', rows }));
    expect(refusal.code).toMatch(/^sheet_(?:not_read|ambiguous)$/);
    expect(refusal.message).toContain('"Page 2"');
    const named = await read({ name: 'Page 2', rows }, { sheet: 'Page 1' });
    expect(ordersOf(named).map(({ poNumber }) => poNumber)).toEqual(['P-1', 'P-2']);
  });

  test.each([
    ['notes', [['Please call'], ['before delivery']]],
    [
      'a price list',
      [
        ['SKU', 'Price', 'In stock'],
        ['A-1', '5.00', '900'],
      ],
    ],
    [
      'a list of addresses',
      [
        ['Store', 'City', 'State'],
        ['4711', 'Denver', 'CO'],
      ],
    ],
    ['a header alone', [['PO #', 'Product', 'Units']]],
  ])('does not if it has %s', async (_, rows) => {
    const imported = await read({ name: 'More', rows });
    expect(ordersOf(imported).map(({ poNumber }) => poNumber)).toEqual(['P-1', 'P-2']);
  });
});

import { expect, test } from 'vitest';
import { createColumnWatch } from '../../../src/intake/layouts/watch-columns.ts';
import { withSilentColumns } from '../../../src/intake/layouts/watched-columns.ts';
import type { CheckedRow } from '../../../src/intake/types.ts';
import { importBytes } from '../support/import-file.ts';
import { type TestCell, writeWorkbook } from '../support/write-workbook.ts';

const whyItWaits = async (rows: TestCell[][]) => {
  const bytes = await writeWorkbook({ sheets: [{ name: 'PO', rows }] });
  const { outcome } = await importBytes('a.xlsx', bytes, {}, { waitsForNews: true });
  return outcome.kind === 'refused' ? outcome.message : undefined;
};

const header = ['PO Number', 'SKU', 'Qty'];
const lines = (count: number) => Array.from({ length: count }, (_, at) => [`P-${at}`, `A-${at}`, '2']);

test.each([
  ['beside one row', [header, ['P-1', 'A-1', '5'], ['P-2', 'A-2', '3', 'STORNIERT']], 'STORNIERT'],
  ['beside each row', [header, ['P-1', 'A-1', '5', 'DZ'], ['P-2', 'A-2', '3', 'DZ']], 'DZ'],
  ['two columns away', [header, ['P-1', 'A-1', '5', '', 'do not ship']], 'do not ship'],
  ['far below', [header, ...lines(900), ['P-X', 'A-1', '5', 'CANCELLED']], 'CANCELLED'],
])('text right of the header of a sheet, %s, is asked about in a first file', async (_, rows, says) => {
  expect(await whyItWaits(rows)).toContain(`"column 4" says "${says}"`);
});

test('where there is none, nothing is asked', async () => {
  expect(await whyItWaits([header, ...lines(3)])).toBeUndefined();
});

test('a later file is asked about what its layout had not', () => {
  const columns = [
    { header: 'PO Number', field: 'po_number' as const },
    { header: 'SKU', field: 'item_sku' as const },
    { header: 'Qty', field: 'quantity' as const },
  ];
  const watch = createColumnWatch(columns, withSilentColumns(new Map(), columns), {});
  const look = (...beside: string[]) => {
    const row = { poNumber: 'P-1', itemSku: 'A-1', quantity: 5 } as CheckedRow;
    return watch.look({ rowNumber: 2, cells: ['P-1', 'A-1', '5', ...beside] }, [row]).questions.length;
  };
  expect([look(), look(''), look('', 'CANCELLED')]).toEqual([0, 0, 1]);
});

test.each([
  ['beside text', 'open'],
  ['beside nothing', ''],
])(
  'a formula that nothing has calculated is no blank cell in a column that is not read: %s',
  async (_, text) => {
    const formula = { xml: '<c r="REF" t="str"><f>IF(1,"Cancelled","")</f></c>' };
    expect(
      await whyItWaits([
        [...header, 'Status'],
        ['P-1', 'A-1', '5', text],
        ['P-2', 'A-2', '3', formula],
      ]),
    ).toContain('"Status" says');
    expect(
      await whyItWaits([
        [...header, 'Status'],
        ['P-2', 'A-2', '3', formula],
      ]),
    ).toContain('(a formula without a value)');
  },
);

test.each([3, 4, 6])('nor in any cell right of the header: column %d', async (at) => {
  const formula = { xml: '<c r="REF" t="str"><f>IF(1,"Cancelled","")</f></c>' };
  const row = ['P-2', 'A-2', '3', ...Array.from({ length: at - 3 }, () => ''), formula];
  expect(await whyItWaits([header, ['P-1', 'A-1', '5'], row])).toContain('"column 4" says');
});

test.each([
  [
    ['Beleg', 'Ware', 'Menge'],
    ['P-2', 'A-2', '3'],
  ],
  [['P-2', 'A-2', '3']],
  [
    ['Order No', 'Part No', 'Note', 'Quantity'],
    ['P-2', 'A-2', '', '12'],
  ],
])('a hidden sheet with rows like lines under other names is noted: %j', async (...rows) => {
  const write = (state: 'hidden' | 'visible', hidden: string[][]) =>
    writeWorkbook({
      sheets: [
        { name: 'O', rows: [header, ['P-1', 'A-1', '5']] },
        { name: 'Q', rows: hidden, ...(state === 'hidden' ? { state } : {}) },
      ],
    });
  const noted = await importBytes('a.xlsx', await write('hidden', rows), {}, { waitsForNews: true });
  expect(noted.issues).toMatchObject([
    { code: 'hidden_sheet', severity: 'note', message: expect.stringContaining('The sheet "Q" is hidden') },
  ]);
  const list = [
    ['Warehouse', 'State'],
    ['1', 'CA'],
    ['2', 'NY'],
  ];
  expect((await importBytes('a.xlsx', await write('hidden', list))).issues).toEqual([]);
});

test.each(['hidden', 'veryHidden'] as const)(
  'orders on a sheet that is %s are said, and other lists are not',
  async (state) => {
    const sheets = (rows: string[][]) => ({
      sheets: [
        { name: 'O', rows: [header, ['P-1', 'A-1', '5']] },
        { name: 'Q', rows, state },
      ],
    });
    const why = async (rows: string[][], request = {}) => {
      const { outcome } = await importBytes(
        'a.xlsx',
        await writeWorkbook(sheets(rows)),
        {},
        { waitsForNews: true, ...request },
      );
      return outcome.kind === 'refused' ? outcome.message : undefined;
    };
    expect(await why([header, ['P-2', 'A-2', '3']])).toContain(
      'a sheet that is not read says "Q (hidden): PO Number | SKU',
    );
    expect(await why([['Warehouse'], ['CA'], ['NY']])).toBeUndefined();
  },
);

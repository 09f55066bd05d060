import { expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { importBytes } from './support/import-file.ts';

/** A workbook of two POs, whose cell B3 is the item of the second one and C3 its quantity. */
const book = (change: (sheet: xlsx.WorkSheet) => void, bookType: xlsx.BookType = 'xlsx'): Buffer => {
  const sheet = xlsx.utils.aoa_to_sheet([
    ['PO Number', 'SKU', 'Qty'],
    ['A-1', 'S1', 3],
    ['A-2', 'S2', 7],
  ]);
  change(sheet);
  return xlsx.write({ SheetNames: ['One'], Sheets: { One: sheet } }, { type: 'buffer', bookType });
};
const comment = (cell: string, text: string) => (sheet: xlsx.WorkSheet) =>
  xlsx.utils.cell_add_comment(sheet[cell], text, 'Bob');

test.each([
  ['A3', 'PO Number', 'CANCELLED - do not order'],
  ['C3', 'Qty', 'Cancelled by customer 11/28, please do not order'],
])('a comment on %s that says not to order rejects its PO alone', async (cell, column, text) => {
  const { refusals } = await importBytes('a.xlsx', book(comment(cell, text)));
  expect(refusals).toMatchObject([{ poNumber: 'A-2', column, code: 'comment_says_cancelled', found: text }]);
});

test.each(['ods', 'xls', 'xlsb', 'xlml'] as const)(
  'a comment in a workbook of the type %s counts, too',
  async (type) => {
    const bytes = book(comment('C3', 'Cancelled by customer, please do not order'), type);
    const { refusals } = await importBytes(`a.${type === 'xlml' ? 'xls' : type}`, bytes);
    expect(refusals).toMatchObject([{ poNumber: 'A-2', column: 'Qty', code: 'comment_says_cancelled' }]);
  },
);

test.each([
  ['A3', 'called in by Bob'],
  ['A1', 'The number of your order. Do not order twice.'],
])('a comment on %s is no matter of the order, and noted on a line: %s', async (cell, text) => {
  const { refusals, issues } = await importBytes('a.xlsx', book(comment(cell, text)));
  expect(refusals).toEqual([]);
  expect(issues.map(({ code, found }) => [code, found])).toEqual(
    cell === 'A1' ? [] : [['comment_not_read', text]],
  );
});

test.each(['"CANCELLED"', ';;;'])(
  'a quantity that its format %s does not show is unclear',
  async (format) => {
    const { refusals } = await importBytes(
      'a.xlsx',
      book((sheet) => {
        sheet.C3.z = format;
      }),
    );
    expect(refusals).toMatchObject([{ poNumber: 'A-2', column: 'Qty', code: 'unclear_cell' }]);
  },
);

test.each([
  ['xlsx', '0" DZ"', '7 DZ'],
  ['xls', '0" x 12"', '7 x 12'],
] as const)(
  'in %s a quantity that its format %s shows in another unit is refused as if it were typed',
  async (type, format, found) => {
    const bytes = book((sheet) => {
      sheet.C3.z = format;
    }, type);
    const { refusals } = await importBytes(`a.${type}`, bytes);
    expect(refusals).toMatchObject([{ poNumber: 'A-2', column: 'Qty', found }]);
  },
);

test.each([' ', 'TRUE', '7 DZ'])('what an .ods shows of a quantity counts: %j', async (shown) => {
  const bytes = book((sheet) => Object.assign(sheet.C3, { w: shown }), 'ods');
  const { refusals } = await importBytes('a.ods', bytes);
  expect(refusals).toMatchObject([{ poNumber: 'A-2', column: 'Qty', found: shown.trim() }]);
});

test.each(['0" EA"', '#,##0_);(#,##0)', '_(* #,##0_);_(* (#,##0);_(* "-"??_);_(@_)', '[Red]0', 'General'])(
  'a quantity is that number where its format %s shows it',
  async (format) => {
    const { refusals, rows } = await importBytes(
      'a.xlsx',
      book((sheet) => {
        sheet.C3.z = format;
      }),
    );
    expect(refusals).toEqual([]);
    expect(rows[1]).toMatchObject({ quantity: 7 });
  },
);

import { describe, expect, test } from 'vitest';
import { importBytes, refusalOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

type Rows = string[][];
type Sheet = { name: string; rows: Rows };

const plain: Rows = [
  ['PO Number', 'SKU', 'Qty'],
  ['M-1', 'A-1', '5'],
  ['M-2', 'A-2', '7'],
];
const orders: Rows = [
  ['Order ID', 'PO Number'],
  ['1', 'M-1'],
  ['2', 'M-2'],
];
const lines: Rows = [
  ['Order ID', 'SKU', 'Qty'],
  ['1', 'A-1', '5'],
  ['2', 'A-2', '7'],
];
const stackedRows: Rows = [
  ['SKU', 'Qty'],
  ['A-1', '5'],
];

const join = { join: { orders: 'Orders', lines: 'Lines', by: 'Order ID' } };
const stacked = { poNumberFrom: { sheetName: '{po}' } };
/** Each form of a file, with its settings. */
const shapes: [string, Sheet[], object][] = [
  ['one table', [{ name: 'Page 1', rows: plain }], {}],
  [
    'joined sheets',
    [
      { name: 'Orders', rows: orders },
      { name: 'Lines', rows: lines },
    ],
    join,
  ],
  [
    'a sheet for each PO',
    [
      { name: 'M-1', rows: stackedRows },
      { name: 'M-2', rows: stackedRows },
    ],
    stacked,
  ],
];
const remarks = [
  ...['Order 2 is cancelled', 'STOP: do not order M-2', 'do not order A2-X'],
  ...['DO NOT ORDER', 'do not ship', 'Please hold this order', 'Nicht bestellen'],
];

const above = (rows: Rows, remark: string): Rows => [[remark], ...rows];
const inHeader = ([header, ...rest]: Rows, remark: string): Rows => [[...header!, '', remark], ...rest];
/** Places for a remark, with functions that add it to a sheet. */
const places: [string, (rows: Rows, remark: string) => Rows][] = [
  ['above the header', above],
  ['beside the last name of the header', inHeader],
];

const cases = shapes.flatMap(([shape, sheets, options]) =>
  sheets.flatMap((sheet) => [
    ...places.map(([place, write]) => ({
      where: `${shape}: ${place} of ${sheet.name}`,
      options,
      sheets: (remark: string) =>
        sheets.map((one) => (one === sheet ? { ...one, rows: write(one.rows, remark) } : one)),
    })),
  ]),
);
const further = shapes.map(([shape, sheets, options]) => ({
  where: `${shape}: in a further sheet`,
  options,
  sheets: (remark: string) => [...sheets, { name: 'Notes', rows: [[remark]] }],
}));

describe('a remark that something is not to be ordered is never passed over', () => {
  test.each(shapes)('%s without one is read', async (_, sheets, options) => {
    expect(
      await importBytes('a.xlsx', await writeWorkbook({ sheets }), options, { waitsForNews: true }),
    ).toMatchObject({
      outcome: { kind: 'read' },
    });
  });

  test.each([...cases, ...further])('$where', async ({ sheets, options }) => {
    for (const remark of remarks) {
      const file = await writeWorkbook({ sheets: sheets(remark) });
      const { code, message } = refusalOf(await importBytes('a.xlsx', file, options, { waitsForNews: true }));
      expect(code, remark).toMatch(/^(?:not_agreed|sheets_differ)$/);
      expect(message).toContain(code === 'sheets_differ' ? 'columns of sheet' : remark.slice(0, 4));
    }
  });
});

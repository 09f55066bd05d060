import { describe, expect, test } from 'vitest';
import { importBytes, ordersOf, refusalOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const table = 'SKU,Qty\nS1,3\nS2,4\n';
const lines = [
  { sku: 'S1', quantity: 3 },
  { sku: 'S2', quantity: 4 },
];

/** The orders, and the decision about the PO number as text. */
const read = async (fileName: string, content: string | Uint8Array, intake: object) => {
  const imported = await importBytes(fileName, content, intake);
  if (imported.outcome.kind === 'refused') throw new Error(imported.outcome.message);
  const decision = imported.outcome.detection.decisions.find(({ what }) => what === 'po_number');
  return {
    orders: ordersOf(imported),
    refusals: imported.refusals,
    why: `${decision?.decided} ${decision?.why}`,
  };
};

describe('a PO number in a cell above the table', () => {
  const poNumberFrom = { cell: 'PO Number' };

  test.each([
    ['beside its label', `PO Number,4711\n${table}`, 'B1'],
    [
      'beside its label, after blank cells',
      `Date,1 May\n,po number:,,4711\n\n${table.replaceAll(',', ',,,')}`,
      'D2',
    ],
    ['below its label', `Date,PO Number\n1 May,4711\n${table}`, 'B2'],
    ['in the same cell', `Order form,\nPO Number: 4711,\n${table}`, 'A2'],
    ['in the same cell, after a number sign', `"PO Number #: 4711",\n${table}`, 'A1'],
    ['twice, the same', `PO Number,4711\nPO Number: 4711,\n${table}`, 'B1'],
  ])('%s', async (_, text, cell) => {
    const { orders, why, refusals } = await read('a.csv', text, { poNumberFrom });
    expect(refusals).toEqual([]);
    expect(orders).toMatchObject([{ poNumber: '4711', lines }]);
    expect(why).toContain(`4711 in cell ${cell}`);
  });

  test('also in a sheet and above a file without a header', async () => {
    const rows = [['PO Number', '', '0042'], [], ['SKU', 'Qty', 'Price'], ['S1', '3', '1'], ['S2', '4', '1']];
    const workbook = await writeWorkbook({ sheets: [{ name: 'Order', rows }] });
    expect((await read('a.xlsx', workbook, { poNumberFrom })).orders).toMatchObject([
      { poNumber: '0042', lines },
    ]);
    const bare = { poNumberFrom, header: 'none', skipRows: 1, columns: { 1: 'item_sku', 2: 'quantity' } };
    expect((await read('a.csv', 'PO Number,4711\nS1,3\nS2,4\n', bare)).orders).toMatchObject([
      { poNumber: '4711', lines },
    ]);
  });

  test.each([
    ['no such cell', `Order,4711\n${table}`, 'po_number_not_found', /beside "PO Number"/],
    ['a blank cell', `PO Number,\n${table}`, 'po_number_not_found', /beside "PO Number"/],
    [
      'two numbers',
      `PO Number,4711\nPO Number,4712\n${table}`,
      'po_number_ambiguous',
      /"4711" in B1 and "4712" in B2/,
    ],
    ['an unusable number', `PO Number,..\n${table}`, 'po_number_unusable', /in cell B1/],
    ['a damaged number', `PO Number,4.71E+15\n${table}`, 'po_number_unusable', /digits are lost/],
    [
      'another label beside it and nothing below',
      `PO Number,Date:,\n,,\n${table}`,
      'po_number_not_found',
      /no such value/,
    ],
    [
      'another label beside it and one below',
      `PO Number,Ship Via,\nBuyer,UPS,\n${table}`,
      'po_number_not_found',
      /no such value/,
    ],
    ['words further away', `PO Number,,Sales rep Jane\n,,\n${table}`, 'po_number_not_found', /no such value/],
    [
      'a number only below the table',
      `Order,form\n${table}PO Number,4711\n`,
      'po_number_not_found',
      /above the table/,
    ],
  ])('%s refuses the file', async (_, text, code, says) => {
    const refusal = refusalOf(await importBytes('a.csv', text, { poNumberFrom }));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(says);
  });
});

describe("a PO number in the file's name", () => {
  test.each([
    ['PO-88213.csv', 'PO-{po}.csv', '88213'],
    ['po-88213.CSV', 'PO-{po}.csv', '88213'],
    ['Bestellung B-4711.csv', 'Bestellung {po}', 'B-4711'],
    ['acme_4711_20260501.csv', '*_{po}_*', '4711'],
    ['4711.csv', '{po}', '4711'],
    ['PO-88213.17.result.csv', 'PO-{po}.csv', '88213'],
    ['PO (88213).csv', 'PO ({po})', '88213'],
  ])('%s by %s', async (fileName, pattern, poNumber) => {
    const { orders, why } = await read(fileName, table, { poNumberFrom: { fileName: pattern } });
    expect(orders).toMatchObject([{ poNumber, lines }]);
    expect(why).toContain(pattern.replace(/\.csv$/, ''));
  });

  test.each([
    ['order 7.csv', 'PO-{po}', 'po_number_not_found'],
    ['a_b_c_d.csv', '*_{po}_*', 'po_number_ambiguous'],
    ['PO-1_2_3.csv', 'PO-{po}_*', 'po_number_ambiguous'],
    ['PO-4711 (1).csv', 'PO-{po}', 'name_of_version'],
    ['PO-4711 - Copy.csv', 'PO-{po}', 'name_of_version'],
    ['PO-4711 - Kopie (2).csv', 'PO-{po}', 'name_of_version'],
    ['PO-4711 revised.csv', 'PO-{po}', 'name_of_version'],
    ['PO-4711_v2.csv', 'PO-{po}', 'name_of_version'],
    ['PO-4711 old.csv', 'PO-{po}', 'name_of_version'],
    ['PO-template.csv', 'PO-{po}', 'name_of_version'],
    ['PO-4711_korrigiert.csv', 'PO-{po}', 'name_of_version'],
  ])('%s by %s refuses the file', async (fileName, pattern, code) => {
    const options = { poNumberFrom: { fileName: pattern } };
    const refusal = refusalOf(await importBytes(fileName, table, options));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(fileName);
  });
});

describe("a PO number in the sheet's name, or one for the whole file", () => {
  test('the sheet is named after its PO', async () => {
    const rows = [
      ['SKU', 'Qty'],
      ['S1', '3'],
      ['S2', '4'],
    ];
    const workbook = await writeWorkbook({ sheets: [{ name: 'PO 4711', rows }] });
    const found = await read('a.xlsx', workbook, { poNumberFrom: { sheetName: 'PO {po}' } });
    expect(found.orders).toMatchObject([{ poNumber: '4711', lines }]);
    for (const name of ['PO 4711 (2)', 'PO 4711 old', 'PO Template']) {
      const copy = await writeWorkbook({ sheets: [{ name, rows }] });
      const imported = await importBytes('a.xlsx', copy, { poNumberFrom: { sheetName: 'PO {po}' } });
      expect(refusalOf(imported).code).toBe('name_of_version');
    }
    const other = await importBytes('a.xlsx', workbook, { poNumberFrom: { sheetName: 'Order {po}' } });
    expect(refusalOf(other).code).toBe('po_number_not_found');
    const text = await importBytes('a.csv', table, { poNumberFrom: { sheetName: 'PO {po}' } });
    expect(refusalOf(text).message).toContain('no sheets');
  });

  test('a constant is the PO number of every row', async () => {
    const { orders } = await read('a.csv', table, { constants: { po_number: 'SPRING' } });
    expect(orders).toMatchObject([{ poNumber: 'SPRING', lines }]);
  });

  test('a column for it comes first, and a blank cell in it is not filled', async () => {
    const text = 'PO Number,SKU,Qty\nA,S1,3\n,S2,4\n';
    const { refusals, why } = await read('PO-9.csv', text, { poNumberFrom: { fileName: 'PO-{po}' } });
    expect(refusals).toMatchObject([{ code: 'po_missing', rowNumber: 3 }]);
    expect(why).toContain('column "PO Number"');
  });
});

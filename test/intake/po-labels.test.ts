import { describe, expect, test } from 'vitest';
import { importBytes, refusalOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const inCell = { poNumberFrom: { cell: 'PO Number' } } as const;
const form = (below: string) =>
  `PO Number,4711,,\n,,,\nSKU,Description,Qty,Price\nA-1,Bolt,5,1.00\n${below}\nA-2,Nut,3,2.00\n`;

describe('a label of another PO number below the table of a form', () => {
  test.each([
    'PO Number:,4712,,',
    ',PO Number:,4712,',
    ',,PO Number: 4712,',
    'PO #,4712,,',
    'Purchase Order No.,,4712,',
    'PO 4712,,,',
    'Bestellung PO: 4712,,,',
    'PO Number,,,\n4712,,,',
    'PO Number:,4712,,\nSKU,Description,Qty,Price',
  ])('refuses the file: %j', async (below) => {
    const { code, message } = refusalOf(await importBytes('a.csv', form(below), inCell));
    expect(code).toBe('second_po_number');
    expect(message).toMatch(/4711 \(in cell B1.*row [56], below the header, says .*: 4712"/);
  });

  test.each([
    'PO Number: 4711,,,',
    'PO #,PO-4711,,',
    'Please quote our PO number,,,',
    'PO date,11/24/2026,,',
    'PO Box 4712,,,',
    'Order line 2 of 4712,,,',
  ])('is none, and refuses nothing: %s', async (below) => {
    expect((await importBytes('a.csv', form(below), inCell)).outcome.kind).toBe('read');
  });

  test.each([
    ['fileName', { poNumberFrom: { fileName: 'PO {po}.csv' } }],
    ['a constant', { constants: { po_number: '4711' } }],
  ])('refuses the file, too, if the PO number is from %s', async (_, options) => {
    const text = form('PO Number:,4712,,').replace(/^.*\n.*\n/, '');
    expect(refusalOf(await importBytes('PO 4711.csv', text, options)).code).toBe('second_po_number');
  });

  test('is a value where a column has the PO numbers', async () => {
    const text = 'PO Number,SKU,Qty,Remark\n4711,A-1,5,PO Number: 4712\n4711,A-2,5,\n';
    expect((await importBytes('a.csv', text)).refusals).toEqual([]);
  });
});

describe('a PO number above the table that is not the one of the name', () => {
  const rows = [['PO Number:', '4711'], ['SKU', 'Qty'], ['A-1', '5'], ['PO: 4712']];
  const options = { poNumberFrom: { sheetName: 'PO {po}' } };

  test('refuses the file', async () => {
    const text = 'PO Number:,4711\nSKU,Qty\nA-1,5\n';
    const named = { poNumberFrom: { fileName: 'PO {po}.csv' } };
    const { code, message } = refusalOf(await importBytes('PO 4712.csv', text, named));
    expect(code).toBe('po_number_ambiguous');
    expect(message).toContain('row 1, above the table, says "PO Number: 4711"');
    expect((await importBytes('PO PO-4711.csv', text, named)).outcome.kind).toBe('read');
  });

  test('refuses the workbook, with one sheet or several', async () => {
    for (const names of [['PO 4712'], ['PO 4711', 'PO 4712']]) {
      const sheets = names.map((name) => ({ name, rows: rows.slice(0, 3) }));
      const { code } = refusalOf(await importBytes('a.xlsx', await writeWorkbook({ sheets }), options));
      expect(code).toBe('po_number_ambiguous');
    }
  });

  test('refuses it for a label below the header of any sheet', async () => {
    const sheets = ['PO 4711', 'PO 4712'].map((name, at) => ({ name, rows: rows.slice(1, 4 - at) }));
    const { code } = refusalOf(await importBytes('a.xlsx', await writeWorkbook({ sheets }), options));
    expect(code).toBe('second_po_number');
  });
});

import { describe, expect, test } from 'vitest';
import { importBytes, refusalOf } from './support/import-file.ts';

const header = 'PO Number,SKU,Qty,Ship To Name';
const table = `${header}\nA,S1,1,Ann\nA,S2,2,Ann\nA,S3,3,Ann\n`;

describe('a header that comes again below the first one', () => {
  test.each([
    ['as it is', header],
    ['in capitals', header.toUpperCase()],
    ['with other names for the same fields', 'PO #,Item Number,Order Qty,ship_name'],
    ['with blank cells at its end', `${header}, `],
  ])('is skipped and noted when its columns are the same: %s', async (_, again) => {
    const { refusals, issues, rows } = await importBytes('a.csv', `${table}${again}\nB,S1,3,Bob\n`);
    expect(refusals).toEqual([]);
    expect(issues).toMatchObject([{ rowNumber: 5, code: 'header_again', severity: 'note' }]);
    expect(rows.map((row) => [row.poNumber, row.itemSku, row.quantity])).toEqual([
      ['A', 'S1', 1],
      ['A', 'S2', 2],
      ['A', 'S3', 3],
      ['B', 'S1', 3],
    ]);
  });

  test.each([
    ['item and quantity change places', 'PO Number,Qty,SKU,Ship To Name', 'B,3,77,Bob'],
    ['the PO number moves', 'SKU,Qty,PO Number,Ship To Name', '77,3,B,Bob'],
    ['an option moves', 'PO Number,SKU,Qty,Ship To City', 'B,77,3,Boise'],
    ['it has one column more', 'PO Number,Line,SKU,Qty,Ship To Name', 'B,1,77,3,Bob'],
    ['it has no item', 'PO Number,Date,Qty,Ship To Name', 'B,2026-05-03,3,Bob'],
  ])('refuses the file and names both rows when its columns differ: %s', async (_, again, below) => {
    const refusal = refusalOf(await importBytes('a.csv', `${table}${again}\n${below}\n`));
    expect(refusal.code).toBe('header_differs');
    expect(refusal.message).toMatch(/row 5 .* row 1/i);
  });

  test('refuses the file of an account whose own header names come in another order', async () => {
    const columns = { Bestellung: 'po_number', Artikel: 'item_sku', Menge: 'quantity' } as const;
    const rows = 'Bestellung;Artikel;Menge\nA;77;1\nBestellung;Menge;Artikel\nB;2;88\n';
    expect(refusalOf(await importBytes('a.csv', rows, { columns })).code).toBe('header_differs');
  });

  const own = { 'Best.Nr': 'po_number', Teil: 'item_sku', Stk: 'quantity' } as const;
  test.each([
    ['German', 'Bestellnr.;Anzahl;Artikelnr.'],
    ['German, of single words', 'Bestellung;Stück;Artikel'],
    ['French', 'N° commande;Quantité;Référence article'],
    ['Polish', 'Numer zamówienia;Ilość;Kod produktu'],
    ['Japanese', '注文番号;数量;商品コード'],
    ['English', 'Order No.;Units;Part Number'],
  ])('refuses one with other names in another order, whatever the account maps: %s', async (_, again) => {
    const rows = `Best.Nr;Teil;Stk\n1;101;5\n2;102;7\n${again}\n3;9;101\n`;
    const refusal = refusalOf(await importBytes('a.csv', rows, { columns: own }));
    expect(refusal.code).toBe('header_differs');
    expect(refusal.message).toMatch(/row 4 .* row 1/i);
    const standard = rows.replace('Best.Nr;Teil;Stk', 'PO Number;SKU;Quantity');
    expect(refusalOf(await importBytes('a.csv', standard)).code).toBe('header_differs');
  });

  test('is skipped in other words if its columns are the same', async () => {
    const rows = 'Best.Nr;Teil;Stk\n1;101;5\nBestellnr.;Artikelnr.;Anzahl\n3;9;101\n';
    const { refusals, rows: read } = await importBytes('a.csv', rows, { columns: own });
    expect(refusals).toEqual([]);
    expect(read.map((row) => [row.poNumber, row.itemSku, row.quantity])).toEqual([
      ['1', '101', 5],
      ['3', '9', 101],
    ]);
  });

  test('is not seen in a row of words that are no names of columns', async () => {
    const rows = 'Best.Nr;Teil;Stk\n1;101;5\nbitte;Artikel beilegen;danke\n';
    const { issues } = await importBytes('a.csv', rows, { columns: own });
    expect(issues.map((issue) => issue.code)).not.toContain('header_again');
  });

  test('is not seen in the values of an order', async () => {
    const { byPo } = await importBytes('a.csv', `${table}PO,Item,5,Recipient\nB,SKU,1,Address\n`);
    expect(Object.keys(byPo)).toEqual(['A', 'PO', 'B']);
  });
});

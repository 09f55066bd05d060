import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { specCodeLists } from '../../src/contract/carts.ts';
import { proposeMap } from '../../src/intake/layouts/propose/propose-map.ts';
import { defaultIntakeOptions } from '../support/default-intake-options.ts';
import { realFiles } from '../support/real-files.ts';
import { importFile } from './support/import-file.ts';

const present = existsSync(realFiles);

test.runIf(process.env.CI)('the real files are present in CI', () => {
  expect(present, `${realFiles.pathname} is missing`).toBe(true);
});

const file = (name: string) => new URL(name, realFiles).pathname;

describe.skipIf(!present)('real files (skipped where they are absent)', () => {
  test('sap-shine: 1,000 POs and 5,880 lines by an account map, every quantity as the file has it', async () => {
    const path = file('sap-shine/purchaseOrderItem.csv');
    const { outcome, refusals, byPo, rows } = await importFile(path, {
      columns: { PURCHASEORDERID: 'po_number', 'PRODUCT.PRODUCTID': 'item_sku', QUANTITY: 'quantity' },
    });
    expect(outcome).toMatchObject({ kind: 'read', rowCount: 5880 });
    expect(refusals).toEqual([]);
    expect(Object.keys(byPo)).toHaveLength(1000);
    expect(rows).toHaveLength(5880);
    const lines = (await readFile(path, 'utf8')).trim().split(/\r?\n/).slice(1);
    const expected = lines
      .map((line) => line.split(','))
      .map((cells) => `${cells[0]} ${cells[2]} ${cells[8]}`);
    const got = rows.map((row) => `${row.poNumber} ${row.itemSku} ${row.quantity}`);
    const sum = (texts: string[]) => createHash('sha256').update(texts.join('\n')).digest('hex');
    expect(sum(got)).toBe(sum(expected));
  });

  test('adventureworks: a file without header, columns by position', async () => {
    const { outcome, byPo, refusals } = await importFile(file('adventureworks/PurchaseOrderDetail.csv'), {
      header: 'none',
      columns: { 1: 'po_number', D: 'quantity', '5': 'item_id' },
    });
    expect(outcome).toMatchObject({ kind: 'read', detection: { headerRow: null, delimiter: '\t' } });
    expect(refusals).toEqual([]);
    expect(Object.keys(byPo)).toHaveLength(4012);
  });

  test('frepple: workbooks of another program by an account map', async () => {
    // Its items are names, so the column is not used without confirmation.
    const unsure = await importFile(file('frepple/purchaseorder.xlsx'), {
      columns: { Reference: 'po_number' },
    });
    expect(unsure.outcome).toMatchObject({ kind: 'refused', code: 'columns_uncertain' });
    const orders = await importFile(file('frepple/purchaseorder.xlsx'), {
      columns: { Reference: 'po_number', Item: 'item_sku' },
    });
    expect(orders.refusals).toEqual([]);
    expect(orders.rows.map((row) => [row.poNumber, row.itemSku, row.quantity])).toEqual([
      ['PO #3', 'wooden beam', 50],
      ['PO #2', 'screws', 3000],
    ]);
    const sales = await importFile(file('frepple/salesorder.xlsx'), {
      columns: { Name: 'po_number', Item: 'item_sku' },
    });
    expect(sales.outcome).toMatchObject({ kind: 'read', rowCount: 320 });
    expect(sales.refusals).toEqual([]);
  });

  test('sap-shine: the map that is proposed is the right one', async () => {
    const path = file('sap-shine/purchaseOrderItem.csv');
    const proposed = await proposeMap({
      path,
      fileName: 'purchaseOrderItem.csv',
      options: defaultIntakeOptions,
      codeLists: specCodeLists,
    });
    expect(proposed).toMatchObject({
      kind: 'proposed',
      map: { 'PRODUCT.PRODUCTID': 'item_sku' },
      missing: [],
      samples: expect.arrayContaining([
        expect.objectContaining({
          cart: { po_number: '300000000' },
          item: { item_sku: 'HT-1000', quantity: 1 },
        }),
      ]),
    });
  });
});

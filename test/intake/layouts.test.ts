import { describe, expect, test } from 'vitest';
import { importBytes, ordersOf, refusalOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const orders = [
  { poNumber: 'A', options: {}, lines: [{ sku: 'S1', id: undefined, quantity: 3, note: undefined }] },
];

describe('a column name of the account is added to the recognised ones', () => {
  const own = {
    columns: {
      Vorgang: 'po_number',
      Teil: 'item_sku',
      Menge: 'quantity',
      'Unit Cost': 'expected_price',
      Ort: 'ship_city',
    },
  } as const;

  test.each([
    ['PO Number,SKU,Qty\nA,S1,3\n'],
    ['Vorgang,SKU,Qty\nA,S1,3\n'],
    ['PO Number,Teil,Qty\nA,S1,3\n'],
    ['PO Number,SKU,Menge\nA,S1,3\n'],
    ['Vorgang,Teil,Menge\nA,S1,3\n'],
  ])('%j is read', async (text) => {
    expect(ordersOf(await importBytes('a.csv', text, own))).toEqual(orders);
  });

  test.each([
    ['Expected Price', 'Ship To City'],
    ['Unit Cost', 'Ort'],
    ['expected_price', 'ORT'],
  ])('also of a field that is not required: %s, %s', async (price, city) => {
    const { rows } = await importBytes('a.csv', `po,sku,qty,${price},${city}\nA,S1,3,9.50,Ulm\n`, own);
    expect(rows).toMatchObject([{ expectedPrice: '9.50', options: '{"ship_city": "Ulm"}' }]);
  });

  test('where both are in the file, the name of the account counts', async () => {
    const { rows } = await importBytes(
      'a.csv',
      'po,sku,qty,Menge,Expected Price,Unit Cost\nA,S1,99,3,77,9.50\n',
      own,
    );
    expect(rows).toMatchObject([{ quantity: 3, expectedPrice: '9.50' }]);
  });

  test('a recognised name that the account ignores stays ignored', async () => {
    const ignored = { columns: { ...own.columns, PO: 'ignore' as const } };
    expect(refusalOf(await importBytes('a.csv', 'PO,SKU,Qty\nA,S1,3\n', ignored)).code).toBe(
      'columns_missing',
    );
  });
});

describe('an account with several layouts', () => {
  const layouts = {
    erp: {
      columns: { Beleg: 'po_number', Material: 'item_sku', Menge: 'quantity' },
      decimal: 'comma',
      constants: { ship_via: 'BEST' },
    },
    shop: { columns: { Order: 'po_number', Code: 'item_sku', Ordered: 'quantity' }, continuationRows: true },
    bare: { columns: { 1: 'po_number', C: 'quantity', 2: 'item_sku' }, header: 'none' },
  } as const;
  const decided = async (text: string, options: object = { layouts }) => {
    const imported = await importBytes('a.csv', text, options);
    if (imported.outcome.kind === 'refused') throw new Error(imported.outcome.message);
    const { detection, optionDefaults } = imported.outcome;
    const layout = detection.decisions.find(({ what }) => what === 'layout');
    return { layout: layout?.decided, why: layout?.why, lines: ordersOf(imported), optionDefaults };
  };

  test('reads each file with the layout whose columns are in its header, and with its settings', async () => {
    expect(await decided('Menge;Material;Beleg\n1.000;S1;A\n')).toMatchObject({
      layout: 'erp',
      why: expect.stringContaining('"Beleg", "Material", "Menge"'),
      lines: [{ poNumber: 'A', lines: [{ sku: 'S1', quantity: 1000 }] }],
      optionDefaults: { ship_via: 'BEST' },
    });
    expect(await decided('Order,Code,Ordered\nA,S1,1\n,S2,2\n')).toMatchObject({
      layout: 'shop',
      lines: [{ poNumber: 'A', lines: [{ sku: 'S1' }, { sku: 'S2' }] }],
      optionDefaults: {},
    });
    expect(await decided('A,S1,3\nA,S2,4\n')).toMatchObject({
      layout: 'bare',
      lines: [{ poNumber: 'A', lines: [{ quantity: 3 }, { quantity: 4 }] }],
    });
    expect(await decided('PO,SKU,Qty\nA,S1,3\n')).toMatchObject({ layout: 'none', lines: orders });
  });

  test('finds the sheet of a layout', async () => {
    const bytes = await writeWorkbook({
      sheets: [
        {
          name: 'Notes',
          rows: [
            ['Beleg', 'Material'],
            ['x', 'y'],
          ],
        },
        { name: 'Lines', rows: [['Title'], ['Beleg', 'Material', 'Menge'], ['A', 'S1', '3']] },
      ],
    });
    const imported = await importBytes('a.xlsx', bytes, { layouts });
    expect(ordersOf(imported)).toEqual(orders);
    expect(imported.outcome).toMatchObject({ detection: { sheet: 'Lines' } });
  });

  test('refuses a file that several layouts fit, and names them', async () => {
    const narrow = { columns: { Beleg: 'po_number', Material: 'item_sku' } } as const;
    const refusal = refusalOf(
      await importBytes('a.csv', 'Beleg,Material,Menge\nA,S1,3\n', { layouts: { ...layouts, narrow } }),
    );
    expect(refusal.code).toBe('layout_ambiguous');
    expect(refusal.message).toContain('"erp", "narrow"');
  });

  test('refuses a file that two layouts without a header fit', async () => {
    const other = { columns: { 1: 'item_sku', 2: 'po_number', 3: 'quantity' }, header: 'none' } as const;
    const refusal = refusalOf(await importBytes('a.csv', 'A,S1,3\n', { layouts: { ...layouts, other } }));
    expect(refusal.code).toBe('layout_ambiguous');
    expect(refusal.message).toContain('"bare", "other"');
  });

  test.each([
    ['a header that no layout has', 'Beleg,Material,Anzahl\nA,S1,3\n'],
    ['a layout in part', 'Order,Code,Count\nA,S1,3\n'],
  ])('never reads %s as the first line of a layout without a header', async (_, text) => {
    const refusal = refusalOf(await importBytes('a.csv', text, { layouts }));
    expect(refusal.code).toBe('columns_missing');
    expect(refusal.message).toContain('"erp", "shop", "bare"');
  });
});

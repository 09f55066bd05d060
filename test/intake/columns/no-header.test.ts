import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import type { FieldName } from '../../../src/intake/columns/fields.ts';
import { proposeMap } from '../../../src/intake/layouts/propose/propose-map.ts';
import type { Proposed } from '../../../src/intake/layouts/propose/proposed-map.ts';
import { defaultIntakeOptions } from '../../support/default-intake-options.ts';
import { importBytes, refusalOf } from '../support/import-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-bare-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const propose = async (text: string, columns: Record<string, FieldName> = {}, more: object = {}) => {
  const path = join(folder, 'bare.csv');
  await writeFile(path, text);
  return proposeMap({
    path,
    fileName: 'bare.csv',
    options: { ...defaultIntakeOptions, ...more, columns },
    codeLists: specCodeLists,
  });
};

const fieldsOf = ({ columns }: Proposed) =>
  Object.fromEntries(columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])));

describe('a file without a header', () => {
  test.each([
    ['numbers', (at: number) => String(3466 + at)],
    ['numbers that begin with PO', (at: number) => `PO-${3466 + at}`],
  ])('gets numbered columns, and only what its values leave no doubt about: %s', async (_, po) => {
    const rows = [0, 0, 1, 1, 2].map(
      (order, at) => `${po(order)},Acme,AB-C${100 + at * 7},${at + 2},Boise,ID,83702,ann@example.com`,
    );
    const proposed = (await propose(`${rows.join('\n')}\n`)) as Proposed;
    expect(proposed).toMatchObject({ kind: 'proposed', headerRow: null, settings: { header: 'none' } });
    expect(fieldsOf(proposed)).toEqual({
      'column 6': 'ship_state',
      'column 7': 'ship_zip',
      'column 8': 'email',
    });
    expect(proposed.missing).toEqual(['po_number', 'item_sku', 'quantity']);
    expect(proposed.doubts.po_number).toContain('column 1');
    expect(proposed.doubts.item_sku).toContain('column 3');
    expect(proposed.doubts.quantity).toContain('column 4');
    expect(proposed.doubts.quantity).not.toContain('column 7');
  });

  test('is read with the answers of a person, as they are proposed', async () => {
    const text = 'X1,AB-1,2,Boise,ID,83702\nX1,AB-2,3,Boise,ID,83702\n';
    const answers = { 'column 1': 'po_number', 'column 2': 'item_sku', 'column 3': 'quantity' } as const;
    const proposed = (await propose(text, answers)) as Proposed;
    expect(proposed.missing).toEqual([]);
    expect(proposed.samples.map(({ item }) => item.quantity)).toEqual([2, 3]);
    const { rows, issues } = await importBytes('bare.csv', text, {
      ...proposed.settings,
      columns: { ...answers, ...proposed.map },
    });
    expect(issues).toEqual([]);
    expect(rows.map(({ poNumber, itemSku, quantity }) => [poNumber, itemSku, quantity])).toEqual([
      ['X1', 'AB-1', 2],
      ['X1', 'AB-2', 3],
    ]);
  });

  test('of one column is a text, and is refused', async () => {
    expect(await propose('4711\n4712\n')).toMatchObject({ kind: 'refused', code: 'no_header' });
  });
});

describe('header: none with columns that are mapped by headers', () => {
  const text = 'P-1,A-1,2,x\nP-2,A-2,3,y\n';

  test.each([
    [{ PO: 'po_number', SKU: 'item_sku', Qty: 'quantity' }, '"PO", "SKU", "Qty" are headers'],
    [
      { 1: 'po_number', B: 'item_sku', 'column 3': 'quantity', 'Line note': 'note' },
      '"Line note" is a header',
    ],
    [{ 1: 'po_number', 2: 'item_sku', 3: 'quantity', Note: 'note' }, '"Note" is a header'],
  ] as const)('refuses the file and names both settings: %j', async (columns, names) => {
    const refusal = refusalOf(await importBytes('a.csv', text, { header: 'none', columns }));
    expect(refusal.code).toBe('columns_contradict_header');
    expect(refusal.message).toContain('The settings header: none and columns contradict each other');
    expect(refusal.message).toContain(names);
    expect(await propose(text, columns, { header: 'none' })).toMatchObject({
      kind: 'refused',
      code: 'columns_contradict_header',
    });
    const layouts = { bare: { header: 'none', columns } } as const;
    const inLayout = refusalOf(await importBytes('a.csv', text, { layouts }));
    expect(inLayout.message).toContain(names);
  });

  test('a column that this file has not is named', async () => {
    const columns = { 1: 'po_number', 2: 'item_sku', 3: 'quantity', G: 'note' } as const;
    const { outcome, rows } = await importBytes('a.csv', text, { header: 'none', columns });
    expect(rows).toHaveLength(2);
    const decisions = outcome.kind === 'read' ? outcome.detection.decisions : [];
    expect(decisions).toContainEqual(expect.objectContaining({ decided: 'not in this file: "G"' }));
  });
});

describe('a header in a file of an account whose files have none', () => {
  const columns = { 1: 'po_number', 2: 'item_sku', 3: 'quantity' } as const;
  const read = (text: string, more: object = {}) =>
    importBytes('a.csv', text, { header: 'none', columns, ...more });

  test.each([
    ['in another order', 'po_number,quantity,item_sku\nP-7,12,55\nP-8,3,66\n', 'column 2 is item_sku'],
    ['in other words', 'Order no,Ordered quantity,Article\n7001,12,55\n7002,3,66\n', 'column 1 is po_number'],
    ['in another language', 'Bestellnummer;Menge;Artikelnummer\n7001;12;55\n', 'column 1 is po_number'],
    ['below a title', 'Orders of May\nPO Number,Qty,SKU\nP-7,12,55\n', 'column 2 is item_sku'],
    ['with more columns', 'po_number,item_sku,ship_name,quantity\nP-7,12,55,2\n', 'column 3 is quantity'],
  ])('is refused if it may contradict the numbers: %s', async (_, text, says) => {
    const refusal = refusalOf(await read(text));
    expect(refusal.code).toBe('header_unexpected');
    expect(refusal.message).toContain(says);
    expect(refusal.message).toContain('intake.layouts');
  });

  test('is left out if it names the columns as they are numbered', async () => {
    const { outcome, rows, issues } = await read('PO Number,SKU,Qty\nP-7,A-1,2\n');
    expect(issues).toEqual([]);
    expect(rows.map(({ poNumber, itemSku, quantity }) => [poNumber, itemSku, quantity])).toEqual([
      ['P-7', 'A-1', 2],
    ]);
    expect(outcome).toMatchObject({ detection: { headerRow: 1 } });
  });

  test.each([
    'P-7,A-1,2\n',
    'PO-7,Item one,2,Ann Order,Boise\n',
    'Order A,Item one,2\nOrder B,Item two,3\n',
    'PO,SKU,2\nPO,QTY,3\n',
  ])('is not seen in lines: %j', async (text) => {
    const { rows, issues } = await read(text);
    expect(issues).toEqual([]);
    expect(rows).toHaveLength(text.split('\n').length - 1);
  });

  test('goes to the layout that it belongs to', async () => {
    const layouts = {
      shop: { header: 'auto', columns: { Nr: 'po_number', Stk: 'quantity', Art: 'item_sku' } },
    };
    const { rows } = await read('Nr,Stk,Art\n7,12,55\n', { layouts });
    expect(rows).toMatchObject([{ poNumber: '7', itemSku: '55', quantity: 12 }]);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { proposeMap } from '../../../src/intake/layouts/propose/propose-map.ts';
import type { Proposed, ProposedMap } from '../../../src/intake/layouts/propose/proposed-map.ts';
import { defaultIntakeOptions } from '../../support/default-intake-options.ts';
import { importBytes, ordersOf, refusalOf } from '../support/import-file.ts';
import { writeWorkbook } from '../support/write-workbook.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-sheets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Sheets = Record<string, string[][]>;

const bytesOf = (sheets: Sheets) =>
  writeWorkbook({ sheets: Object.entries(sheets).map(([name, rows]) => ({ name, rows })) });

const propose = async (sheets: Sheets): Promise<ProposedMap> => {
  const path = join(folder, 'map.xlsx');
  await writeFile(path, await bytesOf(sheets));
  return proposeMap({ path, fileName: 'map.xlsx', options: defaultIntakeOptions, codeLists: specCodeLists });
};

const proposed = async (sheets: Sheets): Promise<Proposed> => {
  const found = await propose(sheets);
  if (found.kind === 'refused') throw new Error(found.message);
  return found;
};

/** The orders of the workbook, read with the proposed settings. */
const ordered = async (sheets: Sheets) => {
  const { map, settings } = await proposed(sheets);
  return ordersOf(await importBytes('a.xlsx', await bytesOf(sheets), { columns: map, ...settings }));
};

const lines = (orderColumn: string): string[][] => [
  [orderColumn, 'SKU', 'Qty'],
  ['101', 'AB-1', '2'],
  ['101', 'AB-2', '5'],
  ['102', 'AB-1', '1'],
];
const asOrdered = [
  ['PO-4711', [2, 5]],
  ['PO-4712', [1]],
];
const linesOf = (orders: Awaited<ReturnType<typeof ordered>>) =>
  orders.map(({ poNumber, lines }) => [poNumber, lines.map(({ quantity }) => quantity)]);

describe('a workbook of which one sheet has the orders and another their lines', () => {
  test.each([
    ['the same name', 'Order ID', 'Order ID'],
    ['another spelling', 'OrderID', 'Order Id'],
    ['a bare number in the sheet of orders', 'No', 'Order No'],
    ['the ID of a PO', 'PO ID', 'PO ID'],
  ])('is joined by the key, whatever it is called: %s', async (_, inOrders, inLines) => {
    const orders = [
      [inOrders, 'PO Number', 'Ship To City'],
      ['101', 'PO-4711', 'Boise'],
      ['102', 'PO-4712', 'Reno'],
    ];
    for (const sheets of [
      { Orders: orders, Lines: lines(inLines) },
      { Lines: lines(inLines), Orders: orders },
    ]) {
      const { settings, columns } = await proposed(sheets);
      expect(settings.join).toMatchObject({ orders: 'Orders', lines: 'Lines' });
      expect(columns.find(({ field }) => field === 'po_number')?.header).toBe('PO Number');
      expect(linesOf(await ordered(sheets))).toEqual(asOrdered);
    }
  });

  test('is not read without its orders by an account that says nothing about it', async () => {
    const orders = [
      ['PO ID', 'PO Number'],
      ['101', 'PO-4711'],
      ['102', 'PO-4712'],
    ];
    const bytes = await bytesOf({ Orders: orders, Lines: lines('PO ID') });
    const refusal = refusalOf(await importBytes('May orders.xlsx', bytes));
    expect(refusal.code).toBe('sheets_not_joined');
    expect(refusal.message).toMatch(/"Lines".*"Orders" has the column "PO Number", and "PO ID"/);
    expect(refusal.message).toContain("cartwright map 'May orders.xlsx' --write");
    const { byPo } = await importBytes('a.xlsx', bytes, { sheet: 'Lines' });
    expect(Object.keys(byPo)).toEqual(['101', '102']);
  });

  test('is joined where the orders only add an address', async () => {
    const orders = [
      ['PO Number', 'Ship To Name', 'Ship To City'],
      ['101', 'Ann', 'Boise'],
      ['102', 'Bob', 'Reno'],
    ];
    const sheets = { Orders: orders, Lines: lines('PO Number') };
    expect((await proposed(sheets)).settings.join).toBeDefined();
    expect((await ordered(sheets)).map(({ options }) => options.ship_city)).toEqual(['Boise', 'Reno']);
  });

  test.each<[string, string[][]]>([
    [
      'no column of the orders has the values of the lines',
      [
        ['PO Number', 'Ship To City'],
        ['PO-4711', 'Boise'],
        ['PO-4712', 'Reno'],
      ],
    ],
    [
      'an order of the lines is there twice',
      [
        ['Order ID', 'PO Number'],
        ['101', 'PO-4711'],
        ['101', 'PO-4712'],
      ],
    ],
  ])('is refused, and the choices are named, where nothing joins them: %s', async (_, orders) => {
    const found = await propose({ Orders: orders, Lines: lines('Order ID') });
    expect(found).toMatchObject({ kind: 'refused', code: 'sheet_ambiguous' });
    expect((found as { message: string }).message).toMatch(/"Lines".*"Order ID".*"Orders".*"PO Number"/);
  });

  test('is not joined with a sheet that says nothing about orders', async () => {
    const prices = [
      ['SKU', 'Description', 'Price'],
      ['AB-1', 'Desk', '9.50'],
      ['AB-2', 'Chair', '4.50'],
    ];
    const { settings, columns } = await proposed({ Lines: lines('PO Number'), Prices: prices });
    expect(settings.join).toBeUndefined();
    expect(columns.find(({ field }) => field === 'po_number')?.header).toBe('PO Number');
  });
});

describe('a workbook with several sheets of orders', () => {
  const sheet = [
    ['SKU', 'Qty'],
    ['AB-1', '2'],
    ['AB-2', '5'],
  ];
  test.each([
    ['PO 4711', 'PO 4712', 'PO {po}', '4711'],
    ['4711', '4712', '{po}', '4711'],
    ['B-4711', 'B-4712', '{po}', 'B-4711'],
    ['Bestellung 4711', 'Bestellung 4712', 'Bestellung {po}', '4711'],
  ])('is read by the names of its sheets, if they are POs: %s', async (first, second, pattern, po) => {
    const sheets = { [first]: sheet, [second]: sheet };
    const { settings, poSource, missing, samples } = await proposed(sheets);
    expect(settings.poNumberFrom).toEqual({ sheetName: pattern });
    expect(poSource).toMatchObject({ poNumber: po, certain: false });
    expect(missing).toEqual([]);
    expect(samples[0]!.cart.po_number).toBe(po);
    const orders = await ordered(sheets);
    expect(orders.map(({ lines }) => lines.length)).toEqual([2, 2]);
  });

  test.each([
    ['2025', '2026'],
    ['Sheet1', 'Sheet2'],
    ['January', 'February'],
    ['Sheet100', 'Sheet101'],
  ])('asks which one is meant, if their names are no POs: %s', async (first, second) => {
    const found = await propose({ [first]: sheet, [second]: sheet });
    expect(found).toMatchObject({ kind: 'refused', code: 'sheet_ambiguous' });
    const { message } = found as { message: string };
    for (const name of [first, second]) expect(message).toContain(`"${name}"`);
  });
});

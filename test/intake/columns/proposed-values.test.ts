import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { rankName } from '../../../src/intake/columns/name-ranks.ts';
import { proposeMap } from '../../../src/intake/layouts/propose/propose-map.ts';
import type { ProposedMap } from '../../../src/intake/layouts/propose/proposed-map.ts';
import type { IntakeOptions } from '../../../src/intake/options.ts';
import { defaultIntakeOptions } from '../../support/default-intake-options.ts';
import { importBytes, ordersOf } from '../support/import-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-values-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Proposed = Extract<ProposedMap, { kind: 'proposed' }>;

const propose = async (
  text: string,
  fileName = 'map.csv',
  columns: IntakeOptions['columns'] = {},
): Promise<Proposed> => {
  const path = join(folder, fileName);
  await writeFile(path, text);
  const options = { ...defaultIntakeOptions, columns };
  const request = { path, fileName, options, codeLists: specCodeLists };
  const proposed = await proposeMap(request);
  if (proposed.kind === 'refused') throw new Error(proposed.message);
  return proposed;
};

const page = (rows: string[][]) =>
  `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;

describe('the decimal sign that is proposed', () => {
  test.each([
    ['nothing that shows it', ['1,000', '5'], ['12', '8'], undefined],
    ['thousands only', ['1,000', '2,000'], ['1,250', '9'], undefined],
    ['prices with a comma', ['1.000', '5'], ['12,50', '8,00'], 'comma'],
    ['a comma behind spaces', ['1 000', '5'], ['1 250,00', '8,00'], 'comma'],
    ['prices with a point', ['1,000', '5'], ['1,250.00', '8.00'], 'point'],
    ['a point that needs no setting', ['10', '5'], ['12.50', '8.00'], undefined],
    ['both signs', ['1', '5'], ['12.50', '8,00'], undefined],
  ] as const)('%s: %s and %s', async (_, quantities, prices, decimal) => {
    // The price is not mapped, because it may be an amount, but it still shows the decimal sign.
    const rows = quantities.map((quantity, at) => `P-1\tA-${at}\t${quantity}\t${prices[at]}`);
    const { settings } = await propose(`PO Number\tSKU\tQty\tPrice\n${rows.join('\n')}\n`);
    expect(settings.decimal).toBe(decimal);
  });

  test('a page with thousands is never read as fractions', async () => {
    const header = ['PO Number', 'SKU', 'Qty', 'Price'];
    const text = page([header, ['P-1', 'A-1', '5', '1,250.00'], ['P-1', 'A-2', '1,000', '9.50']]);
    const { settings, samples } = await propose(text, 'orders.xls');
    expect(settings.decimal).toBe('point');
    expect(samples.map(({ item }) => item.quantity)).toEqual([5, 1000]);
  });
});

describe('a quantity that belongs to the whole order', () => {
  test('gives way to the column whose sum it is', async () => {
    const text = 'Order #,Order Qty,SKU,Qty\n1001,7,A-1,5\n1001,7,A-2,2\n1002,1,A-3,1\n';
    const { columns, map } = await propose(text);
    expect(columns.find(({ field }) => field === 'quantity')).toMatchObject({ header: 'Qty' });
    const imported = await importBytes('a.csv', text, { columns: map });
    expect(ordersOf(imported)[0]!.lines.map(({ quantity }) => quantity)).toEqual([5, 2]);
  });

  test('is not proposed where it is the only one', async () => {
    const { missing, doubts } = await propose('PO Number,Total Qty,SKU\nP-1,7,A-1\nP-1,7,A-2\nP-2,1,A-3\n');
    expect(missing).toEqual(['quantity']);
    expect(doubts.quantity).toContain('the same in all rows of an order');
  });

  test('ones in every row are quantities', async () => {
    const { columns } = await propose('PO Number,Units,SKU\nP-1,1,A-1\nP-1,1,A-2\nP-2,1,A-3\n');
    expect(columns[1]).toMatchObject({ field: 'quantity', certain: false });
  });
});

test.each([
  ['nothing but its line', 'PO,SKU,Qty\nE1,AX-1,1\nE2,AX-2,2\n,AX-3,30\nE4,AX-4,4\n'],
  ['all else that a PO has', 'PO,SKU,Qty,Status\nE1,AX-1,1,ok\nE2,AX-2,2,ok\n,AX-3,30,ok\nE4,AX-4,4,ok\n'],
])('a row without a PO number that has %s is not proposed as one of the PO above', async (_, text) => {
  expect((await propose(text)).settings).toEqual({});
});

test('item numbers in brackets are proposed with the setting that reads them', async () => {
  const text =
    'Order Reference,Customer,Product,Quantity\nP-1,Ann,[FURN_1118] Corner Desk,3\n,,[FURN_0269] Chair,2\n';
  const { settings, columns, map, samples } = await propose(text);
  expect(settings).toEqual({ continuationRows: true, itemInBrackets: true });
  expect(columns[2]).toMatchObject({ field: 'item_sku', certain: false });
  expect(samples.map(({ item }) => item.item_sku)).toEqual(['FURN_1118', 'FURN_0269']);
  const { refusals } = await importBytes('a.csv', text, { columns: map, ...settings });
  expect(refusals).toEqual([]);
});

test('a recognised name in doubt is in the map, so that a file is read once it is accepted', async () => {
  const text = 'Order Number,Customer PO,SKU,Qty\nSO-1,9981,A-1,5\nSO-1,9981,A-2,2\nSO-2,9982,A-3,1\n';
  const { map } = await propose(text);
  expect(map).toEqual({ 'Customer PO': 'po_number' });
  const imported = await importBytes('a.csv', text, { columns: map });
  expect(ordersOf(imported).map(({ poNumber }) => poNumber)).toEqual(['9981', '9982']);
});

test('a header of two rows is proposed where the lower row alone names too little, and has to be confirmed', async () => {
  const text =
    'Order,,Item,,Ship To,\nNumber,Date,SKU,Qty,City,State\n7001,2026-01-02,A-1,5,Boise,Idaho\n7001,2026-01-02,A-2,2,Boise,Idaho\n';
  const { settings, columns, map, samples } = await propose(text);
  expect(settings).toEqual({ headerRows: 2, stateNames: 'convert' });
  expect(columns.filter(({ certain }) => !certain).map(({ field }) => field)).toEqual([
    'po_number',
    'item_sku',
    'quantity',
  ]);
  expect(samples.map(({ cart }) => cart)).toMatchObject([
    { po_number: '7001', ship_city: 'Boise', ship_state: 'ID' },
    { po_number: '7001' },
  ]);
  const confirmed = await propose(text, 'map.csv', map);
  expect(confirmed.columns.every(({ certain }) => certain)).toBe(true);
  expect(confirmed.settings).toEqual(settings);
  const imported = await importBytes('a.csv', text, { columns: map, ...settings });
  expect(imported.refusals).toEqual([]);
  expect(ordersOf(imported)).toMatchObject([{ poNumber: '7001', lines: [{ sku: 'A-1' }, { sku: 'A-2' }] }]);
});

test('the message names the header, and characters that look wrong', async () => {
  const text = 'Numer zamówienia;Indeks;Iloœæ;ST\n1;2;3;ST\n';
  const { outcome } = await importBytes('a.csv', text);
  expect(outcome).toMatchObject({ kind: 'refused', code: 'columns_missing' });
  expect(outcome).toHaveProperty(
    'message',
    expect.stringMatching(/^Row 1 .*Characters in "Iloœæ" look wrong/),
  );
});

test.each([
  ['Number of items', 'item_sku'],
  ['No. of orders', 'po_number'],
  ['To Order', 'po_number'],
  ['Parent PO', 'po_number'],
] as const)('%s is no clear name of %s', (header, field) => {
  expect(rankName(header)[field]).toBeLessThan(6);
});

describe('what ERP systems call an item', () => {
  const rows = (item: (at: number) => string) =>
    Array.from({ length: 6 }, (_, at) => `45000${at >> 1};${item(at)};${(at * 3 + 2) % 7};62-0${at}1\n`).join(
      '',
    );

  test.each([
    ['Material', (at: number) => `10${at}-4${at}2`],
    ['Material', (at: number) => `0000000000100012${30 + at}`],
    ['Indeks', (at: number) => `TW-${at}7`],
    ['Indeks towaru', (at: number) => `TW-${at}7`],
  ])('is its number, if the values are numbers of items: %s', async (name, item) => {
    const { columns } = await propose(`Bestellnummer;${name};Menge;Kod pocztowy\n${rows(item)}`);
    expect(columns.map(({ field }) => field)).toEqual(['po_number', 'item_sku', 'quantity', 'ship_zip']);
  });

  test.each([
    ['what it is made of', (at: number) => ['Cotton', 'Wool', 'Silk'][at % 3]!],
    ['its name', (at: number) => `Desk of oak ${at}`],
  ])('is not its number, if the values are %s; and a postcode is never meant', async (_, item) => {
    const { columns, doubts, candidates } = await propose(
      `Bestellnummer;Material;Menge;Kod pocztowy\n${rows(item)}`,
    );
    expect(columns[1]!.field).toBeNull();
    expect(doubts.item_sku).not.toMatch(/pocztowy/);
    expect(candidates.item_sku).not.toContain('Kod pocztowy');
  });
});

test.each([
  ['PO Number,SKU,Qty,\n,,Shipped,Open\n', ['quantity'], { headerRows: 2 }],
  ['PO Number,SKU,Qty,\n,,Ordered,Shipped\n', [], {}],
  [',,Shipped,Ordered\nPO,SKU,Qty,Qty\n', [], { headerRows: 2 }],
  [',,Shipped,\nPO,SKU,Qty,Balance\n', ['quantity'], { headerRows: 2 }],
])('names in two rows are taken together, as an import takes them: %s', async (header, missing, needed) => {
  const found = await propose(`${header}P-1,A-1,5,3\nP-1,A-2,4,2\nP-2,A-3,1,1\n`);
  expect(found).toMatchObject({ missing, headerRow: 2 });
  expect(found.settings).toEqual(needed);
  const quantity = found.columns.find(({ field }) => field === 'quantity')?.header;
  expect(quantity ?? 'none').not.toMatch(/shipped|open|balance/i);
});

test('totals and charges are no lines as they would be ordered', async () => {
  const text =
    'PO Number,SKU,Qty\nP-1,A-1,5\nP-1,SHIPPING,1\nP-1,Total,5\nP-2,A-2,1\nP-2 Total,,1\nTotal,,6\nP-3,A-3,1\n';
  const { samples } = await propose(text);
  expect(samples.map(({ item }) => item.item_sku)).toEqual(['A-1', 'A-2', 'A-3']);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';

import { rankName, rankOthers } from '../../../src/intake/columns/name-ranks.ts';
import { proposeMap } from '../../../src/intake/layouts/propose/propose-map.ts';
import type { ProposedMap } from '../../../src/intake/layouts/propose/proposed-map.ts';
import { defaultIntakeOptions } from '../../support/default-intake-options.ts';
import { encodeText } from '../support/encode-text.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-names-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Proposed = Extract<ProposedMap, { kind: 'proposed' }>;

const tryOut = async (text: string | Buffer, fileName = 'map.csv'): Promise<ProposedMap> => {
  const path = join(folder, 'map.csv');
  await writeFile(path, text);
  return proposeMap({ path, fileName, options: defaultIntakeOptions, codeLists: specCodeLists });
};
const propose = async (text: string | Buffer, fileName?: string): Promise<Proposed> => {
  const proposed = await tryOut(text, fileName);
  if (proposed.kind === 'refused') throw new Error(proposed.message);
  return proposed;
};
const fieldsOf = ({ columns }: Proposed) =>
  Object.fromEntries(columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])));

const quantities = [3, 1, 7, 2, 12, 5, 20, 4, 8];
/** Three orders of three lines each. */
const table = (header: string, line: (at: number, order: number) => string, delimiter = ';') =>
  `${header}\n${quantities.map((_, at) => `${line(at, Math.floor(at / 3))}\n`).join('')}`.replaceAll(
    ';',
    delimiter,
  );

describe('the number of the item at its supplier', () => {
  test.each([
    ['Réf. fournisseur', 'Code article'],
    ['Ref. proveedor', 'Cód. Artículo'],
    ['Cód. fornecedor', 'Código'],
    ['Cod. art. fornitore', 'Codice articolo'],
    ['Lev. artikelnr', 'Artikelnr'],
    ['Leverandørens varenr.', 'Varenr.'],
    ['Toimittajan tuotekoodi', 'Tuotekoodi'],
    ['Kód dodavatele', 'Kód zboží'],
    ['Kod u dostawcy', 'Kod towaru'],
    ['Bestelcode leverancier', 'Itemcode'],
    ['Best.-Nr. Lieferant', 'Artikelnr.'],
    ['Артикул поставщика', 'Код'],
    ['Supplier Ref', 'Item No'],
    ['EXTERNALITEMNUMBER', 'ITEMNUMBER'],
    ['VendorPartNumber', 'PartNumber'],
    ['Your SKU', 'Our SKU'],
  ])('%s wins over %s, and a person is asked', async (suppliers, own) => {
    const file = table(
      `PO Number;${own};${suppliers};Qty`,
      (at, po) => `P-${po};${30550 + at * 37};GT ${1428 + at * 11}-A;${quantities[at]}`,
    );
    const proposed = await propose(file);
    expect(fieldsOf(proposed)).toMatchObject({ [suppliers]: 'item_sku' });
    expect(proposed.columns.find(({ header }) => header === suppliers)!.certain).toBe(false);
  });

  test.each(['Vendor No.', 'Vendor Code', 'Supplier Ref', 'Kod dostawcy'])(
    '%s is the number of the supplier where its values are those of the order',
    async (header) => {
      const lines = (at: number, po: number) => `P-${po};V10${po};A-${at * 7};${quantities[at]}`;
      expect(fieldsOf(await propose(table(`PO Number;${header};Item No;Qty`, lines)))).toMatchObject({
        'Item No': 'item_sku',
      });
      const heads = `PO Number;${header};Order Date\n${quantities.map((_, at) => `P-${at};V${100 + at};2026-11-0${at + 1}\n`).join('')}`;
      expect(Object.values(fieldsOf(await propose(heads)))).not.toContain('item_sku');
    },
  );
});

describe('the number of the order that people know', () => {
  test.each([
    ['orderId;number', 'number'],
    ['order_id;display_id', 'display_id'],
    ['order_id;increment_id', 'increment_id'],
    ['Purchase Order ID;Purchase Order Number', 'Purchase Order Number'],
  ])('of %s it is %s', async (headers, right) => {
    const file = table(
      `${headers};sku;qty`,
      (at, po) => `${5417 + po};${20400 + po * 3};K${187 + at};${quantities[at]}`,
    );
    expect(fieldsOf(await propose(file))).toMatchObject({ [right]: 'po_number' });
  });

  test.each([
    ['ID', 'PUR-ORD-2026-000'],
    ['name', 'P003'],
    ['reference', 'ZAKFNYRD'],
  ])('%s holds it where its values show it', async (header, start) => {
    const letters = ['G', 'H', 'K'];
    const number = (po: number) => (/\d/.test(start) ? `${start}${11 + po}` : `${start}${letters[po]}`);
    const file = table(`${header};Item Code;Qty`, (at, po) => `${number(po)};AB-${at * 7};${quantities[at]}`);
    expect(fieldsOf(await propose(file))).toMatchObject({ [header]: 'po_number' });
  });
});

test('the quantity of a line wins over that of its order', async () => {
  const totals = [11, 19, 32];
  const line = (at: number, po: number) => `P-${po};A-${at * 7};${totals[po]};${quantities[at]}`;
  expect(fieldsOf(await propose(table('Order ID;SKU;Quantity;Line item Quantity', line)))).toMatchObject({
    'Line item Quantity': 'quantity',
  });
});

test('the block above a table, with the number of the vendor, is no header', async () => {
  const block = 'Vendor #;PO #;Warehouse;Ship Via;Due Date\n20417;PO-41882;MAIN;BEST;2026-06-18\n;;;;\n';
  const lines = table(
    'Product;Description;Quantity;Unit;Price',
    (at) => `876-${at};Chain;${quantities[at]};each;3.5${at}`,
  );
  const proposed = await propose(`${block}${lines}`);
  expect(proposed.headerRow).toBe(4);
  expect(fieldsOf(proposed)).toMatchObject({ Product: 'item_sku', Quantity: 'quantity' });
});

test('a seller’s number wins over a barcode and over the number that a marketplace gave', async () => {
  const line = (at: number, po: number) => `O-${po};WGN-B9${at};40100000843${60 + at};${quantities[at]}`;
  for (const [own, other] of [
    ['Offer SKU', 'Product SKU'],
    ['Seller SKU', 'SKU ID'],
    ['판매자 상품코드', '상품번호'],
  ])
    expect(fieldsOf(await propose(table(`Order Number;${own};${other};Quantity`, line))), own).toMatchObject({
      [own!]: 'item_sku',
    });
});

test('short numbers are items where the name says so, and line numbers are none', async () => {
  const items = [11, 42, 72, 14, 51, 41, 65, 22, 57];
  const line = (at: number, po: number) => `${10248 + po};${(at % 3) + 1};${items[at]};${quantities[at]}`;
  expect(fieldsOf(await propose(table('order_id;item_id;product_id;quantity', line)))).toMatchObject({
    product_id: 'item_sku',
  });
  expect(fieldsOf(await propose(table('order_id;line_no;product_variant_id;quantity', line)))).toMatchObject({
    product_variant_id: 'item_sku',
  });
});

describe('quantities', () => {
  test.each(['1.0000', '6.000000', '2 Stück', '120 (EA)', '30 szt.'])('%s is read', async (value) => {
    const proposed = await propose(table('PO Number;SKU;Qty', (at, po) => `P-${po};A-${at * 7};${value}`));
    expect(proposed.samples[0]!.item.quantity).toBe(Number.parseInt(value, 10));
  });

  test('5.000 beside 44.89 is five, and beside nothing it is asked', async () => {
    const line = (price: string) => (at: number, po: number) =>
      `P-${po};A-${at * 7};${quantities[at]}.000;${price}`;
    const beside = await propose(table('PO Number;SKU;Qty;Price', line('44.89')));
    expect([beside.settings.decimal, beside.samples[0]!.item.quantity]).toEqual(['point', 3]);
    const alone = await propose(table('PO Number;SKU;Qty;Price', line('44')));
    expect(alone.settings.decimal).toBeUndefined();
    expect(alone.samples[0]!.item.quantity).toBeUndefined();
  });

  test('the total of an order whose items are packed into one cell is none', async () => {
    const file = table(
      'Order ID;Total Quantity;Products',
      (at) => `${1187 + at};${quantities[at]};"A-1|B-2"`,
    );
    const proposed = await propose(file);
    expect(proposed.missing).toEqual(['item_sku', 'quantity']);
  });

  test('the trailer of a file with several kinds of records is no line', async () => {
    const file = `Record,PO Number,Item,Qty\nD,771800,WP-43,1\nD,771800,WP-52,2\nT,771800,,3\nD,771803,WP-43,4\n`;
    const proposed = await propose(file);
    expect(proposed.samples.map(({ item }) => item.quantity)).toEqual([1, 2, 4]);
  });
});

test.each([
  ['windows-1250', 'Numer dokumentu;Symbol;Ilość', { Ilość: 'quantity' }],
  ['windows-1254', 'Sipariş No;Stok Kodu;Miktar', { 'Sipariş No': 'po_number' }],
])('words of the header show that a small file is in %s', async (encoding, header, field) => {
  const text = table(header, (at, po) => `ZD ${417 + po}/2026;H5${at * 7};${quantities[at]}`);
  expect(fieldsOf(await propose(encodeText(text, encoding)))).toMatchObject(field);
});

test.each([
  ['Commande_BC-2026-0417.csv', 'BC-2026-0417'],
  ['purchase_order_10457.csv', '10457'],
  ['Bon de commande 20417.csv', '20417'],
  ['PO10457.csv', 'PO10457'],
  ['orders 2026-11-22.csv', undefined],
  ['lines.csv', undefined],
])('the PO number in the name %s is %s', async (fileName, poNumber) => {
  const proposed = await propose(
    table('SKU;Qty', (at) => `A-${at * 7};${quantities[at]}`),
    fileName,
  );
  expect(proposed.poSource?.poNumber).toBe(poNumber);
});

test('a file of QuickBooks with records of several kinds is refused by its name', async () => {
  const refused = await tryOut(
    '!TRNS\tTRNSTYPE\tDOCNUM\n!SPL\tINVITEM\tQNTY\nTRNS\tPURCHORD\t4711\nSPL\tA-1\t2\n',
  );
  expect(refused).toMatchObject({ kind: 'refused', message: expect.stringContaining('IIF') });
});

test.each([
  'Direct Unit Cost Excl. VAT',
  'EK-Preis Ohne MwSt.',
  'Price per unit',
  'Preis/Stk.',
  'PURCHASEPRICE',
  'Wholesale Price',
  'PU HT',
  '*UnitAmount',
  'Jedn. cena',
  'Birim Fiyat',
  'Inkoopprijs',
  'Cena zakupu',
  '含税单价',
  'Pris/st',
  'Valor Unitário (R$)',
])('%s is the price of one', (header) => {
  expect(rankOthers(header)[0]?.field).toBe('expected_price');
});

test.each(['Tax Rate', 'Net Amount', 'Total Price', 'Gesamtpreis', 'Line Total', 'Montant HT'])(
  '%s is no price of one',
  (header) => {
    expect(rankOthers(header).map(({ field }) => field)).not.toContain('expected_price');
  },
);

test('Ship By is a date and no town, and Ship To may be the name of a place', async () => {
  const line = (at: number, po: number) =>
    `P-${po};A-${at * 7};${quantities[at]};2026-11-2${po};Harbor Cycle Works`;
  expect(fieldsOf(await propose(table('PO Number;SKU;Qty;Ship By;Ship To', line)))).toEqual({
    'PO Number': 'po_number',
    SKU: 'item_sku',
    Qty: 'quantity',
    'Ship To': 'ship_name',
  });
});

test.each([
  ['Quantity (- Refund)', 'quantity'],
  ['Requested', 'quantity'],
  ['MOrderQty', 'quantity'],
  ['Qty (Unit)', 'quantity'],
  ['Qté cdée', 'quantity'],
  ['Beställt antal', 'quantity'],
  ['Ποσότητα', 'quantity'],
  ['Inventory ID', 'item_sku'],
  ['InventoryItemCode', 'item_sku'],
  ['Variant code / SKU', 'item_sku'],
  ['Cat. No.', 'item_sku'],
  ['Parça Kodu', 'item_sku'],
  ['BSTNK', 'po_number'],
  ['Nº OC', 'po_number'],
  ['No. de commande', 'po_number'],
  ['Købsnummer', 'po_number'],
  ['Satınalma Siparişi', 'po_number'],
] as const)('%s can be the %s', (header, field) => {
  expect(rankName(header)[field]).toBeGreaterThanOrEqual(2.5);
});

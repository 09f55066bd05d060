import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { proposeMap } from '../../../src/intake/layouts/propose/propose-map.ts';
import type { ProposedMap } from '../../../src/intake/layouts/propose/proposed-map.ts';
import { defaultIntakeOptions } from '../../support/default-intake-options.ts';
import { importBytes } from '../support/import-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-columns-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Proposed = Extract<ProposedMap, { kind: 'proposed' }>;

const propose = async (text: string, options = defaultIntakeOptions): Promise<Proposed> => {
  const path = join(folder, 'map.csv');
  await writeFile(path, text);
  const proposed = await proposeMap({ path, fileName: 'map.csv', options, codeLists: specCodeLists });
  if (proposed.kind === 'refused') throw new Error(proposed.message);
  return proposed;
};

const fieldsOf = ({ columns }: Proposed) =>
  Object.fromEntries(columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])));

const lines = (line: (at: number, po: number) => string) =>
  Array.from({ length: 9 }, (_, at) => `${line(at, Math.floor(at / 3))}\n`).join('');
const quantities = [3, 1, 7, 2, 12, 5, 20, 4, 8];

describe('a proposed column map', () => {
  test('takes nothing by its values alone', async () => {
    const rows = lines((at, po) => `${4711 + po},${at + 1},ART-${at * 7},${quantities[at]},9.5,Boise`);
    const proposed = await propose(`Vorgang,Zeile,Was,Wieviel,Einzel,City\n${rows}`);
    expect(proposed.missing).toEqual(['po_number', 'item_sku', 'quantity']);
    expect(fieldsOf(proposed)).toEqual({ City: 'ship_city' });
    expect(proposed.doubts.quantity).toMatch(/^no header names the quantity/);
  });

  test('names the columns that a person may have meant for what is missing, and no others', async () => {
    const rows = lines(
      (at, po) => `PO-${po},A-${at * 7},${quantities[at]},${quantities[8 - at]},12.5,6501${at}`,
    );
    const proposed = await propose(`PO Number,SKU,Wieviel,Nochwas,Unit Price,Zip\n${rows}`);
    expect(proposed.missing).toEqual(['quantity']);
    expect(proposed.candidates.quantity).toEqual(['Wieviel', 'Nochwas']);
    expect(proposed.doubts.quantity).toBe(
      'no header names the quantity; by its values it may be "Wieviel", "Nochwas"',
    );
  });

  test('never suggests an id of something else, or columns that have the same name', async () => {
    const people = await propose(
      `EMPLOYEEID,PO Number,What\n${lines((at, po) => `${250 + (at % 4)},PO-${po},Chair blue`)}`,
    );
    expect(people.missing).toEqual(['item_sku', 'quantity']);
    expect(people.candidates).toEqual({ item_sku: [], quantity: [] });
    expect(JSON.stringify(people.doubts)).not.toContain('EMPLOYEEID');
    const twice = await propose(
      `PO Number,SKU,Qty,Qty\n${lines((at, po) => `PO-${po},A-${at * 7},${quantities[at]},${at + 3}`)}`,
    );
    expect(twice).toMatchObject({
      missing: ['quantity'],
      candidates: { quantity: [] },
      map: {},
      doubts: { quantity: 'several columns are named "Qty"; give them different names in the file' },
    });
  });

  test('names a column that cannot be taken because of what is set or taken for it', async () => {
    const text = `PO Number,SKU,Qty\n${lines((at, po) => `PO-${po},A-${at * 7},${quantities[at]}`)}`;
    for (const field of ['ignore', 'note'] as const) {
      const { doubts } = await propose(text, { ...defaultIntakeOptions, columns: { Qty: field } });
      expect(doubts.quantity).toMatch(
        /^"Qty" could be the quantity, but it is (?:set to be ignored|taken as the note)$/,
      );
    }
  });

  test('does not show what an import would not read', async () => {
    const text = `PO Number,SKU,Qty,Description\n${lines((at, po) => `PO-${po},A-${at * 7},${quantities[at]},Chair ${at}`)}`;
    const { columns, map, samples } = await propose(text);
    expect(columns.at(-1)).toMatchObject({ header: 'Description', field: null });
    expect(map).toEqual({});
    expect(JSON.stringify(samples.map(({ cart, item }) => ({ cart, item })))).not.toContain('Chair');
    const mapped = await propose(text, { ...defaultIntakeOptions, columns: { Description: 'description' } });
    expect(mapped.columns.at(-1)!.field).toBe('description');
  });

  test.each([
    ['German', 'Bestell-Nr.;Artikel-Nr.;Menge'],
    ['French', 'N° de commande;Référence article;Quantité commandée'],
    ['Spanish', 'Número de pedido;Código de artículo;Cantidad'],
    ['Italian', 'Numero ordine;Codice articolo;Quantità'],
    ['Portuguese', 'Número da encomenda;Código do produto;Qtd'],
    ['Dutch', 'Bestelnummer;Artikelnummer;Aantal'],
    ['Polish', 'Nr zamówienia;Kod produktu;Ilość'],
    ['Czech', 'Číslo objednávky;Kód zboží;Množství'],
    ['Swedish', 'Ordernummer;Artikelnummer;Antal'],
    ['Danish', 'Ordrenr.;Varenummer;Antal'],
    ['Finnish', 'Tilausnumero;Tuotekoodi;Määrä'],
    ['Turkish', 'Sipariş No;Ürün Kodu;Miktar'],
    ['Hungarian', 'Rendelés szám;Cikkszám;Mennyiség'],
    ['Russian', 'Номер заказа;Артикул;Количество'],
    ['Japanese', '発注番号;品番;発注数量'],
    ['Chinese', '采购单号;物料编码;采购数量'],
    ['Korean', '발주번호;품목코드;발주수량'],
    ['SAP', 'EBELN;MATNR;MENGE'],
    ['a database', 'purchase_order_id;item_code;qty_ordered'],
  ])('reads %s headers, whatever the values around them', async (_, header) => {
    const rows = lines((at, po) => `${45000 + po};K-${at * 37 + 100};${quantities[at]};10115;OPEN;0${at}.12`);
    const proposed = await propose(`${header};PLZ;Status;X\n${rows}`);
    const [po, sku, quantity] = header.split(';') as [string, string, string];
    expect(fieldsOf(proposed)).toMatchObject({
      [po]: 'po_number',
      [sku]: 'item_sku',
      [quantity]: 'quantity',
    });
    const line = { cart: { po_number: '45000' }, item: { item_sku: 'K-100', quantity: 3 } };
    expect(proposed.samples[0]).toMatchObject(line);
    expect(proposed.samples[0]!.cells.slice(0, 3)).toEqual(['45000', 'K-100', '3']);
  });

  test('prefers the item number to the item, its name and its description', async () => {
    const rows = lines(
      (at, po) => `P${po},${(at % 3) + 1},Pad ${at} front,Brake pad for ${at},S-${at}00,${quantities[at]}`,
    );
    const proposed = await propose(`PO,Item,Item Name,Description,Part Number,Qty\n${rows}`);
    expect(fieldsOf(proposed)).toMatchObject({ 'Part Number': 'item_sku' });
    expect(fieldsOf(proposed)).not.toHaveProperty('Item');
  });

  test('takes an "Item" only if its values are item numbers', async () => {
    const take = async (item: (at: number) => string) =>
      fieldsOf(
        await propose(`PO Number,Item,Qty\n${lines((at, po) => `P-${po},${item(at)},${quantities[at]}`)}`),
      ).Item;
    expect(await take((at) => `46-75${at}`)).toBe('item_sku');
    expect(await take((at) => `${((at % 3) + 1) * 10}`)).toBeUndefined();
    expect(await take(() => '1')).toBeUndefined();
    expect(await take((at) => `Mountain bike silver ${at}`)).toBeUndefined();
  });

  test.each([
    'Qty Received',
    'Shipped Quantity',
    'Menge offen',
    'Stock Qty',
    'Min. Qty',
    'Qty per Box',
    'Retourmenge',
    'Qty Moved',
    'Zip',
    'Employee ID',
  ])('never takes "%s" for the quantity', async (header) => {
    const proposed = await propose(
      `PO Number,SKU,${header}\n${lines((at, po) => `P-${po},S-${at},${quantities[at]}`)}`,
    );
    expect(proposed.missing).toEqual(['quantity']);
  });

  test.each([
    'PO Date',
    'PO Status',
    'Order Line No',
    'Vendor Order Type',
    'Invoice Number',
    'Tracking Number',
    'Customer Number',
    'Auftragsart',
  ])('never takes "%s" for the PO number', async (header) => {
    const proposed = await propose(
      `${header},SKU,Qty\n${lines((at, po) => `P-${po},S-${at},${quantities[at]}`)}`,
    );
    expect(proposed.missing).toEqual(['po_number']);
  });

  test('asks about the number of a supplier, and does not guess between two columns', async () => {
    const supplier = await propose(
      `PO Number,Part Number,Vendor Part #,Qty\n${lines((at, po) => `P-${po},A-${at},V-${at},${quantities[at]}`)}`,
    );
    expect(supplier.columns[2]).toMatchObject({ field: 'item_sku', certain: false });
    const two = await propose(
      `PO Number,Item Code,Part Number,Qty\n${lines((at, po) => `P-${po},A-${at},B-${at},${quantities[at]}`)}`,
    );
    expect(two.missing).toEqual(['item_sku']);
    expect(two.doubts.item_sku).toMatch(/"Item Code" and "Part Number" could both/);
  });

  test('a file without rows below its header is no reason to take anything', async () => {
    const proposed = await propose('PO Number,SKU,Quantity\n');
    expect(proposed.missing).toEqual(['po_number', 'item_sku', 'quantity']);
  });

  test('a line amount is no price of one', async () => {
    const rows = lines(
      (at, po) => `P-${po},S-${at},${quantities[at]},${(quantities[at]! * 2.5).toFixed(2)},2.50`,
    );
    const proposed = await propose(`PO Number,SKU,Qty,Price,Rate\n${rows}`);
    expect(fieldsOf(proposed)).toMatchObject({ Rate: 'expected_price' });
    expect(fieldsOf(proposed)).not.toHaveProperty('Price');
  });

  test('has no entries if all headers are known', async () => {
    const proposed = await propose('PO #,SKU,Qty\nA,S1,1\n');
    expect(proposed).toMatchObject({ map: {}, settings: {}, missing: [] });
    expect(proposed.columns.every(({ certain }) => certain)).toBe(true);
  });

  test('names the settings that such files need, and reads the samples with them', async () => {
    const proposed = await propose(
      'Auftrag-Nr;Datum;Artikelnummer;Menge;Einzelpreis\nA-17;03.02.;K193;12 ST;48,45\n;;B456;3 ST;1.280,50\nA-18;04.02.;A996;25 ST;12,00\n',
    );
    expect(proposed.settings).toEqual({ decimal: 'comma', continuationRows: true });
    expect(
      proposed.samples.map(({ cart, item }) => [cart.po_number, item.quantity, item.expected_price]),
    ).toEqual([
      ['A-17', 12, '48.45'],
      ['A-17', 3, '1280.50'],
      ['A-18', 25, '12.00'],
    ]);
  });

  test('can be imported as proposed', async () => {
    const text = `Beleg;Teil;Stk\n${lines((at, po) => `R-${100 + po};X${at}Y;${quantities[at]}`)}`;
    const { map, settings } = await propose(text);
    const { byPo, refusals } = await importBytes('a.csv', text, { columns: map, ...settings });
    expect(refusals).toEqual([]);
    expect(Object.keys(byPo)).toEqual(['R-100', 'R-101', 'R-102']);
  });

  test('two kinds of rows, each with its own header, are refused', async () => {
    const text = 'Flag,PO Num,Vendor,Status\nFlag,Part Number,Quantity,UOM\nPO,P-1,Acme,20\nItem,S-1,2,ea\n';
    await expect(propose(text)).rejects.toThrow(/Rows 1 and 2 are both headers/);
  });
});

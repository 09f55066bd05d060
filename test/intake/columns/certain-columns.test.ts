import { describe, expect, test } from 'vitest';
import { weighColumns } from '../../../src/intake/columns/weigh-columns.ts';
import { importBytes } from '../support/import-file.ts';

const file = (header: string, line: (at: number) => string, count = 6) =>
  `${header}\n${Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')}`;

const refusalOf = async (text: string, options = {}) => {
  const { outcome } = await importBytes('a.csv', text, options);
  return outcome.kind === 'refused' ? outcome : undefined;
};

describe('a file that the account does not map is read only if its columns are certain', () => {
  test.each([
    [
      'a line number as the item',
      'PO Number,Item,Vendor Part #,Qty',
      (at: number) => `P-${at >> 1},${(at % 2) + 1},V-${at}9,${at + 2}`,
    ],
    ['the item number counts the lines', 'PO Number,Item No,Qty', (at: number) => `P-1,${at + 1},${at + 2}`],
    [
      'and so does a column named SKU',
      'PO,SKU,Qty',
      (at: number) => `P-${at >> 1},${(at % 2) + 1},${at + 2}`,
    ],
    [
      'postcodes as the quantity',
      'PO,SKU,Quantity,Ship Zip',
      (at: number) => `P-${at},A-${at},${12207 + at},${12207 + at}`,
    ],
    [
      'quantity and postcode swapped',
      'PO,SKU,Qty,Zip',
      (at: number) => `P-${at},A-${at},${12207 + at},${at}`,
    ],
    ['names as items', 'PO Number,Item,Qty', (at: number) => `P-1,Mountain bike silver ${at},${at + 2}`],
    [
      "the dealer's and the supplier's number",
      'PO Number,Part Number,Supplier Part No,Qty',
      (at: number) => `P-1,A-${at},B-${at},${at + 2}`,
    ],
    ['dates as PO numbers', 'PO,SKU,Qty', (at: number) => `2026-03-0${at + 1},A-${at},${at + 2}`],
    ['an internal id as the item', 'PO Number,Product ID,Qty', (at: number) => `P-1,8${at}37,${at + 2}`],
  ])('%s: refused, with the command that accepts the proposal', async (_, header, line) => {
    const refusal = await refusalOf(file(header, line));
    expect(refusal).toMatchObject({ code: 'columns_uncertain' });
    expect(refusal!.message).toContain('`cartwright map a.csv --write`');
  });

  test('is read where the account maps the column in doubt itself', async () => {
    const text = file(
      'PO Number,Item,Vendor Part #,Qty',
      (at) => `P-${at >> 1},${(at % 2) + 1},V-${at}9,${at + 2}`,
    );
    const { byPo } = await importBytes('a.csv', text, {
      columns: { 'Vendor Part #': 'item_sku', Item: 'ignore' },
    });
    expect(byPo['P-0']).toMatchObject([{ itemSku: 'V-09' }, { itemSku: 'V-19' }]);
  });

  test.each([
    ['PO,Item,Qty', (at: number) => `P-1,46-75${at},${at + 2}`],
    ['PO #,SKU,Qty,Qty Shipped,Description', (at: number) => `P-1,${at * 7 + 3},${at + 2},0,Pad ${at} front`],
    ['po_number,item_id,quantity', (at: number) => `P-1,${at + 1},${at + 2}`],
    ['Purchase Order,Part Number,Order Qty,Manufacturer', (at: number) => `${at},K${at},${at + 2},Acme`],
  ])('%s is read', async (header, line) => {
    expect(await refusalOf(file(header, line))).toBeUndefined();
  });

  test.each(['po_number', 'item_sku', 'quantity'])(
    "the interface's own names leave no doubt, whatever is below %s",
    async (name) => {
      const row = { po_number: 'A', item_sku: 'S-1', quantity: '1', [name]: 'a b' };
      const text = `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`;
      expect(await refusalOf(text)).toBeUndefined();
    },
  );

  test('a file with other headers is refused with what they seem to be', async () => {
    const refusal = await refusalOf(
      file('Bestellnummer;Artikelnummer;Menge', (at) => `B-1;K-${at}8;${at + 2}`),
    );
    expect(refusal).toMatchObject({ code: 'columns_missing' });
    expect(refusal!.message).toContain(
      '"Bestellnummer" as PO number, "Artikelnummer" as item number, "Menge" as quantity',
    );
    expect(refusal!.message).toContain('`cartwright map a.csv --write`');
  });
});

test.each([
  ['Auftragsnummer', 'Kundenbestellnummer'],
  ['Numero ordine', 'Ordine cliente'],
  ['Ordernummer', 'Kundens ordernummer'],
  ['Order No', 'Customer Order'],
  ['Order Number', 'Your Reference'],
  ['Order Number', 'Customer PO'],
])('beside a number of the buyer, %s is not certain: %s', (name, buyers) => {
  const rows = Array.from({ length: 6 }, (_, at) => [
    `7${at >> 1}1`,
    `B-${at >> 1}4`,
    `V-${at}9`,
    String(at + 2),
  ]);
  const needed = new Set(['po_number', 'item_sku', 'quantity'] as const);
  const { columns } = weighColumns([name, buyers, 'SKU', 'Qty'], rows, new Map(), needed);
  expect(columns.filter(({ field, certain }) => field === 'po_number' && certain)).toEqual([]);
  const alone = weighColumns([name, 'Colour', 'SKU', 'Qty'], rows, new Map(), needed);
  expect(alone.columns).toContainEqual(
    expect.objectContaining({ field: 'po_number', column: 0, certain: true }),
  );
});

test.each(['Vendor Part Number', 'Supplier SKU', 'Lieferanten-Artikelnummer', 'Manufacturer Part No'])(
  "a number of somebody else's is proposed as the item, or not at all, but never certain: %s",
  (name) => {
    const rows = Array.from({ length: 6 }, (_, at) => [`P-${at >> 1}`, `V-${at}9`, String(at + 2)]);
    const needed = new Set(['po_number', 'item_sku', 'quantity'] as const);
    const { columns } = weighColumns(['PO Number', name, 'Qty'], rows, new Map(), needed);
    expect(columns.filter(({ field, certain }) => field === 'item_sku' && certain)).toEqual([]);
    expect(columns.filter(({ certain }) => certain).map(({ field }) => field)).toEqual([
      'po_number',
      'quantity',
    ]);
  },
);

test.each([
  ...['23.11.2026', '11/23/2026', '2026-11-23', '23.11.26', '2026-11-23 10:00'],
  ...['12-Mar-2026', '12-MAR-26', 'March 12, 2026', '12. März 2026', '12 mars 2026', '12 de marzo de 2026'],
  ...['Thu, 12 Mar 2026', '2026年3月12日', '12. března 2026'],
])('a date is no PO number, however few rows there are: %s', async (date) => {
  for (const count of [1, 2, 5]) {
    const refused = await refusalOf(file('PO Number;SKU;Qty', (at) => `${date};A-${at};${at + 2}`, count));
    expect(refused).toMatchObject({
      code: 'columns_uncertain',
      message: expect.stringContaining('it holds dates'),
    });
  }
});

test.each(['PO-MAR-2026', 'P-12-Mar-2026', 'MAR-12-A', '12-MARKERS-26', 'May 5'])(
  'a PO number with the letters of a month is one: %s',
  async (po) => {
    expect(await refusalOf(file('PO Number;SKU;Qty', (at) => `${po};A-${at};${at + 2}`, 2))).toBeUndefined();
  },
);

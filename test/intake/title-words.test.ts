import { describe, expect, test } from 'vitest';
import { titlesOfNoOrder } from '../../src/intake/layouts/other-documents.ts';
import { askedOf, importBytes, refusalOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const rows = [
  ['PO Number', 'SKU', 'Qty'],
  ['P-1', 'A1', '5'],
];

test.each([
  'PO 4711 - CANCELLED',
  'CANCELLATION REQUEST',
  'SUPERSEDED BY PO 4712',
  'DRAFT - do not send',
  'Draft',
  'Already sent 11/20',
  'Confirmation of order phoned in - DO NOT DUPLICATE',
  'INVOICE 88213',
  'PACKING SLIP',
  'Credit memo',
  'RMA 551',
  'Quotation 2231',
  'Sales history',
  'Sales history Q3',
  'Wish list',
  'OPEN BACKORDER REPORT',
  'Quantities in cases of 12',
  'All quantities in dozens',
  '*** EXAMPLE ***',
  'On hold',
  'Auftrag storniert',
  'Angebot 4711',
])('a title above the header is asked about: %s', async (title) => {
  const text = `Acme Tools,,\n${title},,\n${rows.join('\n')}\n`;
  expect(await askedOf(text)).toContain(`row 2, above the table, says "${title.slice(0, 20)}`);
});

test.each([
  'Order confirmation',
  'Purchase order',
  'Please cancel anything not in stock',
  'Invoice to: Acme, 12 Main St',
  'Invoice to',
  'Invoice address',
  'Closed Loop Systems Inc.',
  'Void Fill Packaging Ltd',
  'Draft Beer Supply',
  'Return address: 5 Oak St',
  'Quote:',
  'Per your quote 2231',
  'Back Order Policy: ship complete',
  'Cancel date: 12/15/2026',
  'Do not ship before 12/1',
  'Quantities in pieces',
  'Sample Street 4',
  'Credit terms: net 30',
  'Open orders',
  'Stock order',
  'History Museum Shop',
])('a title that is no such word says no such thing: %s', (title) => {
  expect(titlesOfNoOrder([title])).toEqual([]);
});

test.each([
  ['Quote #:', '2231'],
  ['Invoice to:', 'Acme'],
  ['Invoice', 'Acme'],
])('the label of another cell says no such thing: %s', (...cells) => {
  expect(titlesOfNoOrder(cells)).toEqual([]);
});

test('but of a number alone, it is a title', () => {
  expect(titlesOfNoOrder(['Quotation', '2231'])).toEqual(['Quotation']);
  expect(titlesOfNoOrder(['Invoice', 'PO-2231'])).toEqual(['Invoice']);
});

describe('the name of a sheet', () => {
  const book = (...names: string[]) =>
    writeWorkbook({
      sheets: names.map((name, at) => ({
        name,
        rows: at === 0 ? rows : [['Change the quantity of A1 to 7']],
      })),
    });

  test.each(['Cancelled', 'Already ordered', 'Example', 'Cancelled POs', 'Quotes', 'VOID 12'])(
    'is asked about: %s',
    async (name) => {
      const file = await book(name);
      const { code, message } = refusalOf(await importBytes('a.xlsx', file, {}, { waitsForNews: true }));
      expect(code).toBe('not_agreed');
      expect(message).toContain(`the name of the sheet says "${name}"`);
      const named = await importBytes('a.xlsx', file, { sheet: name }, { waitsForNews: true });
      expect(named.outcome.kind).toBe('read');
    },
  );

  test.each(['Sheet1', 'Order', 'PO 4711', 'Template', 'Closed Loop', 'Week 47'])(
    'is not: %s',
    async (name) => {
      const file = await writeWorkbook({ sheets: [{ name, rows }] });
      expect((await importBytes('a.xlsx', file, {}, { waitsForNews: true })).outcome.kind).toBe('read');
    },
  );
});

describe('the name of a file', () => {
  const read = (name: string) =>
    importBytes(name, Buffer.from(`${rows.join('\n')}\n`), {}, { waitsForNews: true });

  test.each([
    'CANCELLED orders.csv',
    'orders_CANCELLED_2026-11-30.csv',
    'orders-void-2026-11-30.csv',
    'VOID orders 30.11.2026.csv',
    '2026-11-30-void-orders.csv',
    'orders_hold_1130.csv',
    'PO-4711 VOID.csv',
    'do-not-order.csv',
    'Stornierungen.csv',
    'CANCELLEDorders.csv',
    'Storno 4711.csv',
  ])('is asked about: %s', async (name) => {
    const { code, message } = refusalOf(await read(name));
    expect(code).toBe('not_agreed');
    expect(message).toContain(`the name of the file says "${name.replace('.csv', '')}"`);
  });

  test.each([
    'orders.csv',
    'Holden parts.csv',
    'Annual stock 2026.csv',
    'Stornoway 12.csv',
    'annular bearings.csv',
    'Avoidable.csv',
    'non-stop-hardware.csv',
    'orders copy (2).csv',
  ])('is not: %s', async (name) => {
    expect((await read(name)).outcome.kind).toBe('read');
  });
});

import { describe, expect, test } from 'vitest';
import { askedOf, importBytes } from './support/import-file.ts';

/** A file whose lines have quantities from 2 on, and these values in an unmapped column. */
const fileOf = (header: string, values: readonly string[]) =>
  `PO,SKU,Qty,${header}\n${values.map((value, at) => `P-${at},A-${at},${at + 2},${value}\n`).join('')}`;

test.each([
  ['UOM', 'CS'],
  ['UOM', 'DZ'],
  ['U/M', 'BX'],
  ['Unit', 'CASE'],
  ['Units of Measure', 'Meter'],
  ['Packaging', 'PK12'],
  ['Pack', 'Case of 12'],
  ['Einheit', 'Karton'],
  ['Line Status', 'Shipped'],
  ['Status', 'Delivered'],
  ['Order Status', 'Partially received'],
  ['Status', 'Geliefert'],
  ['Lineitem fulfillment status', 'fulfilled'],
  ['Status', 'Closed'],
  ['Line Status', 'invoiced'],
  ['Positionsstatus', 'abgeschlossen'],
  ['Status', 'Draft'],
])('a value in a few of many rows is asked about: %s "%s"', async (header, value) => {
  // The first rows of a file do not predict the last ones.
  const values = [...Array.from({ length: 80 }, () => 'usual'), value, value];
  const asked = await askedOf(fileOf(header, values));
  expect(asked).toContain(`"${header}" says "usual" (80 rows), "${value}" (2 rows)`);
  expect(await askedOf(fileOf(header, values), { columns: { [header]: 'ignore' } })).toBeUndefined();
});

test.each([
  ['Qty Shipped', ['0', '2', '2', '']],
  ['quantity-shipped', ['1']],
  ['Received Qty', ['', '3']],
  ['Date Shipped', ['', '2026-03-01', '2026-03-01']],
  ['Parent SKU', ['', 'KIT-1']],
  ['Kit', ['K-9']],
  ['Replacement PN', ['', 'A-77']],
  ['Ship Country', ['US', 'DE', 'Canada', 'DE']],
  ['Qty 2', ['', '7']],
  ['SKU 2', ['A-9']],
  ['Open Qty', ['2', '0']],
  ['Open Qty', ['2', '2']],
  ['Now', ['', '2']],
  ['+/-', ['', '2']],
  ['Status', ['O', 'C']],
  ['Type', ['PO', 'Warranty']],
  ['Quantity (- Refund)', ['2', '2', '4']],
  ['Preiseinheit', ['100']],
  ['Remarks', ['already shipped 3/4']],
  ['Line Comments', ['urgent', 'do not ship']],
  ['Remarks', ['CANCELLED']],
  ['Remarks', ['', 'Nobody wants these any more, so please do not send them this week']],
  ['Size', ['S', 'M']],
  ['S,M', ['2,0', '1,1']],
])('and so is what says something about some rows: %s %j', async (header, values) => {
  const asked = await askedOf(fileOf(header, values));
  expect(asked).toContain(`"${header.split(',')[0]}" says `);
});

test('a remark in a few of many rows is asked about, however many there are', async () => {
  const remarks = Array.from({ length: 60 }, (_, at) =>
    at % 3 === 0 ? `as told by person ${'abcdefghijklmnopqrst'[at / 3]}` : '',
  );
  expect(await askedOf(fileOf('Remarks', remarks))).toContain('"Remarks" says "as told by person a" (1 row)');
});

test.each([
  ['Unit Price', ['4.50', 'CANCELLED']],
  ['Line', ['1', 'void']],
  ['Order Date', ['2026-03-01', 'stop']],
])('a word among prices, numbers or days is asked about: %s %j', async (header, values) => {
  expect(await askedOf(fileOf(header, values))).toContain(`"${header}" says `);
});

test.each([
  ['Status', ['-', '–']],
  ['Mark', ['\u200b', '...']],
  ['Date Shipped', ['2026-03-01', '2026-03-02']],
  ['Net', ['2.50', '14.95']],
  ['Qty Shipped', ['', '']],
  ['Product Name', ['Chain', 'Chain']],
  ['Document', ['DOC-30001', 'DOC-30001']],
])('what each row has, or none, tells nothing: %s %j', async (header, values) => {
  expect(await askedOf(fileOf(header, values))).toBeUndefined();
});

describe('what a person is told once of a column', () => {
  test('three decimals in a few quantities, where the account sets the sign', async () => {
    const file = (quantity: string) => `PO Number;SKU;Qty\nP-1;A-1;5\nP-1;A-2;7\nP-1;A-3;${quantity}\n`;
    for (const [decimal, quantity] of [
      ['point', '1.000'],
      ['comma', '1,000'],
    ] as const) {
      const { issues, rows } = await importBytes('a.csv', file(quantity), { decimal });
      expect(rows[2]).toMatchObject({ quantity: 1 });
      expect(issues).toMatchObject([{ code: 'three_decimals', severity: 'note', rowNumber: 4 }]);
    }
    // SAP's format for all quantities.
    const all = file('1,000').replace(';5\n', ';5,000\n').replace(';7\n', ';7,000\n');
    expect((await importBytes('a.csv', all, { decimal: 'comma' })).issues).toEqual([]);
  });

  test('decimals in identifiers', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => `45000${at},A-${at},1\n`).join('');
    const text = `PO Number,SKU,Qty\n${rows}4500081.0,77.0,1\nPO-7,A-1,1\nA 8,A-1,1\n`;
    const { issues } = await importBytes('a.csv', text);
    expect(issues).toMatchObject([
      { code: 'decimals_in_identifier', severity: 'note', column: 'PO Number', rowNumber: 10 },
      { code: 'decimals_in_identifier', severity: 'note', column: 'SKU', rowNumber: 10 },
    ]);
  });

  test.each(['Line', 'Line No', 'Order Line Number', 'Pos'])(
    'a line number that a PO has twice: %s',
    async (header) => {
      const file = (last: number) =>
        `PO Number,${header},SKU,Qty\nP-1,10,A-1,50\nP-1,20,A-2,5\nP-1,${last},A-1,60\nP-2,10,A-1,5\n`;
      const { issues } = await importBytes('a.csv', file(10));
      expect(issues).toMatchObject([
        { code: 'line_number_repeated', severity: 'note', rowNumber: 4, column: header },
      ]);
      expect((await importBytes('a.csv', file(30))).issues).toEqual([]);
    },
  );

  test('lines that a PO has twice, also further down', async () => {
    const block = 'P-1,A-1,5\nP-1,A-2,5\nP-2,A-1,5\n';
    const { issues, rows } = await importBytes('a.csv', `PO Number,SKU,Qty\n${block}${block}`);
    expect(rows).toHaveLength(6);
    expect(issues).toMatchObject([
      { code: 'line_repeated', severity: 'note', rowNumber: 5, poNumber: 'P-1' },
    ]);
    expect(issues[0]!.message).toMatch(
      /Row 5 has the item and the quantity of row 2 of PO P-1, and so it is in 2 more rows/,
    );
    const other = await importBytes('a.csv', 'PO Number,SKU,Qty\nP-1,A-1,5\nP-1,A-1,6\nP-2,A-1,5\n');
    expect(other.issues).toEqual([]);
  });
});

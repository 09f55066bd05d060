import { describe, expect, test } from 'vitest';
import { importBytes } from './support/import-file.ts';

describe('units other than pieces', () => {
  const notesOf = async (header: string, units: string[], options = {}) => {
    const rows = units.map((unit, at) => `P-1,A-${at},${at + 2},${unit}\n`).join('');
    const imported = await importBytes('a.csv', `PO,SKU,Qty,${header}\n${rows}`, options);
    expect(imported.refusals).toEqual([]);
    expect(imported.rows).toHaveLength(units.length);
    return imported.issues.filter(({ code }) => code === 'units_not_read');
  };

  test.each([
    ['UOM', 'CS'],
    ['UOM', 'DZ'],
    ['U/M', 'BX'],
    ['Unit', 'CASE'],
    ['Units of Measure', 'Meter'],
    ['Packaging', 'PK12'],
    ['Pack', 'Case of 12'],
    ['Einheit', 'Karton'],
  ])('a column %s with %s is noted with its rows', async (header, unit) => {
    // The first rows of a file say nothing about the last ones.
    const units = [...Array.from({ length: 80 }, () => 'EA'), unit, unit, 'each'];
    const notes = await notesOf(header, units);
    expect(notes).toMatchObject([{ severity: 'note', rowNumber: 82, column: header, found: unit }]);
    expect(notes[0]!.message).toContain(`"${unit}" in 2 rows, first in row 82`);
    expect(notes[0]!.message).toContain(`82 for 82 ${unit}.`);
    expect(await notesOf(header, units, { columns: { [header]: 'ignore' } })).toEqual([]);
  });

  test.each([
    ['UOM', ['EA', 'each', 'PCS', 'ST', 'Stk', 'pc.', 'PCE', '']],
    ['Unit', ['12.50', 'Warehouse 3', '']],
    ['Packaging', ['Gift wrap', 'Blue', '12']],
    ['Case Qty', ['12', '24']],
    ['Unit Price', ['CS']],
    ['Category', ['Box']],
  ])('a column %s with %j is not', async (header, units) => {
    expect(await notesOf(header, units)).toEqual([]);
  });
});

describe('a line whose status says that it perhaps needs no order', () => {
  const notesOf = async (header: string, status: string, options = {}) => {
    // The first rows of a file say nothing about the last ones.
    const open = Array.from({ length: 80 }, (_, at) => `P-1,A-${at},5,Open\n`).join('');
    const text = `PO,SKU,Qty,${header}\n${open}P-1,B-1,2,${status}\nP-2,B-2,2,${status}\n`;
    const { rows, refusals, issues } = await importBytes('a.csv', text, options);
    expect(refusals).toEqual([]);
    expect(rows).toHaveLength(82);
    return issues.filter(({ code }) => code === 'status_not_read');
  };

  test.each([
    ['Line Status', 'Shipped'],
    ['Status', 'Delivered'],
    ['Order Status', 'Partially received'],
    ['Status', 'Geliefert'],
    ['Lineitem fulfillment status', 'fulfilled'],
    ['Status', 'Closed'],
    ['Order Status', 'Completed'],
    ['Status', 'Draft'],
    ['Line Status', 'invoiced'],
    ['Positionsstatus', 'abgeschlossen'],
  ])('%s "%s" is ordered, and a note says so, wherever it is in the file', async (header, status) => {
    const notes = await notesOf(header, status);
    expect(notes).toMatchObject([{ severity: 'note', rowNumber: 82, column: header, found: status }]);
    expect(notes[0]!.message).toContain(`"${status}" in 2 rows, first in row 82`);
    expect(await notesOf(header, status, { columns: { [header]: 'ignore' } })).toEqual([]);
  });

  test.each([
    ['Line Status', 'Not shipped'],
    ['Status', 'Open'],
    ['Payment Status', 'Received'],
    ['Status', 'Incomplete'],
    ['Status', 'Not closed'],
  ])('%s "%s" says nothing about it', async (header, status) => {
    expect(await notesOf(header, status)).toEqual([]);
  });
});

describe('what a person is told once of a column', () => {
  const notesOf = async (header: string, values: string[], options = {}) => {
    const rows = values.map((value, at) => `P-${at},A-${at},${at + 2},${value}\n`).join('');
    const imported = await importBytes('a.csv', `PO Number,SKU,Qty,${header}\n${rows}`, options);
    expect(imported.refusals).toEqual([]);
    expect(imported.rows).toHaveLength(values.length);
    return imported.issues.map(({ code, severity, column, found, message }) => {
      expect(severity).toBe('note');
      expect(column).toBe(header);
      return [code, found, /in \d+ rows?/.exec(message)?.[0]];
    });
  };

  test.each([
    ['Qty Shipped', ['0', '2', '2', ''], 'pieces_delivered', '2', 'in 2 rows'],
    ['quantity-shipped', ['1'], 'pieces_delivered', '1', 'in 1 row'],
    ['Received Qty', ['', '3'], 'pieces_delivered', '3', 'in 1 row'],
    ['Date Shipped', ['', '2026-03-01', '2026-03-01'], 'line_delivered', '2026-03-01', 'in 2 rows'],
    [
      'Fulfilled at',
      ['2026-03-01 10:00:00 -0500'],
      'line_delivered',
      '2026-03-01 10:00:00 -0500',
      'in 1 row',
    ],
    ['Parent SKU', ['', 'KIT-1'], 'part_of_another_line', 'KIT-1', 'in 1 row'],
    ['Kit', ['K-9'], 'part_of_another_line', 'K-9', 'in 1 row'],
    ['Replacement PN', ['', 'A-77'], 'replacement_not_read', 'A-77', 'in 1 row'],
    ['Superseded by', ['A-77'], 'replacement_not_read', 'A-77', 'in 1 row'],
    ['Ship Country', ['US', 'DE', 'Canada', 'DE'], 'country_not_read', 'DE', 'in 2 rows'],
    ['Qty 2', ['', '7'], 'further_item_not_read', '7', 'in 1 row'],
    ['SKU 2', ['A-9'], 'further_item_not_read', 'A-9', 'in 1 row'],
    ['Open Qty', ['2', '0'], 'nothing_open', '0', 'in 1 row'],
    ['Open Qty', ['2', '2'], 'other_quantity', '2', 'in 1 row'],
    ...['Now', 'Corr.', 'Final', '+/-', 'New', 'Confirmed', 'B/O', 'Free'].map(
      (header): [string, string[], string, string, string] => [
        header,
        ['', '2'],
        'other_quantity',
        '2',
        'in 1 row',
      ],
    ),
    ['Status', ['O', 'C'], 'status_not_read', 'C', 'in 1 row'],
    ['Line Status', ['O', 'X'], 'status_not_read', 'X', 'in 1 row'],
    ['Type', ['PO', 'Warranty'], 'status_not_read', 'Warranty', 'in 1 row'],
    ['Quantity (- Refund)', ['2', '2', '4'], 'pieces_refunded', '2', 'in 1 row'],
    ['Price Unit', ['1', '100'], 'price_unit_not_read', '100', 'in 1 row'],
    ['Preiseinheit', ['100'], 'price_unit_not_read', '100', 'in 1 row'],
    ['Remarks', ['already shipped 3/4'], 'remark_not_read', 'already shipped 3/4', 'in 1 row'],
    ['Line Comments', ['urgent', 'do not ship'], 'remark_not_read', 'do not ship', 'in 1 row'],
    ['Remarks', ['CANCELLED'], 'remark_not_read', 'CANCELLED', 'in 1 row'],
  ])('%s %j', async (header, values, code, found, rows) => {
    expect(await notesOf(header, values)).toEqual([[code, found, rows]]);
    expect(await notesOf(header, values, { columns: { [header]: 'ignore' } })).toEqual([]);
  });

  test.each([
    ['Qty Shipped', ['0', '0.00', '']],
    ['Ship Date', ['2026-03-01']],
    ['Date Shipped', ['0000-00-00', '-', 'never']],
    ['Delivery Date', ['2026-03-01']],
    ['Parent Company', ['ACME']],
    ['Kitchen', ['yes']],
    ['Kit', ['no', '']],
    ['Replaced', ['']],
    ['Country of Origin', ['DE']],
    ['Remarks', ['Call if the order is cancelled by the customer']],
    ['Bill Country', ['DE']],
    ['Country', ['USA', 'United States', 'CA', 'PR']],
  ])('nothing of %s %j', async (header, values) => {
    expect(await notesOf(header, values)).toEqual([]);
  });

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
    // So SAP writes all of them.
    const all = file('1,000').replace(';5\n', ';5,000\n').replace(';7\n', ';7,000\n');
    expect((await importBytes('a.csv', all, { decimal: 'comma' })).issues).toEqual([]);
  });

  test('decimals in identifiers, and PO numbers without a digit among others', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => `45000${at},A-${at},1\n`).join('');
    const text = `PO Number,SKU,Qty\n${rows}4500081.0,77.0,1\nSTOCK,A-9,12\nPO-7,A-1,1\nA 8,A-1,1\n`;
    const { issues } = await importBytes('a.csv', text);
    expect(issues).toMatchObject([
      { code: 'decimals_in_identifier', severity: 'note', column: 'PO Number', rowNumber: 10 },
      { code: 'po_number_without_digits', severity: 'note', column: 'PO Number', rowNumber: 11 },
      { code: 'decimals_in_identifier', severity: 'note', column: 'SKU', rowNumber: 10 },
    ]);
    const words = await importBytes('a.csv', 'PO Number,SKU,Qty\nSPRING,A-1,1\nSUMMER,A-1,1\nPO-3,A-1,1\n');
    expect(words.issues).toEqual([]);
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

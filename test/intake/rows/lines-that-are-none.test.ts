import { describe, expect, test } from 'vitest';
import { importBytes, ordersOf } from '../support/import-file.ts';

const quantities = (imported: Awaited<ReturnType<typeof importBytes>>) =>
  ordersOf(imported).map(({ poNumber, lines }) => [
    poNumber,
    ...lines.map(({ sku, quantity }) => `${quantity} × ${sku}`),
  ]);

describe('a totals word in the column of the item', () => {
  const file = (last: string) => `PO Number,SKU,Qty\nP-1,A-1,5\nP-1,A-2,2\n${last}\nP-2,A-3,1\n`;

  test.each(['Total', 'SUMME', 'Sous-total', '合計'])('%s is skipped if it has the sum', async (word) => {
    const imported = await importBytes('a.csv', file(`P-1,${word},7`));
    expect(imported.refusals).toEqual([]);
    expect(imported.issues).toMatchObject([{ code: 'totals_row', rowNumber: 4 }]);
    expect(quantities(imported)).toEqual([
      ['P-1', '5 × A-1', '2 × A-2'],
      ['P-2', '1 × A-3'],
    ]);
  });

  test('rejects the PO if the quantity is not the sum', async () => {
    const { refusals } = await importBytes('a.csv', file('P-1,Total,9'));
    expect(refusals).toMatchObject([{ code: 'total_as_item', rowNumber: 4, poNumber: 'P-1' }]);
  });

  test.each(['Order total', 'TOTAL PIECES', 'Summe Auftrag', 'Gesamtmenge', 'Totale generale ordine'])(
    '%s rejects the PO, whether the quantity is the sum or not',
    async (item) => {
      for (const quantity of [7, 9]) {
        const { refusals } = await importBytes('a.csv', file(`P-1,${item},${quantity}`));
        expect(refusals).toMatchObject([{ code: 'total_as_item', rowNumber: 4, found: item }]);
      }
    },
  );

  test.each(['TOTAL-10', 'SUMMIT TENT', 'Gasket total 4'])('%s is an item', async (item) => {
    expect((await importBytes('a.csv', file(`P-1,${item},9`))).refusals).toEqual([]);
  });

  test('is an item if the account says so', async () => {
    const imported = await importBytes('a.csv', file('P-1,Total,9'), { totalsWords: ['sum'] });
    expect(imported.refusals).toEqual([]);
    expect(quantities(imported)[0]).toEqual(['P-1', '5 × A-1', '2 × A-2', '9 × Total']);
  });
});

describe('a charge in the column of the item', () => {
  const file = (last: string) => `PO Number,SKU,Qty,Price\nP-1,A-1,5,2.00\n${last}\nP-2,A-3,1,3.00\n`;

  test.each([
    'SHIPPING',
    'Shipping & Handling',
    'DISCOUNT',
    'Sales Tax',
    'Versandkosten',
    'frais de port',
    'IVA',
  ])('%s rejects the PO', async (item) => {
    for (const quantity of ['1', '1.00', '']) {
      const { refusals } = await importBytes('a.csv', file(`P-1,${item},${quantity},9.00`));
      expect(refusals[0]).toMatchObject({
        code: 'charge_as_item',
        rowNumber: 3,
        poNumber: 'P-1',
        column: 'SKU',
        found: item,
      });
      expect(refusals.every(({ poNumber }) => poNumber === 'P-1')).toBe(true);
    }
  });

  test('is noted if its quantity is that of an item', async () => {
    const imported = await importBytes('a.csv', file('P-1,SHIPPING,12,9.00'));
    expect(imported.refusals).toEqual([]);
    expect(imported.issues).toMatchObject([{ code: 'charge_as_item', severity: 'note', rowNumber: 3 }]);
  });

  test.each(['SHIPPING-BOX', 'TAX100', 'Discount ramp'])('%s is an item', async (item) => {
    expect((await importBytes('a.csv', file(`P-1,${item},1,9.00`))).issues).toEqual([]);
  });

  test('is an item if the account says so', async () => {
    const options = { chargeWords: ['tax'] };
    expect((await importBytes('a.csv', file('P-1,FREIGHT,1,9.00'), options)).issues).toEqual([]);
  });
});

describe('a line whose status says that it was cancelled', () => {
  const file = (header: string, status: string) =>
    `PO,SKU,Qty,${header}\nP-1,A-1,5,Open\nP-1,A-2,2,${status}\nP-2,A-3,1,Open\n`;

  test.each([
    ['Status', 'Cancelled'],
    ['Line Status', 'Returned'],
    ['Order Status', 'CANCELED'],
    ['Positionsstatus', 'storniert'],
    ['Statut', 'Annulé'],
    ['Order Status', 'wc-failed'],
    ['Financial Status', 'voided'],
    ['Financial Status', 'refunded'],
    ['Payment Status', 'Refunded'],
    ['Payment Status', 'charged back'],
    ['Cancelled at', '2026-03-01 10:00:00 -0500'],
    ['Cancelled', 'yes'],
  ])('%s "%s" rejects its PO', async (header, status) => {
    const { refusals } = await importBytes('a.csv', file(header, status));
    expect(refusals).toMatchObject([
      { code: 'line_cancelled', rowNumber: 3, poNumber: 'P-1', column: header, found: status },
    ]);
  });

  test.each([
    ['Status', 'Not cancelled'],
    ['Status', 'Confirmed'],
    ['Payment Status', 'Not refunded'],
    ['Financial Status', 'authorized'],
    ['Notes', 'Cancelled'],
    ['Cancel Date', '2026-03-01'],
    ['Cancelled', 'no'],
    ['Cancelled Qty', '0'],
  ])('%s "%s" says nothing about it', async (header, status) => {
    expect((await importBytes('a.csv', file(header, status))).refusals).toEqual([]);
  });

  test.each([
    ['Financial Status', 'partially_refunded'],
    ['Cancelled Qty', '1'],
    ['Returned', '2'],
  ])('%s "%s" is ordered with a note', async (header, status) => {
    const { refusals, issues } = await importBytes('a.csv', file(header, status));
    expect(refusals).toEqual([]);
    expect(issues).toMatchObject([
      { code: 'line_partly_cancelled', severity: 'note', poNumber: 'P-1', rowNumber: 3, column: header },
    ]);
  });

  test('rejects its PO also in the row of the order, above its lines', async () => {
    const text = 'PO,SKU,Qty,Status\nP-1,,,Cancelled\n,A-1,2,\nP-2,,,Open\n,A-2,1,\n';
    const { refusals } = await importBytes('a.csv', text, { continuationRows: true });
    expect(refusals).toMatchObject([{ code: 'line_cancelled', poNumber: 'P-1', rowNumber: 2 }]);
  });

  test('is ordered if the account ignores the column', async () => {
    const options = { columns: { Status: 'ignore' as const } };
    expect((await importBytes('a.csv', file('Status', 'Cancelled'), options)).refusals).toEqual([]);
  });
});

describe('an item number in brackets before a name', () => {
  const file = 'PO Number,SKU,Qty\nP-1,[FURN_1118] Corner Desk,3\nP-2,E-COM11,1\n';

  test('is an issue that shows the number', async () => {
    const { refusals } = await importBytes('a.csv', file);
    expect(refusals).toMatchObject([{ code: 'item_with_name', poNumber: 'P-1', expected: 'FURN_1118' }]);
    expect(refusals[0]!.message).toContain('intake.itemInBrackets: true');
  });

  test('is ordered with itemInBrackets', async () => {
    const imported = await importBytes('a.csv', file, { itemInBrackets: true });
    expect(quantities(imported)).toEqual([
      ['P-1', '3 × FURN_1118'],
      ['P-2', '1 × E-COM11'],
    ]);
  });
});

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
    expect(notes[0]!.message).toContain(`${unit} in 2 rows`);
    expect(notes[0]!.message).toContain(`82 for 82 ${unit} in row 82`);
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

test('spaces between thousands are read where the account sets the decimal sign', async () => {
  const text = 'PO;SKU;Qty;expected_price\nP-1;A-1;1 000;1\u00a0250,50\nP-1;A-2;10 00;8,00\n';
  const imported = await importBytes('a.csv', text, { decimal: 'comma' });
  expect(imported.rows[0]).toMatchObject({ quantity: 1000, expectedPrice: '1250.50' });
  expect(imported.refusals).toMatchObject([{ rowNumber: 3, code: 'not_a_whole_number' }]);
});

describe('a line whose status says that it was delivered', () => {
  const notesOf = async (header: string, status: string, options = {}) => {
    // The first rows of a file say nothing about the last ones.
    const open = Array.from({ length: 80 }, (_, at) => `P-1,A-${at},5,Open\n`).join('');
    const text = `PO,SKU,Qty,${header}\n${open}P-1,B-1,2,${status}\nP-2,B-2,2,${status}\n`;
    const { rows, refusals, issues } = await importBytes('a.csv', text, options);
    expect(refusals).toEqual([]);
    expect(rows).toHaveLength(82);
    return issues.filter(({ code }) => code === 'status_delivered');
  };

  test.each([
    ['Line Status', 'Shipped'],
    ['Status', 'Delivered'],
    ['Order Status', 'Partially received'],
    ['Status', 'Geliefert'],
    ['Lineitem fulfillment status', 'fulfilled'],
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
  ])('%s "%s" says nothing about it', async (header, status) => {
    expect(await notesOf(header, status)).toEqual([]);
  });
});

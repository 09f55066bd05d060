import { describe, expect, test } from 'vitest';
import { askedOf, importBytes, ordersOf } from '../support/import-file.ts';

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

  test('is asked about if the quantity is not the sum', async () => {
    const imported = await importBytes('a.csv', file('P-1,Total,9'));
    expect(imported.issues).toMatchObject([
      { code: 'question', rowNumber: 4, poNumber: 'P-1', column: 'SKU', question: ' items\ntotal' },
    ]);
    expect(imported.issues[0]!.message).toContain('usually the sum of other lines and no item');
  });

  test.each(['Order total', 'TOTAL PIECES', 'Summe Auftrag', 'Gesamtmenge', 'Totale generale ordine'])(
    '%s is asked about, whether the quantity is the sum or not',
    async (item) => {
      for (const quantity of [7, 9]) {
        const { issues } = await importBytes('a.csv', file(`P-1,${item},${quantity}`));
        expect(issues).toMatchObject([{ code: 'question', rowNumber: 4, found: item }]);
      }
    },
  );

  test.each(['TOTAL-10', 'SUMMIT TENT', 'Gasket total 4'])('%s is an item', async (item) => {
    expect((await importBytes('a.csv', file(`P-1,${item},9`))).refusals).toEqual([]);
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
    'Discount 10%',
    'Discount (10%)',
    'Shipping $12.50',
    'DEPOSIT',
  ])('%s is asked about', async (item) => {
    for (const quantity of ['1', '1.00', '12']) {
      const { issues } = await importBytes('a.csv', file(`P-1,${item},${quantity},9.00`));
      expect(issues).toMatchObject([
        { code: 'question', severity: 'note', rowNumber: 3, poNumber: 'P-1', column: 'SKU', found: item },
      ]);
    }
  });

  test('is one question, whatever the amount beside it is', async () => {
    const two = file('P-1,Discount 10%,1,9.00\nP-1,Discount 12.5%,1,9.00\nP-1,discount,1,9.00');
    const { issues } = await importBytes('a.csv', two);
    expect(new Set(issues.map(({ question }) => question))).toEqual(new Set([' items\ndiscount']));
  });

  test('rejects its PO if it has no quantity', async () => {
    const { refusals } = await importBytes('a.csv', file('P-1,SHIPPING,,9.00'));
    expect(refusals).toMatchObject([{ code: 'quantity_missing', rowNumber: 3, poNumber: 'P-1' }]);
  });

  test.each(['SHIPPING-BOX', 'TAX100', 'DISCOUNT-10', 'Discount ramp', 'Shipping label 4'])(
    '%s is an item',
    async (item) => {
      expect((await importBytes('a.csv', file(`P-1,${item},1,9.00`))).issues).toEqual([]);
    },
  );
});

describe('a column that says something about a line', () => {
  const file = (header: string, status: string) =>
    `PO,SKU,Qty,${header}\nP-1,A-1,5,Open\nP-1,A-2,2,${status}\nP-2,A-3,1,\n`;

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
    ['Status', 'Deleted'],
    ['Status', 'Not approved'],
    ['Status', 'Quote'],
    ['Status', 'Gutschrift'],
    ['Deleted', 'x'],
    ['Is Deleted', 'TRUE'],
    ['Deleted at', '2026-03-01'],
    ['Order Type', 'Return'],
    ['Document Type', 'Credit Memo'],
    ['Type', 'Sales Return'],
    ['Transaction Type', 'Quotation'],
    ['Action', 'DELETE'],
    ['Belegart', 'Retoure'],
    ['Belegart', 'Angebot'],
    ['Storno', 'ja'],
    ['Gelöscht', 'X'],
    ['Löschkennzeichen', 'L'],
    ['Closed', 'T'],
    ['Active', 'No'],
    ['Order?', 'N'],
    ['Line Status', 'CXL'],
    ['Status', 'CX'],
    ['Ln Stat', 'CX'],
    ['Status', 'Dead'],
    ['Status', 'Killed'],
    ['Status', 'Canc.'],
    ['Status', 'Cancelld'],
    ['Type', 'CM'],
    ['Type', 'RTV'],
    ['Type', 'Transfer'],
    ['Order Type', 'Stock check'],
    ['Skip', 'x'],
    ['Ordered?', 'Yes'],
    ['Sent to vendor', '11/3'],
    ['Done', '✓'],
    ['OK to ship', 'no'],
    ['Approved', 'pending'],
    ['Approval', 'rejected by finance'],
    ['Quantity (- Refund)', '0'],
    ['Approved', 'No'],
    ['Blocked', 'Y'],
    ['On Hold', 'x'],
    ['Freigegeben', 'nein'],
    ['Line Status', 'do not order'],
    ['Status', 'Not cancelled'],
    ['Financial Status', 'partially_refunded'],
    ['Cancelled Qty', '1'],
    ['Returned', '2'],
  ])('is asked about, whatever it says: %s "%s"', async (header, status) => {
    const asked = await askedOf(file(header, status));
    expect(asked).toContain(`"${header}" says "Open" (1 row), `);
    expect(asked).toMatch(new RegExp(`["\\s]${status.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"? \\(1 row\\)`));
  });

  test('is asked about also in the row of the order, above its lines', async () => {
    const text = 'PO,SKU,Qty,Status\nP-1,,,Cancelled\n,A-1,2,\nP-2,,,Open\n,A-2,1,\n';
    expect(await askedOf(text, { continuationRows: true })).toContain('"Cancelled" (1 row), "Open" (1 row)');
  });

  test('is not looked at if the account ignores it', async () => {
    const options = { columns: { Status: 'ignore' as const } };
    expect(await askedOf(file('Status', 'Cancelled'), options)).toBeUndefined();
  });
});

describe('an item or a PO number that says that something is not to be ordered', () => {
  const file = (po: string, item: string) => `PO Number,SKU,Qty\nP-1,A-1,5\n${po},${item},1\nP-2,A-3,1\n`;

  test.each([
    ['P-3', 'AB-2 DO NOT SHIP'],
    ['P-3', 'do not order'],
    ['P-3', 'HOLD'],
    ['P-3-CANCELLED', 'AB-2'],
    ['HOLD-3', 'AB-2'],
    ['P-3 storniert', 'AB-2'],
  ])('is asked about, or not ordered: %s, %s', async (po, item) => {
    const { issues } = await importBytes('a.csv', file(po, item));
    const about = issues.filter(({ poNumber }) => poNumber === po);
    expect(about.some(({ code, severity }) => code === 'question' || severity === 'issue')).toBe(true);
  });

  test.each([
    ['P-3', 'HOLDER-4'],
    ['HOLDEN-4', 'AB-2'],
    ['P-3', 'STOPPER 12'],
    ['P-3', 'CANDLE-12'],
  ])('%s, %s is one', async (po, item) => {
    expect((await importBytes('a.csv', file(po, item))).issues).toEqual([]);
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

test('spaces between thousands are read where the account sets the decimal sign', async () => {
  const text = 'PO;SKU;Qty;expected_price\nP-1;A-1;1 000;1\u00a0250,50\nP-1;A-2;10 00;8,00\n';
  const imported = await importBytes('a.csv', text, { decimal: 'comma' });
  expect(imported.rows[0]).toMatchObject({ quantity: 1000, expectedPrice: '1250.50' });
  expect(imported.refusals).toMatchObject([{ rowNumber: 3, code: 'not_a_whole_number' }]);
});

describe('lines below a title', () => {
  const header = 'PO,SKU,Qty,Note\n';
  const file = (title: string, again: string) =>
    `${header}P-1,A-1,5,\n${title},,,\n${again}P-2,A-2,2,\nP-3,A-3,1,\n`;

  test.each([
    'Returns',
    'Cancelled orders:',
    'Retouren',
    'Open quotes',
    'Backordered - do not order',
    'ON HOLD',
    'Out of stock',
    'Discontinued',
    'Last week (already ordered):',
    'Last week’s orders',
    'Items below are cancelled',
    'Shipped',
    'Next month',
    'Wish list',
    'Examples',
    'Order history',
    'For reference only',
    'Bitte nicht bestellen',
    'Déjà commandé',
    'No pedir',
    'Page 2',
    'East',
    'To order',
  ])('are asked about, whatever it says, with a header of their own or without: %s', async (title) => {
    for (const again of [header, '']) {
      expect(await askedOf(file(title, again))).toContain(`row 3 says "${title}" and is no line`);
    }
  });
});

describe('a value that stands for none', () => {
  test.each(['#N/A', '#REF!', '#BEZUG!', '=A1+1', '=SUM(B2)', 'nan', 'NULL', 'n/a', 'TBD', '-', '???'])(
    '%s is neither a PO number nor an item',
    async (value) => {
      for (const row of [`${value},A-1,1`, `P-9,${value},1`]) {
        const { refusals } = await importBytes('a.csv', `PO Number,SKU,Qty\nP-1,A-1,1\n${row}\n`);
        expect(
          refusals.map(({ rowNumber }) => rowNumber),
          row,
        ).toContain(3);
      }
    },
  );

  test.each([
    '---',
    '*',
    '(enter your PO number)',
    '<insert item>',
    'see below',
    'bitte eintragen: siehe unten',
    'EXAMPLE',
    'Example: PO-12345',
    'e.g. 4711',
    'Beispiel 4711',
    'Exemple',
  ])('%s shows how to fill in a form', async (value) => {
    for (const row of [`${value},A-1,1`, `P-9,${value},1`]) {
      const { refusals } = await importBytes('a.csv', `PO Number,SKU,Qty\nP-1,A-1,1\n${row}\n`);
      expect(refusals, row).toMatchObject([{ rowNumber: 3 }]);
    }
  });

  test.each(['PO-2 CANCELLED', 'P-3 (void)', 'VOID', 'P-4 storniert', 'A-1 DISCONTINUED'])(
    '%s says that it is ordered no more',
    async (value) => {
      for (const row of [`${value},A-1,1`, `P-9,${value},1`]) {
        const { refusals } = await importBytes('a.csv', `PO Number,SKU,Qty\nP-1,A-1,1\n${row}\n`);
        expect(refusals, row).toMatchObject([{ rowNumber: 3, code: 'says_cancelled' }]);
      }
    },
  );

  test.each(['NULL-1', '#4711', 'NONE5', 'A=1', 'TBD-2', 'EXAMPLE-7', 'VOID-TAPE', 'SEE4711'])(
    '%s is one',
    async (value) => {
      const text = `PO Number,SKU,Qty\nP-1,A-1,1\n${value},${value},1\n`;
      expect((await importBytes('a.csv', text)).refusals).toEqual([]);
    },
  );
});

test.each([
  ['comma', '1 000'],
  ['point', "1'000"],
  ['point', '1’000'],
])('decimal: %s reads %s as thousands, and without it the issue names the setting', async (decimal, text) => {
  const file = `PO;SKU;Qty\nP-1;A-1;${text}\n`;
  const { rows } = await importBytes('a.csv', file, { decimal: decimal as 'comma' });
  expect(rows[0]).toMatchObject({ quantity: 1000 });
  const { refusals } = await importBytes('a.csv', file);
  expect(refusals[0]!.message).toMatch(/set intake\.decimal to comma or to point, or enter 1000/);
});

test.each(['Total lines', 'Summe: Positionen', 'Gesamtmenge aller Zeilen'])(
  'a total in the column of the PO number is asked about, whatever is beside it: %s',
  async (total) => {
    const text = `PO Number,SKU,Qty\nP-1,A-1,10\n${total},3,20\n`;
    const { issues } = await importBytes('a.csv', text);
    expect(issues).toMatchObject([{ code: 'question', rowNumber: 3, column: 'PO Number' }]);
    expect((await importBytes('a.csv', text.replace(total, 'TOTAL-7'))).issues).toEqual([]);
  },
);

test('a formula for text is explained once', async () => {
  const { issues, rows } = await importBytes('a.csv', 'PO,SKU,Qty\nP-1,="00123",1\n');
  expect(rows[0]).toMatchObject({ itemSku: '00123' });
  expect(issues).toMatchObject([{ code: 'cleaned' }]);
});

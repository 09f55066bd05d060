import { describe, expect, test } from 'vitest';
import { maySayNotToOrder, saysNotToOrder } from '../../../src/intake/rows/says-not-to-order.ts';
import { askedOf, importBytes, ordersOf } from '../support/import-file.ts';

const rejected = async (text: string, options: Parameters<typeof importBytes>[2] = {}) => {
  const imported = await importBytes('a.csv', text, options);
  const bad = new Set(imported.refusals.map(({ poNumber }) => poNumber));
  return Object.keys(imported.byPo).map((po) => `${po} ${bad.has(po) ? 'rejected' : 'ordered'}`);
};

describe('words in the column of the PO number, where rows may continue the PO above', () => {
  const continuation = { continuationRows: true };
  const file = (words: string) => `PO,SKU,Qty\n4711,A1,5\n${words},,\n,A2,3\n4712,A3,1\n`;

  test.each([
    'Page 1 of 2',
    'left side only',
    'Ship to: Store 2',
    'Note: fragile',
    'Printed 11/20/2026',
    'Confirmed by Bob',
    'Fragile',
  ])('%s begins no PO, and rejects the one above it', async (words) => {
    expect(await rejected(file(words), continuation)).toEqual(['4711 rejected', '4712 ordered']);
  });

  test.each(['PO 4713', 'Order no. 4713', '4713-B', 'STORE-7'])('%s is a PO number', async (po) => {
    const { refusals, byPo } = await importBytes('a.csv', file(po), continuation);
    expect(refusals).toEqual([]);
    expect(byPo[po]).toHaveLength(1);
  });

  test('are PO numbers where the first one is in words, too', async () => {
    const text = 'PO,SKU,Qty\nSmith kitchen,,\n,A1,5\nJones barn 2,,\n,A2,3\n';
    const imported = await importBytes('a.csv', text, continuation);
    expect(imported.refusals).toEqual([]);
    expect(ordersOf(imported).map(({ poNumber }) => poNumber)).toEqual(['Smith kitchen', 'Jones barn 2']);
  });

  test.each(['4711 Total,,8', 'PO,SKU,Qty', 'Total,,8'])(
    'a row without a PO number below %s is of no PO that is known',
    async (end) => {
      const text = `PO,SKU,Qty\n4711,A1,5\n,A2,3\n${end}\n,A3,1\n4712,A4,1\n,A5,1\n`;
      const { refusals } = await importBytes('a.csv', text, continuation);
      expect(refusals).toMatchObject([{ rowNumber: 5, poNumber: '4711', code: 'po_missing' }]);
      expect(refusals[0]!.message).toMatch(/in row 4 it is not clear whether it belongs to PO 4711/);
    },
  );
});

describe('a remark that something is not to be ordered', () => {
  test.each([
    'ORDER CANCELLED 11/22 per Bob',
    'Line 2: do not ship',
    'CANCELLED',
    'Superseded by PO 4712',
    'Please cancel A2',
    'Already sent 11/20',
    'Auftrag storniert',
  ])('rejects the PO of a form: %s', async (remark) => {
    const text = `PO Number,4711,\nSKU,Description,Qty\nA1,Bolt,5\nA2,Nut,3\n${remark},,\n`;
    const form = { poNumberFrom: { cell: 'PO Number' } } as const;
    expect(await rejected(text, form)).toEqual(['4711 rejected']);
  });

  test.each([
    'Note: cancel A2,,,',
    ',,,** line above cancelled **',
    ',,,Do not ship line 2',
    'Cancelled orders:,,,',
    ',Cancelled lines,,',
  ])('in a file with PO numbers is asked about, whatever it says: %s', async (row) => {
    const text = `PO,SKU,Qty,Note\nPO-1,A1,5,\nPO-1,A2,3,\n${row}\nPO-2,A3,4,\n`;
    expect(await askedOf(text)).toContain(`row 4 says "${row.replaceAll(',', '')}" and is no line`);
  });

  test.each([
    'Please cancel anything not in stock',
    'Cancel if not shipped by 12/15',
    'Do not ship before 12/1',
    'Do not ship partial orders',
    'Please do not send order confirmations',
    'Backorders will be cancelled after 30 days',
    'Cancelled orders are subject to a fee',
    'Cancel date: 12/15/2026',
    'Order confirmation',
    'Not cancelled',
    'Void where prohibited',
    'Invoice to: Acme',
    'Avoid direct sunlight',
  ])('is none if it is a condition or something else: %s', (text) => {
    expect(saysNotToOrder(text)).toBe(false);
  });
});

describe('in the languages of the dealers', () => {
  test.each([
    'do  not ship',
    'DO_NOT_SHIP',
    'Please cancel',
    'bitte stornieren',
    ...['Nicht liefern', 'Scheibe 4mm - nicht mehr bestellen', 'ENTFÄLLT Dübel 8mm', 'wird nicht benötigt'],
    ...[
      'ne pas livrer',
      'ne plus commander Vis 4',
      'supprimé',
      'niet leveren',
      'Niet meer bestellen',
      'vervallen',
    ],
    ...[
      'non spedire',
      'sospeso',
      'no enviar',
      'não enviar',
      'on hold',
      'STOP',
      'Muster (discontinued)',
      'キャンセル',
    ],
  ])('%s says not to order', (text) => {
    expect(saysNotToOrder(text)).toBe(true);
  });

  test.each([
    ...['Stopventil 1/2', 'Stop valve', 'Tür weiß gestrichen', 'hold-down clamp', 'Handschuh nicht steril'],
    ...[
      'nicht vor 8 Uhr liefern',
      'nicht liefern vor 8 Uhr',
      'ne pas livrer avant 8h',
      'niet leveren voor 8 uur',
    ],
    ...['Non-slip mat', 'no 4 envelope', 'Montag ans Tor bringen'],
  ])('%s does not', (text) => {
    expect(saysNotToOrder(text)).toBe(false);
  });
});

describe('in a cell of a remark or a description, where a person is only asked', () => {
  test.each([
    ...[
      'CANCEL',
      'Storno',
      'annulliert',
      'Lampe (STORNO)',
      'CANC - Bolt 4mm',
      'no longer required',
      'Not needed anymore',
    ],
    ...[
      'DO NOT SHIP Desk lamp',
      "Desk lamp, don't send",
      'zrušeno',
      'stornováno',
      'annullerad',
      'anulat',
      'iptal',
      'ακυρώθηκε',
    ],
    ...['\uff23\uff21\uff2e\uff23\uff25\uff2c\uff2c\uff25\uff24', 'Can\u00adcelled', 'cancelled'],
  ])('%s may say not to order', (text) => {
    expect(maySayNotToOrder(text)).toBe(true);
  });

  test.each([
    ...['Cancel if not in stock', 'Do not ship before 12/1', 'do not stack', 'Noise cancel switch'],
    ...['Stornoschein-Block', 'Canvas', 'no longer than 2 m', 'not required to sign', ''],
  ])('%s does not', (text) => {
    expect(maySayNotToOrder(text)).toBe(false);
  });
});

describe('a label in the column of the PO number', () => {
  test.each([
    'PO-1 Total',
    'Items',
    'TRAILER',
    'T',
    'Lines',
    'Carried forward',
    'Page 1',
    'Balance',
    'Count',
    'EOF',
    'Terms:',
    'Printed 11/20/2026',
    '2 POs',
    'Phone ext.',
  ])('%s is asked about', async (label) => {
    const asked = await askedOf(`PO,SKU,Qty\nPO-1,A1,5\nPO-1,A2,3\n${label},2,8\n`);
    expect(asked).toContain(`"PO" says one number or code, such as "PO-1" (2 rows), `);
    expect(asked).toContain(`${JSON.stringify(label)} (1 row)`);
  });

  test('and so is a number without a digit where most others have one', async () => {
    const numbers = [1, 2, 3, 4, 5].map((at) => `PO-${at},A1,5\n`).join('');
    expect(await askedOf(`PO,SKU,Qty\n${numbers}Sara Miller,12,8\n`)).toContain('"Sara Miller" (1 row)');
    expect((await rejected(`PO,SKU,Qty\nPO-1,A1,5\nSTOCK,A1,8\n`)).at(-1)).toBe('STOCK ordered');
  });

  test.each(['COUNT-7', 'T4711', 'PAGE4711', 'PO 12', 'Order 12', 'NET7'])(
    '%s is a PO number',
    async (po) => {
      expect(await rejected(`PO,SKU,Qty\nPO-1,A1,5\n${po},A2,8\n`)).toEqual([
        'PO-1 ordered',
        `${po} ordered`,
      ]);
    },
  );

  test('is one if all of them are so', async () => {
    expect(await rejected('PO,SKU,Qty\nPage 1,A1,5\nPage 2,A2,8\n')).toEqual([
      'Page 1 ordered',
      'Page 2 ordered',
    ]);
  });
});

describe('a sum within a PO', () => {
  test.each(['AX-100 Total', '2 items', 'Units', 'Carried forward', 'Brought forward', 'Übertrag'])(
    '%s is asked about',
    async (item) => {
      const text = `PO,SKU,Qty\nP-1,AX-100,5\nP-1,${item},5\nP-2,A3,4\n`;
      const { issues } = await importBytes('a.csv', text);
      expect(issues).toMatchObject([{ code: 'question', rowNumber: 3, poNumber: 'P-1', found: item }]);
    },
  );

  test.each(['UNITS-7', 'ITEM 2', 'TOTAL-10', 'LINES4'])('%s is an item', async (item) => {
    expect((await importBytes('a.csv', `PO,SKU,Qty\nP-1,${item},5\n`)).issues).toEqual([]);
  });
});

describe('a row that a line break has cut', () => {
  test('is refused with its rest', async () => {
    const text = 'PO\tSKU\tDescription\tQty\nPO-1\tA1\tLong\n1002\tdesc\t5\t7\nPO-2\tA2\tNut\t3\n';
    expect((await rejected(text)).toSorted()).toEqual(['1002 rejected', 'PO-1 rejected', 'PO-2 ordered']);
  });

  test('leaves a row below it that is like the others', async () => {
    const text = 'PO,SKU,Description,Qty\nPO-1,A1,Long\nPO-2,A2,Nut,3\n';
    expect(await rejected(text)).toEqual(['PO-1 rejected', 'PO-2 ordered']);
  });
});

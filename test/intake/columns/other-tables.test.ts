import { describe, expect, test } from 'vitest';
import { weighColumns } from '../../../src/intake/columns/weigh-columns.ts';
import { importBytes } from '../support/import-file.ts';

const refusalOf = async (text: string, options = {}) => {
  const { outcome } = await importBytes('a.csv', text, options);
  return outcome.kind === 'refused' ? outcome : undefined;
};

describe('another table above the one with all columns', () => {
  test('refuses the file, since its lines would be lost', async () => {
    for (const between of ['', ',,\n', 'Open orders,,\n']) {
      const text = `SKU,Qty,\nAX-9,4,\n${between}PO Number,SKU,Qty\nP-1,AX-1,10\n`;
      const refusal = await refusalOf(text);
      expect(refusal).toMatchObject({ code: 'header_differs' });
      expect(refusal!.message).toContain('Row 1 is a header, too: "SKU", "Qty".');
    }
  });

  test.each([
    'Purchase order,4711,\n',
    'PO Number,Date,\n4711,1 May,\n',
    'SKU list,,\n',
    'Part,Qty of parts,,\n',
  ])('other rows above do not: %s', async (above) => {
    expect(await refusalOf(`${above}PO Number,SKU,Qty\nP-1,AX-1,10\n`)).toBeUndefined();
  });
});

describe('values below the blank end of a header', () => {
  const header = 'PO Number,SKU,Unit Price,Qty,Ext Price,,\nP-1,AX-1,5.00,10,50.00,,\n';

  test('reject their PO where the rows above have none: an unquoted comma has shifted the cells', async () => {
    const { refusals } = await importBytes(
      'a.csv',
      `${header}P-2,AX-9,1,250.00,3,3,750.00\nP-3,AX-2,2.00,1,2.00,,\n`,
    );
    expect(refusals).toMatchObject([
      { code: 'row_width', rowNumber: 3, poNumber: 'P-2', column: 'column 6' },
    ]);
  });

  test('are read over where they are usual', async () => {
    const rows = Array.from({ length: 5 }, (_, at) => `P-${at},AX-${at},2.00,1,2.00,x,\n`).join('');
    const { refusals } = await importBytes('a.csv', `PO Number,SKU,Unit Price,Qty,Ext Price,,\n${rows}`);
    expect(refusals).toEqual([]);
  });
});

describe('an address after the name of somebody else', () => {
  const file = (header: string) =>
    `PO Number,${header},SKU,Qty\nP-1,Bike Wholesale Inc,1 Vendor Rd,Denver,CO,80201,AX-1,10\n`;

  test.each(['Vendor', 'Supplier Name', 'Bill To Name', 'Lieferant', 'Remit To'])(
    'refuses the file: %s',
    async (owner) => {
      const refusal = await refusalOf(file(`${owner},Address,City,State,Zip`));
      expect(refusal).toMatchObject({ code: 'columns_uncertain' });
      expect(refusal!.message).toContain('"Address"');
    },
  );

  test('is read or ignored where the account says so', async () => {
    const text = file('Vendor,Address,City,State,Zip');
    for (const columns of [
      { Address: 'ship_address1', City: 'ship_city', State: 'ship_state', Zip: 'ship_zip' },
      { Address: 'ignore', City: 'ignore', State: 'ignore', Zip: 'ignore' },
    ] as const)
      expect(await refusalOf(text, { columns })).toBeUndefined();
  });

  test.each([
    'Ship To Name,Address,City,State,Zip',
    'Customer,Address,City,State,Zip',
    'Vendor,Ship Address,Ship City,Ship State,Ship Zip',
    'Vendor Part Number,Address,City,State,Zip',
  ])('leaves no doubt: %s', async (header) => {
    expect((await refusalOf(file(header)))?.message ?? '').not.toContain('may be the address of');
  });
});

describe('a quantity beside what is to be ordered', () => {
  const file = (header: string, last = '12') =>
    `PO Number,SKU,${header}\nP-1,AX-1,140,${last}\nP-1,AX-2,60,24\nP-2,AX-7,9,3\n`;

  test.each([
    'Quantity,To Order',
    'Qty,Reorder Qty',
    'Qty,Suggested Order',
    'Menge,Bestellvorschlag',
    'Aantal,Te bestellen',
    'Quantité,À commander',
  ])('is not certain: %s', async (header) => {
    const refusal = await refusalOf(file(header), { columns: { Menge: 'ignore' } });
    expect(refusal?.code).toMatch(/columns_(?:uncertain|missing|ambiguous)/);
  });

  test.each(['Quantity,Pieces in stock', 'Order Qty,Reorder Level', 'Quantity,Order Date'])(
    'leaves no doubt: %s',
    async (header) => {
      expect(await refusalOf(file(header))).toBeUndefined();
    },
  );

  test('nor does one whose values are long, as those of order numbers are', async () => {
    const text = 'PO Number,SKU,Quantity,Order\nP-1,AX-1,14,100231\nP-2,AX-2,6,100232\nP-3,AX-3,6,100233\n';
    expect(await refusalOf(text)).toBeUndefined();
  });
});

test('a table on its side is not taken for one that stands', async () => {
  const refusal = await refusalOf('PO Number,4711,4712,4713\nSKU,A-1,A-2,A-3\nQty,5,6,7\n');
  expect(refusal).toBeDefined();
});

describe('an address of which only a part is recognised', () => {
  const file = (header: string) =>
    `PO Number,${header},SKU,Qty\nP-1,1 Main St,Denver,CO,80201,AX-1,10\nP-2,2 Oak Rd,Boise,ID,83701,AX-2,4\n`;

  test('refuses the file, since the order would go to half of it', async () => {
    const header = 'Ship Address,Ship City,Ship State,Delivery Postcode';
    const refusal = await refusalOf(file(header));
    expect(refusal?.code).toBe('columns_uncertain');
    expect(refusal!.message).toContain('"Delivery Postcode" seems to be of the same address');
    for (const field of ['ship_zip', 'ignore'])
      expect(await refusalOf(file(header), { columns: { 'Delivery Postcode': field } })).toBeUndefined();
  });

  test('leaves no doubt where all of it is', async () => {
    expect(await refusalOf(file('Ship Address,Ship City,Ship State,Ship Zip'))).toBeUndefined();
  });
});

test('numbers without a name beside the quantity refuse the file', async () => {
  const refusal = await refusalOf('PO Number,SKU,Qty,,Note\nP-1,AX-1,4,6,x\nP-2,AX-2,1,1,\n');
  expect(refusal?.code).toBe('columns_uncertain');
  expect(refusal!.message).toContain('column 4, to the right of "Qty", has numbers and no name');
});

test.each(['Revised Qty', 'Approved Quantity', 'Qty Final', 'Geänderte Menge'])(
  'a quantity beside what became of it is not certain: %s',
  async (later) => {
    const file = (header: string) => `PO Number,SKU,Qty,${header}\nP-1,AX-1,14,12\nP-2,AX-2,6,6\n`;
    expect((await refusalOf(file(later)))?.code).toMatch(/columns_(?:uncertain|missing|ambiguous)/);
    expect(await refusalOf(file(later), { columns: { [later]: 'ignore' } })).toBeUndefined();
  },
);

test.each(['Num', 'No.', 'Number'])('%s is not proposed as the item where no PO number is', (name) => {
  const needed = new Set(['po_number', 'item_sku', 'quantity'] as const);
  const rows = [
    ['4711', '5'],
    ['4712', '6'],
    ['4713', '2'],
  ];
  const { columns } = weighColumns([name, 'Qty'], rows, new Map(), needed);
  expect(columns.map(({ field }) => field)).toEqual(['quantity']);
});

test.each([
  ['Ship To:', true],
  ['Lieferadresse', true],
  ['Bill To:', false],
])('%s above a table without an address is noted: %s', async (label, isNoted) => {
  const text = `${label},Acme Denver\n,1 Main St\n\nPO Number,SKU,Qty\nP-1,AX-1,10\n`;
  const { refusals, issues } = await importBytes('a.csv', text);
  expect(refusals).toEqual([]);
  expect(issues.map(({ code }) => code).includes('address_above_not_read')).toBe(isNoted);
});

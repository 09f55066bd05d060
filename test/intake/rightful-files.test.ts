import { describe, expect, test } from 'vitest';
import { askedOf, importBytes as importAnyBytes } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

/** Imports a file that nobody has looked at, so that a question would refuse it. */
const importBytes = (name: string, bytes: string | Buffer, options?: Parameters<typeof importAnyBytes>[2]) =>
  importAnyBytes(name, bytes, options, { waitsForNews: true });

const quantitiesOf = (rows: { itemSku: string | undefined; quantity: number | undefined }[]) =>
  Object.fromEntries(rows.map(({ itemSku, quantity }) => [itemSku, quantity]));

describe('below the lines of each sheet that is a PO', () => {
  test.each([
    ['a total beside its amount', ['', '', 'Total', '111']],
    ['a total of the quantities', ['', 'Total', '8', '']],
    ['a remark', ['', 'Please ship complete', '', '']],
    ['a remark in the column of the item', ['Thank you for your business', '', '', '']],
  ])('%s is no line', async (_, footer) => {
    const sheet = (name: string, item: string) => ({
      name,
      rows: [
        ['Part Number', 'Description', 'Qty', 'Price'],
        [item, 'Chain', '8', '9.5'],
        ['', '', '', ''],
        footer,
      ],
    });
    const bytes = await writeWorkbook({ sheets: [sheet('PO 4711', 'AX-1'), sheet('PO 4712', 'BX-2')] });
    const { refusals, byPo } = await importBytes('a.xlsx', bytes, { poNumberFrom: { sheetName: 'PO {po}' } });
    expect(refusals).toEqual([]);
    expect(Object.keys(byPo)).toEqual(['4711', '4712']);
    expect(quantitiesOf(byPo['4711']!)).toEqual({ 'AX-1': 8 });
  });
});

test.each(['    ', '\t', '\n  ', ' \n \n', '\t\r\n \r\n \r\n'])(
  'blanks behind the last line end (%j) are no row that was cut off',
  async (blanks) => {
    const { refusals, byPo } = await importBytes('a.csv', `PO Number,SKU,Qty\nP-1,S1,3\nP-2,S2,4\n${blanks}`);
    expect(refusals).toEqual([]);
    expect(Object.keys(byPo)).toEqual(['P-1', 'P-2']);
  },
);

const form = (lines: string) => `PO Number,4711,\n\nPart Number,Description,Qty\n${lines}`;
const ofForm = { poNumberFrom: { cell: 'PO Number' } } as const;

test.each([
  'Authorized signature: ____',
  'Thank you for your business',
  'Page 1 of 1',
  'Notes:',
  '*** END ***',
  'Do not ship before 12/01',
])('below the lines of a form, apart from them, "%s" is a text and no line', async (text) => {
  const { refusals, rows, issues } = await importBytes(
    'a.csv',
    form(`AX-1,Chain,5\nAX-2,Chain,3\n,,\n${text},,\n`),
    ofForm,
  );
  expect(refusals).toEqual([]);
  expect(quantitiesOf(rows)).toEqual({ 'AX-1': 5, 'AX-2': 3 });
  // The PO's page shows it.
  expect(issues.filter(({ poNumber }) => poNumber === '4711')).toMatchObject([
    { rowNumber: 7, severity: 'note', found: text },
  ]);
});

test('a line of a form without its quantity rejects the PO', async () => {
  for (const lines of ['AX-1,Chain,5\nBrake pad,,\n', 'AX-1,Chain,5\n,,\nAX-2,,\n']) {
    const { refusals } = await importBytes('a.csv', form(lines), ofForm);
    expect(refusals).toMatchObject([{ code: 'quantity_missing' }]);
  }
});

test('a header that is printed again on each page says nothing about the values of its columns', async () => {
  const header = 'PO Number,Item,Description,Qty\n';
  const text = `${header}4711,AX-100,Chain,5\n4711,BX-220,Chain,3\n${header}4712,CX-9,Chain,2\n4712,DX-11,Chain,4\n`;
  const { outcome, rows } = await importBytes('a.csv', text);
  expect(outcome.kind).toBe('read');
  expect(rows).toHaveLength(4);
});

test.each([
  'Cancelled,No',
  'Hold,No',
  'Draft,No',
  'Cancelled: No,',
  'Department,Returns',
  'Attn,Returns',
  'Ship Via,Hold',
  'PO Number,DRAFT-7',
])('a box of a form that is not ticked, and a label with its value, are no title: %s', async (above) => {
  const text = `${above},\n,,\nPO Number,SKU,Qty\nP-1,A1,5\nP-2,A2,6\n`;
  expect((await importBytes('a.csv', text)).outcome.kind).toBe('read');
});

test.each(['Cancelled,Yes', 'Status,CANCELLED', 'Acme Tools,CANCELLED'])(
  'a box that is ticked is asked about: %s',
  async (above) => {
    expect(await askedOf(`${above},\n,,\nPO Number,SKU,Qty\nP-1,A1,5\n`)).toContain(
      'row 1, above the table, says "',
    );
  },
);

test('a form that begins with a box to tick is no JSON document', async () => {
  const text = '[ ] Quote [X] Order,,\nPO Number,SKU,Qty\nP-1,A1,5\n';
  expect((await importBytes('a.csv', text)).outcome.kind).toBe('read');
});

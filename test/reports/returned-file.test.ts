import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { cleanCell } from '../../src/intake/rows/clean-cell.ts';
import { neutralise } from '../../src/reports/neutralise.ts';
import { writeWorkbook } from '../intake/support/write-workbook.ts';
import { openReportDesk, type ReportDesk } from './support/report-desk.ts';

let desk: ReportDesk;
beforeAll(async () => {
  desk = await openReportDesk();
});
afterAll(() => desk.close());

/** The outcome of an import's POs: state, or what it repeats. */
const posOf = async (importId: string): Promise<Record<string, string>> => {
  const { rows } = await desk.pool.query<{ po: string; state: string }>(
    `select po_number as po, state || coalesce(' ' || reason_code, '') as state from purchase_orders where import_id = $1
     union all select po_number, 'repeated' from repeated_purchase_orders where import_id = $1`,
    [importId],
  );
  return Object.fromEntries(rows.map(({ po, state }) => [po, state]));
};

const issuesOf = async (importId: string): Promise<string[]> => {
  const { rows } = await desk.pool.query<{ code: string }>(
    'select code from row_issues where import_id = $1 order by row_number, code',
    [importId],
  );
  return rows.map(({ code }) => code);
};

const csvFile = [
  'PO;SKU;Qty;Price paid;comment1',
  '-1001;=SKU;2;-3,5;- please',
  '+1;@a;1;1;',
  "'-1001b;1E5;1;;'quoted'",
  'BAD;x;0;=1+1;\ttab',
  'BAD;y;1;;',
  '',
].join('\n');

test('a result file that is sent again unchanged places nothing twice, and rejects the same rows as before', async () => {
  const account = 'csv';
  const first = await desk.take('back.csv', csvFile, { account });
  expect(await posOf(first)).toEqual({
    '-1001': 'ready',
    '+1': 'ready',
    '-1001b': 'ready',
    BAD: 'rejected row_issues',
  });
  const result = await readFile(await desk.result(first), 'utf8');
  for (const line of result.split('\r\n').slice(1))
    for (const cell of line.split(';').slice(0, 3)) expect(cell).not.toMatch(/^[=+@-]/);
  const second = await desk.take('back.csv', result, { account });
  expect(await posOf(second)).toEqual({
    '-1001': 'repeated',
    '+1': 'repeated',
    '-1001b': 'repeated',
    BAD: 'rejected row_issues',
  });
  const third = await readFile(await desk.result(second), 'utf8');
  // No matter how often the file is returned, the dealer's columns stay unchanged and ours appear once.
  const own = (text: string) => text.split('\r\n').map((line) => line.split(';').slice(0, 5).join(';'));
  expect(own(third)).toEqual(own(result));
  expect(third.match(/Cartwright: PO state/g)).toHaveLength(1);
});

test('a corrected result file places only what was not placed yet', async () => {
  const account = 'corrected';
  const first = await desk.take('corrected.csv', csvFile, { account });
  await desk.set(first, '-1001', { state: 'ordered' });
  const result = await readFile(await desk.result(first), 'utf8');
  const second = await desk.take('corrected.csv', result.replace('BAD;x;0;', 'BAD;x;7;'), { account });
  expect(await posOf(second)).toEqual({
    '-1001': 'repeated',
    '+1': 'repeated',
    '-1001b': 'repeated',
    BAD: 'ready',
  });
});

test('a row that the dealer emptied is blank, even if it still has our cells', async () => {
  const account = 'emptied';
  const first = await desk.take('emptied.csv', 'po,sku,qty\nE-1,A,1\nE-2,B,x\n', { account });
  const result = await readFile(await desk.result(first), 'utf8');
  const second = await desk.take('emptied.csv', result.replace('E-2,B,x', ',,'), { account });
  expect(await posOf(second)).toEqual({ 'E-1': 'repeated' });
  expect(await issuesOf(second)).toEqual([]);
});

test('a row with too few or too many cells stays wrong until it is corrected', async () => {
  const account = 'ragged';
  const text = 'po,sku,note,qty\nW-1,A,,1\nW-2,B,2\nW-3,C,a,b,3\n';
  const first = await desk.take('ragged.csv', text, { account });
  const before = await posOf(first);
  expect(before['W-2']).toBe('rejected row_issues');
  expect(before['W-3']).toBe('rejected row_issues');
  const second = await desk.take('ragged.csv', await readFile(await desk.result(first)), { account });
  expect(await posOf(second)).toEqual(before);
  expect(await issuesOf(second)).toEqual(await issuesOf(first));
});

test('a returned file in another encoding is read with the same settings', async () => {
  const intake = { encoding: 'windows-1252' };
  const text = 'po,sku,qty,note\nÜ-1,Ä1,1,50 € für „Öl“\nU-2,x,0,\n'
    .replace('€', '\x80')
    .replace('„', '\x84')
    .replace('“', '\x93');
  const first = await desk.take('umlaut.csv', Buffer.from(text, 'latin1'), { account: 'latin', intake });
  const result = await readFile(await desk.result(first));
  const second = await desk.take('umlaut.csv', result, { account: 'latin', intake });
  expect(await posOf(second)).toEqual({ 'Ü-1': 'repeated', 'U-2': 'rejected row_issues' });
});

test('a returned UTF-16 file with tabs is read unchanged', async () => {
  const text = '\ufeffpo\tsku\tqty\tship_name\nX-1\tA\t1\tŁódź\nX-2\tA\t0\t\n';
  const first = await desk.take('wide.txt', Buffer.from(text, 'utf16le'), { account: 'wide' });
  const path = await desk.result(first);
  expect(path).toMatch(/\.result\.txt$/);
  const second = await desk.take('wide.txt', await readFile(path), { account: 'wide' });
  expect(await posOf(second)).toEqual({ 'X-1': 'repeated', 'X-2': 'rejected row_issues' });
});

test('a returned file without quotes and header is read unchanged', async () => {
  const intake = { header: 'none', quotes: false, columns: { 1: 'po_number', 2: 'item_sku', 3: 'quantity' } };
  const text = 'H-1,5" pipe,1\nH-2,A"B,0\n';
  const first = await desk.take('bare.csv', text, { account: 'bare', intake });
  const result = await readFile(await desk.result(first), 'utf8');
  expect(result).toMatch(/^H-1,5" pipe,1,ready,waiting,/);
  const second = await desk.take('bare.csv', result, { account: 'bare', intake });
  expect(await posOf(second)).toEqual({ 'H-1': 'repeated', 'H-2': 'rejected row_issues' });
});

const damagedRows = [
  ['PO', 'SKU', 'Qty', 'Ship Zip'],
  ['-1001', '=SKU', { xml: '<c r="REF"><v>2</v></c>' }, '02134'],
  ['D-1', { xml: '<c r="REF" s="1"><v>45000</v></c>' }, '1', ''],
  ['D-2', { xml: '<c r="REF"><v>12345678901234567890</v></c>' }, '1', ''],
  ['D-3', { xml: '<c r="REF" t="e"><v>#N/A</v></c>' }, '1', ''],
  ['D-4', { xml: '<c r="REF" t="b"><v>1</v></c>' }, '1', ''],
  ['D-5', { xml: '<c r="REF"><f>A1</f></c>' }, '1', ''],
  ['D-6', 'A', { xml: '<c r="REF"><v>9</v></c>' }, ''],
  ['D-6', 'B', '', ''],
];

test('values that a spreadsheet damaged are refused again in a returned result, never accepted as text', async () => {
  const account = 'damaged';
  const content = await writeWorkbook({
    formats: ['d-mmm'],
    sheets: [
      { name: 'Orders', rows: damagedRows, after: '<mergeCells><mergeCell ref="C8:C9"/></mergeCells>' },
    ],
  });
  const first = await desk.take('damaged.xlsx', content, { account });
  const refused = Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`D-${at}`, 'rejected row_issues']));
  expect(await posOf(first)).toEqual({ '-1001': 'ready', ...refused });
  const result = await readFile(await desk.result(first));
  const second = await desk.take('damaged.xlsx', result, { account });
  expect(await posOf(second)).toEqual({ '-1001': 'repeated', ...refused });
});

test('a corrected workbook places only what was not placed yet, no matter which program saved it', async () => {
  const account = 'book';
  const rows = [
    ['PO', 'SKU', 'Qty'],
    ['-1001', '00501', '2'],
    ['B-2', '=x', 'none'],
  ];
  const first = await desk.take('book.xlsx', await writeWorkbook({ sheets: [{ name: 'Orders', rows }] }), {
    account,
  });
  const book = xlsx.read(await readFile(await desk.result(first)), { cellStyles: true });
  const cell = book.Sheets.Orders!.C3 as xlsx.CellObject;
  Object.assign(cell, { t: 'n', v: 3 });
  const corrected = xlsx.write(book, { type: 'buffer', bookType: 'xlsx' });
  const second = await desk.take('book.xlsx', corrected, { account });
  expect(await posOf(second)).toEqual({ '-1001': 'repeated', 'B-2': 'ready' });
});

test.each([1, 2, 4])(
  'the returned workbook of an account that reads sheet %i is read like any other',
  async (sheet) => {
    const account = `book ${sheet}`;
    const orders = {
      name: 'Orders',
      rows: [
        ['PO', 'SKU', 'Qty'],
        ['A-1', '00501', '2'],
      ],
    };
    const others = [1, 2, 3, 4].map((at) => (at === sheet ? orders : { name: `Other ${at}`, rows: [['x']] }));
    const options = { account, intake: { sheet } };
    const first = await desk.take('book.xlsx', await writeWorkbook({ sheets: others }), options);
    expect(await posOf(first)).toEqual({ 'A-1': 'ready' });
    const second = await desk.take('book.xlsx', await readFile(await desk.result(first)), options);
    expect(await posOf(second)).toEqual({ 'A-1': 'repeated' });
  },
);

test('a result sheet is not mistaken for the sheet that the account names', async () => {
  const account = 'pasted';
  const sheet = (po: string, name: string) => ({
    name,
    rows: [
      ['PO', 'SKU', 'Qty'],
      [po, 'A', '1'],
    ],
  });
  const options = { account, intake: { sheet: 1 } };
  const first = await desk.take(
    'old.xlsx',
    await writeWorkbook({ sheets: [sheet('OLD', 'Orders')] }),
    options,
  );
  const book = xlsx.read(await readFile(await desk.result(first)));
  const fresh = xlsx.utils.aoa_to_sheet(sheet('NEW', 'New').rows);
  book.SheetNames.unshift('New');
  book.Sheets.New = fresh;
  const bytes = xlsx.write(book, { type: 'buffer', bookType: 'xlsx' });
  expect(await posOf(await desk.take('new.xlsx', bytes, options))).toEqual({ NEW: 'ready' });
});

test('no CSV cell that we write starts a formula, and intake reads each as the original', () => {
  const texts = ['=1', '+1', '-1', '@x', '\tx', '\rx', "'=1", "''-1", "'", 'plain', "it's", '-', '', '1E5'];
  for (const text of texts) {
    const written = neutralise(text, false);
    expect(written).not.toMatch(/^[=+\-@\t\r]/);
    expect(neutralise(written, false)).toBe(written);
    for (const kind of ['text', 'identifier', 'quantity', 'code'] as const)
      expect(cleanCell(written, kind).text).toBe(cleanCell(text, kind).text);
  }
  expect(neutralise('-5.25', true)).toBe('-5.25');
  expect(neutralise('-5+A1', true)).toBe("'-5+A1");
  expect(neutralise('=5', true)).toBe("'=5");
});

test('a result of a file whose comments say not to order is rejected again, and so is what else was refused', async () => {
  const account = 'commented';
  const sheet = xlsx.utils.aoa_to_sheet([
    ['PO Number', 'SKU', 'Qty', 'Colour'],
    ['C-1', 'S1', 1, 'red'],
    ['C-2', 'S2', 2, 'red'],
    ['C-3', 'S3', 3, 'red'],
    ['C-4', true, 4, 'red'],
  ]);
  xlsx.utils.cell_add_comment(sheet.C3, 'CANCELLED - do not order', 'Bob');
  xlsx.utils.cell_add_comment(sheet.D4, 'please do not order', 'Bob');
  xlsx.utils.cell_add_comment(sheet.B5, 'as last time', 'Bob');
  const book = xlsx.write(
    { SheetNames: ['One'], Sheets: { One: sheet } },
    { type: 'buffer', bookType: 'xlsx' },
  );
  const states = { 'C-2': 'rejected row_issues', 'C-3': 'rejected row_issues', 'C-4': 'rejected row_issues' };
  const first = await desk.take('back.xlsx', book, { account });
  expect(await posOf(first)).toEqual({ 'C-1': 'ready', ...states });
  const result = await readFile(await desk.result(first));
  expect(await posOf(await desk.take('again.xlsx', result, { account }))).toEqual({
    'C-1': 'repeated',
    ...states,
  });
});

test('a line through a cell is in the result, too, so that the result sent again is rejected as before', async () => {
  const account = 'struck';
  const struck = (text: string) => ({
    xml: `<c r="REF" t="inlineStr"><is><r><rPr><strike/></rPr><t>${text}</t></r></is></c>`,
  });
  const rows = [
    ['PO', 'SKU', 'Qty', 'Description'],
    ['L-1', 'A', '1', 'Shirt'],
    ['L-2', 'B', '2', struck('Blue shirt')],
    ['L-3', struck('C'), '3', 'Red shirt'],
  ];
  const first = await desk.take('line.xlsx', await writeWorkbook({ sheets: [{ name: 'Orders', rows }] }), {
    account,
  });
  const rejected = { 'L-2': 'rejected row_issues', 'L-3': 'rejected row_issues' };
  expect(await posOf(first)).toEqual({ 'L-1': 'ready', ...rejected });
  const second = await desk.take('line.xlsx', await readFile(await desk.result(first)), { account });
  expect(await posOf(second)).toEqual({ 'L-1': 'repeated', ...rejected });
  expect(await issuesOf(second)).toEqual(await issuesOf(first));
});

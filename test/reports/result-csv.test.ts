import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerColumns } from '../../src/intake/own-columns.ts';
import { openReportDesk, type ReportDesk } from './support/report-desk.ts';

let desk: ReportDesk;
beforeAll(async () => {
  desk = await openReportDesk();
});
afterAll(() => desk.close());

const headers = answerColumns.map(({ header }) => header);
const ours = (row: string[] | undefined, width: number) =>
  Object.fromEntries(answerColumns.map(({ name }, at) => [name, row?.[width + at]]));

test('every row of the dealer is kept in its order, with its outcome on the right', async () => {
  const importId = await desk.take(
    'week 47.csv',
    'PO #,SKU,Qty,Colour\nA-1,SKU-1,2,red\nA-2,SKU-2,x,blue\nA-1,SKU-3,1,green\nA-2,SKU-4,1,\n,,3,\nTotal,,6,\n',
  );
  await desk.set(importId, 'A-1', { state: 'ordered', cart_number: 'C-77', cart_epoch: 1 });
  await desk.pool.query(
    `update lines set answered_epoch = 1, sku = 'SKU-1', available_quantity = 9, backorder_quantity = 0, dealer_price = 12.50
     where import_id = $1 and row_number = 2`,
    [importId],
  );
  await desk.pool.query(
    `insert into orders (purchase_order_id, account, po_number, order_number)
     select id, account, po_number, n from purchase_orders, unnest(array['O-1', 'O-2']) n where import_id = $1 and po_number = 'A-1'`,
    [importId],
  );
  const rows = await desk.csv(importId);
  expect(rows[0]).toEqual(['PO #', 'SKU', 'Qty', 'Colour', ...headers]);
  expect(rows.slice(1).map((row) => row.slice(0, 4))).toEqual([
    ['A-1', 'SKU-1', '2', 'red'],
    ['A-2', 'SKU-2', 'x', 'blue'],
    ['A-1', 'SKU-3', '1', 'green'],
    ['A-2', 'SKU-4', '1', ''],
    ['', '', '3', ''],
    ['Total', '', '6', ''],
  ]);
  expect(ours(rows[1], 4)).toEqual({
    poState: 'ordered',
    lineState: 'ordered',
    issue: '',
    cartNumber: 'C-77',
    orderNumbers: 'O-1, O-2',
    available: '9',
    backorder: '0',
    price: '12.50',
    whatToDo: '',
    asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  });
  expect(ours(rows[2], 4)).toMatchObject({ poState: 'rejected', lineState: 'refused' });
  expect(rows[2]?.[6]).toMatch(/^Column Qty: /);
  expect(ours(rows[4], 4)).toMatchObject({ poState: 'rejected', lineState: 'not sent' });
  expect(rows[4]?.[6]).toMatch(/^Row 3, column Qty: /);
  expect(rows[4]?.[12]).toMatch(/send this file again/);
  // A quantity without an item is never only a note.
  expect(ours(rows[5], 4)).toMatchObject({ lineState: 'refused' });
  expect(rows[5]?.[6]).toMatch(/has no PO number/);
  expect(ours(rows[6], 4)).toMatchObject({ poState: '', lineState: 'skipped' });
});

test('the result in results/ has the name of the dealer’s file and the import’s number, and no other file is written', async () => {
  const importId = await desk.take('../ü:order?.CSV', 'po,sku,qty\nN-1,S,1\n');
  const path = await desk.result(importId);
  expect(path).toBe(join(desk.folder, 'results', `__ü_order_.${importId}.result.csv`));
  await desk.result(importId);
  const names = await readdir(join(desk.folder, 'results'));
  expect(names.filter((name) => name.includes(`.${importId}.`)).sort()).toEqual([
    `__ü_order_.${importId}.result.csv`,
    `__ü_order_.CSV.${importId}.result.json`,
  ]);
});

test('a repeated PO shows the outcome of the first one, line by line', async () => {
  const first = await desk.take('first.csv', 'po,sku,qty\nR-1,A,1\nR-1,B,2\n', { account: 'again' });
  await desk.set(first, 'R-1', { state: 'ordered', cart_number: 'C-1' });
  await desk.pool.query(
    `update lines set answered_epoch = 1, available_quantity = quantity * 10, dealer_price = quantity where import_id = $1`,
    [first],
  );
  const again = await desk.take('again.csv', 'sku,po,qty\nB,R-1,2\nA,R-1,1\n', { account: 'again' });
  const rows = await desk.csv(again);
  expect(ours(rows[1], 3)).toMatchObject({
    poState: 'ordered',
    cartNumber: 'C-1',
    available: '20',
    price: '2',
  });
  expect(ours(rows[2], 3)).toMatchObject({ poState: 'ordered', available: '10', price: '1' });
  expect(rows[1]?.[5]).toContain(`in import ${first} (first.csv)`);
});

test('the result keeps the dealer’s separator, quotes, title rows, blank lines and encoding', async () => {
  const text = 'Meier & Söhne;;\r\n\r\nPO;SKU;Menge\r\nT-1;"a;b";2\r\n\r\nT-1;"6"" Rohr";1\r\n';
  const importId = await desk.take('semi.csv', Buffer.from(text, 'latin1'), {
    intake: { columns: { Menge: 'quantity' } },
  });
  const lines = (await readFile(await desk.result(importId))).toString('latin1').split('\r\n');
  expect(lines[0]).toBe('Meier & Söhne;;');
  expect(lines[1]).toBe('');
  expect(lines[2]).toBe(`PO;SKU;Menge;${headers.join(';')}`);
  expect(lines[3]).toMatch(/^T-1;"a;b";2;ready;waiting;/);
  expect(lines[4]).toBe('');
  expect(lines[5]).toMatch(/^T-1;"6"" Rohr";1;ready;waiting;/);
});

test('the result of a refused file gives the reason', async () => {
  const importId = await desk.take('letter.csv', 'Dear dealer\nhow are you\n');
  const rows = await desk.csv(importId);
  expect(rows[0]).toEqual([
    'Cartwright: file',
    'Cartwright: state',
    'Cartwright: issue',
    'Cartwright: what to do',
  ]);
  expect(rows[1]?.slice(0, 2)).toEqual(['letter.csv', 'refused']);
  expect(rows[1]?.[2]).toContain('No header was found in the first 2 rows');
});

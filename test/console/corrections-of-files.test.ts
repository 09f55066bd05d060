import { beforeEach, expect, test } from 'vitest';
import type { CorrectionsAnswer } from '../../src/api-contract/corrections.ts';
import type { ImportDetail } from '../../src/api-contract/imports.ts';
import { createResultRegister } from '../../src/ledger/result-register.ts';
import { answerRow } from '../../src/reports/row-answer.ts';
import { writeWorkbook } from '../intake/support/write-workbook.ts';
import { header, useCorrections } from './use-corrections.ts';

const desk = useCorrections();
const { use, upload, call, done, confirm, read } = desk;
const { take, badFile, open, corrected, check, ordered, statesOf, fail } = desk;

let po: string;
beforeEach(() => {
  po = desk.po();
});

test('a PO number that was wrong itself is corrected, and rows are added and removed', async () => {
  const importId = await take(
    'numbers.csv',
    `${header}\n4.71E+11,A-1,5,Bo,Boston,\n${po}2,A-1,x,Cy,Salem,\n${po}2,A-2,1,Cy,Salem,\n`,
  );
  const opened = await open(importId);
  const [first, , third] = corrected(opened, { 'PO Number 2': `${po}1` });
  const rows = [
    first!,
    third!,
    { rowNumber: null, cells: [`${po}2`, 'A-9', '4', 'Cy', 'Salem', ''] },
    { rowNumber: null, cells: ['', '', '', '', '', ' '] },
  ];
  const { importId: next } = await ordered(opened, rows, 2);
  expect(await read(next)).toEqual([`${po}1 ready`, `${po}2 ready`]);
  expect((await statesOf(importId)).map((text) => text.replace(/^\S+ /, ''))).toEqual([
    'rejected corrected',
    'rejected corrected',
  ]);
  const { items } = await done<CorrectionsAnswer>('GET', `/imports/${next}/corrections`);
  expect(
    items[0]!.changes.map(({ kind, rowNumber, newRowNumber }) => [kind, rowNumber, newRowNumber]),
  ).toEqual([
    ['changed', 2, 2],
    ['added', null, 4],
    ['removed', 3, null],
  ]);
  // The result file of the first import shows the outcome of each of its rows.
  const texts: string[] = [];
  await createResultRegister(use.deps.pool).write(importId, { force: true }, async (ledger) => {
    for (const [, row] of await ledger.rowsBetween(2, 4)) {
      texts.push(answerRow(row, new Date()).answer.issue);
    }
    return { path: 'results/numbers-result.csv' };
  });
  expect(texts).toEqual([
    expect.stringMatching(
      new RegExp(
        `corrected PO Number from “4.71E\\+11” to “${po}1”.*Corrected as PO ${po}1 in import ${next} `,
      ),
    ),
    expect.stringContaining(' left this row out of the correction: it was not ordered'),
    expect.stringMatching(new RegExp(`Corrected in import ${next} `)),
  ]);
  expect(texts[2]).not.toContain('left this row out');
});

test('what only a sheet shows has to be changed or accepted: struck out, or made a date', async () => {
  const sheet = await writeWorkbook({
    formats: ['yyyy-mm-dd'],
    sheets: [
      {
        name: 'Orders',
        rows: [
          ['PO Number', 'SKU', 'Qty'],
          [`${po}1`, { xml: '<c r="REF" s="1"><v>46000</v></c>' }, '5'],
          [`${po}2`, 'A-1', 'x'],
        ],
      },
    ],
  });
  const importId = await take('sheet.xlsx', sheet);
  const opened = await open(importId);
  expect(opened.check).toMatchObject({
    orderable: 0,
    marks: expect.arrayContaining([expect.objectContaining({ row: 0, column: 1, kind: 'asks' })]),
  });
  const rows = corrected(opened, { 'Qty 3': '1' });
  expect(await check(opened, rows)).toMatchObject({
    orderable: 1,
    purchaseOrders: [{ outcome: 'rejected' }, { outcome: 'ready' }],
  });
  expect(await check(opened, corrected(opened, { 'SKU 2': 'MAR-1', 'Qty 3': '1' }))).toMatchObject({
    orderable: 2,
    marks: [],
  });
  const accepted = rows.map((row) => (row.rowNumber === 2 ? { ...row, accepted: [1] } : row));
  const { importId: next } = await ordered(opened, accepted, 2);
  expect(await read(next)).toEqual([`${po}1 ready`, `${po}2 ready`]);
});

test('a file whose PO number is in its name is corrected in a column of its own, as somebody agreed to read it', async () => {
  const { upload: draft } = await upload(`PO ${po}77.csv`, 'Teil,Stk\nA-1,five\nA-2,2\n');
  const mapping = { columns: { Teil: 'item_sku', Stk: 'quantity' }, poNumberFrom: { fileName: 'PO {po}' } };
  await done('PUT', `/uploads/${draft.id}/mapping`, { mapping });
  const { importId } = (await confirm(draft.id)).upload;
  await read(importId);
  const opened = await open(importId!);
  expect(opened.columns.map(({ header: name }) => name)).toEqual(['PO Number', 'Teil', 'Stk']);
  expect(opened.rows[0]!.cells).toEqual([`${po}77`, 'A-1', 'five']);
  const { importId: next } = await ordered(opened, corrected(opened, { 'Stk 2': '5' }), 1);
  expect(await read(next)).toEqual([`${po}77 ready`]);
  // A correction can be corrected again.
  await fail(next!, `${po}77`);
  const again = await open(next!);
  const { importId: last } = await ordered(again, corrected(again, { 'Teil 2': 'A-7' }), 1);
  expect(await read(last)).toEqual([`${po}77 ready`]);
  expect((await done<ImportDetail>('GET', `/imports/${last}`)).fileName).toBe(`PO ${po}77 corrected.csv`);
});

test('without its rows, or when the file is gone, the way of a file is named', async () => {
  const importId = await take('old.csv', badFile());
  await use.deps.pool.query('update imports set copy_pruned_at = now() where id = $1', [importId]);
  const gone = await call('GET', `/imports/${importId}/correction`);
  expect([gone.statusCode, gone.json().detail]).toEqual([
    422,
    expect.stringContaining('Upload a corrected file instead'),
  ]);
  const fine = await take('fine.csv', `${header}\n${po}9,A-1,5,Bo,Boston,\n`);
  expect((await call('GET', `/imports/${fine}/correction`)).statusCode).toBe(409);
});

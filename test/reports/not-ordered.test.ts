import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notOrderedPath, resultName } from '../../src/reports/result-name.ts';
import { writeWorkbook } from '../intake/support/write-workbook.ts';
import { openReportDesk, type ReportDesk } from './support/report-desk.ts';

let desk: ReportDesk;
beforeAll(async () => {
  desk = await openReportDesk();
});
afterAll(() => desk.close());

const file = [
  'Garden Shop;;;',
  'PO #;SKU;Qty;Colour',
  'A-1;SKU-1;2;red',
  'A-2;SKU-2;x;blue',
  'A-1;SKU-3;1;green',
  'A-3;SKU-9;4;',
  'A-2;SKU-4;1;',
  ';SKU-5;3;',
  'Total;;11;',
  '',
].join('\n');

const leftOf = async (importId: string): Promise<string> => notOrderedPath(await desk.result(importId));
const existing = async (path: string) => (await readdir(join(path, '..'))).includes(basename(path));
const statesOf = async (importId: string) => {
  const { rows } = await desk.pool.query<{ po: string; state: string }>(
    'select po_number as po, state from purchase_orders where import_id = $1 order by 1',
    [importId],
  );
  return rows.map(({ po, state }) => `${po} ${state}`);
};

test('the POs that were not ordered are in a file of their own, whole and closed up, and it can be sent back', async () => {
  const account = 'left-csv';
  const importId = await desk.take('week.csv', file, { account });
  await desk.set(importId, 'A-1', { state: 'ordered' });
  await desk.set(importId, 'A-3', {
    state: 'failed',
    reason_code: 'refused_by_service',
    reason_text: 'no such item',
  });
  const left = await leftOf(importId);
  const text = await readFile(left, 'utf8');
  const rows = parse(text, { delimiter: ';', relax_column_count: true }) as string[][];
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    ['Garden Shop', '', '', ''],
    ['PO #', 'SKU', 'Qty', 'Colour'],
    ['A-2', 'SKU-2', 'x', 'blue'],
    ['A-3', 'SKU-9', '4', ''],
    ['A-2', 'SKU-4', '1', ''],
    ['', 'SKU-5', '3', ''],
  ]);
  // Each row shows its mistake.
  expect(rows[2]!.join(' ')).toContain('Quantity must be a whole number');

  const corrected = text
    .replace('SKU-2;x', 'SKU-2;5')
    .replace('SKU-9', 'SKU-8')
    .replace('\r\n;SKU-5', '\r\nA-4;SKU-5');
  const again = await desk.take('week-corrected.csv', corrected, { account });
  expect(await statesOf(again)).toEqual(['A-2 ready', 'A-3 ready', 'A-4 ready']);
});

test('it goes when nothing is left to correct, and is not there when everything was ordered', async () => {
  const importId = await desk.take('fine.csv', 'PO #,SKU,Qty\nB-1,SKU-1,2\nB-2,SKU-1,x\n');
  await desk.set(importId, 'B-1', { state: 'ordered' });
  const left = await leftOf(importId);
  expect(await existing(left)).toBe(true);
  await desk.set(importId, 'B-2', { reason_code: 'corrected', reason_text: 'corrected by a later file' });
  await desk.result(importId);
  expect(await existing(left)).toBe(false);
});

test('a cell with a line break is a cell of the file that is sent back, too', async () => {
  const account = 'left-breaks';
  const importId = await desk.take(
    'breaks.csv',
    'PO #,SKU,Qty,Ship Name\nG-1,SKU-1,x,"Coa\nstal"\nG-2,SKU-1,x,"Har\r\nbour"\n',
    { account },
  );
  const text = await readFile(await leftOf(importId), 'utf8');
  const again = await desk.take('breaks-2.csv', text.replaceAll('SKU-1,x', 'SKU-1,5'), { account });
  expect(await statesOf(again)).toEqual(['G-1 ready', 'G-2 ready']);
});

test('what failed goes from it once a later file has it, and its result says so', async () => {
  const account = 'left-failed';
  const importId = await desk.take('failed.csv', 'PO #,SKU,Qty\nF-1,NOPE,2\n', { account });
  await desk.set(importId, 'F-1', {
    state: 'failed',
    reason_code: 'refused_by_service',
    reason_text: 'no such item',
  });
  const left = await leftOf(importId);
  expect(await existing(left)).toBe(true);
  const again = await desk.take('failed-2.csv', (await readFile(left, 'utf8')).replace('NOPE', 'SKU-1'), {
    account,
  });
  expect(await statesOf(again)).toEqual(['F-1 ready']);
  // The result of the first file becomes due without a request.
  expect(await desk.write(importId)).toMatchObject({ kind: 'written' });
  expect(await existing(left)).toBe(false);
  const [, row] = await desk.csv(importId);
  expect(row!.slice(3, 5)).toEqual(['corrected', 'not ordered']);
  expect(row!.join(' ')).not.toContain('Correct it and send');
});

test('held POs are not in it: a person decides about them', async () => {
  const importId = await desk.take('held.csv', 'PO #,SKU,Qty\nC-1,SKU-1,2\n');
  await desk.set(importId, 'C-1', { state: 'held', reason_code: 'backorder' });
  expect(await existing(await leftOf(importId))).toBe(false);
});

test('of a workbook it is a workbook', async () => {
  const account = 'left-xlsx';
  const importId = await desk.take(
    'week.xlsx',
    await writeWorkbook({
      sheets: [
        {
          name: 'Orders',
          rows: [
            ['PO #', 'SKU', 'Qty'],
            ['D-1', 'SKU-1', '2'],
            ['D-2', 'SKU-2', 'x'],
          ],
        },
      ],
    }),
    { account },
  );
  await desk.set(importId, 'D-1', { state: 'ordered' });
  const left = await leftOf(importId);
  expect(basename(left)).toMatch(/^week\.\d+\.not-ordered\.xlsx$/);
  const again = await desk.take('again.xlsx', await readFile(left), { account });
  expect(await statesOf(again)).toEqual(['D-2 rejected']);
});

test.each([
  ['orders.csv', 'csv', 'orders.7.not-ordered.csv'],
  ['orders.xls', 'xlsx', 'orders.xls.7.not-ordered.xlsx'],
  ['my.result.csv', 'csv', 'my.result.7.not-ordered.csv'],
] as const)('the path beside the result of %s', (fileName, format, expected) => {
  const one = { fileName, importId: '7' };
  expect(resultName(one, format, 'not-ordered')).toBe(expected);
  expect(notOrderedPath(`results/${resultName(one, format)}`)).toBe(`results/${expected}`);
});

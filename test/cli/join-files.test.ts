import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinFiles } from '../../src/cli/join-files.ts';
import { specCodeLists } from '../../src/contract/carts.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import { importFile, ordersOf } from '../intake/support/import-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-join-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const setting = { join: { orders: 'Orders', lines: 'Lines', by: 'Order ID' } };
const account = { name: 'north', intake: intakeOptionsSchema.parse(setting), codeLists: specCodeLists };

const write = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

test('two text files become one workbook, the same one each time', async () => {
  const orders = await write('orders.csv', 'Export,\nOrder ID,PO Number\n0017,P-1\n0018,P-2\n');
  const lines = await write('lines.txt', 'Order ID\tSKU\tQty\n0018\t00123\t1\n\n0017\tA-1\t5\n');
  const path = await joinFiles([orders, lines], account, folder);
  expect(basename(path)).toBe('orders+lines.xlsx');
  const imported = await importFile(path, setting);
  expect(imported.refusals).toEqual([]);
  expect(ordersOf(imported)).toMatchObject([
    { poNumber: 'P-2', lines: [{ sku: '00123', quantity: 1 }] },
    { poNumber: 'P-1', lines: [{ sku: 'A-1', quantity: 5 }] },
  ]);
  expect(imported.rows.map(({ rowNumber }) => rowNumber)).toEqual([2, 4]);
  const bytes = await readFile(path);
  await joinFiles([orders, lines], account, folder);
  expect(await readFile(path)).toEqual(bytes);
});

test('a row whose cells may have moved is refused', async () => {
  const orders = await write('orders.csv', 'Order ID,PO Number\n17,P-1\n');
  const lines = await write('lines.csv', 'Order ID,SKU,Name,Qty\n17,A-1,Pad, front,5\n');
  await expect(joinFiles([orders, lines], account, folder)).rejects.toMatchObject({
    code: 'row_width',
    message: expect.stringContaining('Row 2 of lines.csv has 5 columns but the header in row 1 has 4'),
  });
});

test('the setting, two files and text are needed', async () => {
  const page = await write('page.csv', '<table><tr><td>Order ID</td></tr></table>');
  const none = { ...account, intake: intakeOptionsSchema.parse({}) };
  await expect(joinFiles([page, page], none, folder)).rejects.toMatchObject({ code: 'join_missing' });
  await expect(joinFiles([page], account, folder)).rejects.toMatchObject({ code: 'two_files_needed' });
  await expect(joinFiles([page, page], account, folder)).rejects.toMatchObject({ code: 'not_a_text_file' });
});

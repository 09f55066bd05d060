import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldOfHeader } from '../../src/intake/columns/fields.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import { answerColumns } from '../../src/intake/own-columns.ts';
import { readPurchaseFile } from '../../src/intake/read-purchase-file.ts';
import type { Detection, RawRow } from '../../src/intake/types.ts';
import { importBytes } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cartwright-again-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const save = async (fileName: string, bytes: string | Uint8Array) => {
  const file = path.join(folder, fileName);
  await writeFile(file, bytes);
  return file;
};

const readAll = async (file: string, options: object, detection?: Detection) => {
  const opened = await readPurchaseFile({
    path: file,
    fileName: path.basename(file),
    options: intakeOptionsSchema.parse(options),
    ...(detection ? { detection } : {}),
  });
  if (opened.kind === 'refused') throw new Error(opened.message);
  const rows: RawRow[] = [];
  for await (const batch of opened.batches) rows.push(...batch);
  return { detection: opened.detection, header: opened.header, titleRows: opened.titleRows, rows };
};

describe('a file read again with the decisions of the first time', () => {
  const options = {
    columns: { Order: 'po_number', Article: 'item_sku', Pieces: 'quantity' },
    delimiter: '|',
    sheet: 'Two',
  };
  test.each<[string, () => Promise<string | Uint8Array> | string]>([
    ['orders.csv', () => 'My title\n\nOrder|Article|Pieces|Colour\nA|S1|1|red\n\nB|S2|2|blue\n'],
    [
      'orders.xlsx',
      () =>
        writeWorkbook({
          sheets: [
            { name: 'One', rows: [['po', 'sku', 'qty']] },
            {
              name: 'Two',
              rows: [
                ['My title'],
                [],
                ['Order', 'Article', 'Pieces', 'Colour'],
                ['A', 'S1', '1', 'red'],
                [],
                ['B', 'S2', '2', 'blue'],
              ],
            },
          ],
        }),
    ],
  ])('gives the same rows, though the account has changed since: %s', async (fileName, bytes) => {
    const file = await save(fileName, await bytes());
    const first = await readAll(file, options);
    const kept = JSON.parse(JSON.stringify(first.detection)) as Detection;
    const again = await readAll(file, {}, kept);
    expect(again).toEqual(first);
    expect(first.rows.map((row) => [row.rowNumber, row.cells])).toEqual([
      [4, ['A', 'S1', '1', 'red']],
      [6, ['B', 'S2', '2', 'blue']],
    ]);
    expect(first.header).toEqual(['Order', 'Article', 'Pieces', 'Colour']);
    expect(first.titleRows.map((row) => row.cells[0])).toEqual(['My title']);
  });
});

test('a file that was read by a layout is read in the same way without it', async () => {
  const file = await save('bare.csv', 'My title,,\nA,S1,1\nB,S2,2\n');
  const layouts = {
    bare: { header: 'none', skipRows: 1, columns: { 1: 'po_number', 2: 'item_sku', 3: 'quantity' } },
  };
  const first = await readAll(file, { layouts });
  expect(first.rows.map((row) => row.cells[0])).toEqual(['A', 'B']);
  const kept = JSON.parse(JSON.stringify(first.detection)) as Detection;
  expect(await readAll(file, { skipRows: 2, layouts: {} }, kept)).toEqual(first);
});

describe('our own columns in a returned file', () => {
  test('are not mapped to fields', () => {
    for (const { header } of answerColumns) expect(fieldOfHeader(header), header).toBeUndefined();
  });
  test('change nothing of what is read', async () => {
    const header = ['po', 'sku', 'qty', ...answerColumns.map((column) => column.header)].join(',');
    const { rows, refusals } = await importBytes(
      'a.csv',
      `${header}\nA,S1,1${',x'.repeat(answerColumns.length)}\n`,
    );
    expect(refusals).toEqual([]);
    expect(rows).toMatchObject([
      { poNumber: 'A', itemSku: 'S1', quantity: 1, note: undefined, options: '{}' },
    ]);
  });
});

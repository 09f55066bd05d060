import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../src/contract/carts.ts';
import { fieldOfHeader } from '../../src/intake/columns/fields.ts';
import { proposeMap } from '../../src/intake/columns/propose-map.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import { answerColumns } from '../../src/intake/own-columns.ts';
import { readPurchaseFile } from '../../src/intake/read-purchase-file.ts';
import type { Detection, RawRow } from '../../src/intake/types.ts';
import { defaultIntakeOptions } from '../support/default-intake-options.ts';
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

describe('a proposed column map', () => {
  const propose = async (text: string) =>
    proposeMap({
      path: await save('map.csv', text),
      fileName: 'map.csv',
      options: defaultIntakeOptions,
      codeLists: specCodeLists,
    });

  test('maps known headers, guesses the rest from values, and shows what the service would receive', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, at) => `${4711 + Math.floor(at / 3)},${at + 1},ART-${at * 7},${[3, 1, 7, 2][at % 4]},9.5,Boise\n`,
    );
    const proposed = await propose(`Vorgang,Zeile,Was,Wieviel,Einzel,City\n${rows.join('')}`);
    expect(proposed).toMatchObject({
      kind: 'proposed',
      headerRow: 1,
      map: { Vorgang: 'po_number', Was: 'item_sku', Wieviel: 'quantity' },
      missing: [],
    });
    if (proposed.kind !== 'proposed') return;
    expect(proposed.samples).toHaveLength(5);
    expect(proposed.samples[0]).toMatchObject({
      cart: { po_number: '4711', ship_city: 'Boise' },
      item: { item_sku: 'ART-0', quantity: 3 },
    });
    expect(proposed.columns.find((column) => column.field === 'quantity')).toMatchObject({
      by: 'content',
      values: ['3', '1', '7'],
    });
  });

  test('has no entries if all headers are known', async () => {
    expect(await propose('PO #,SKU,Qty\nA,S1,1\n')).toMatchObject({ kind: 'proposed', map: {}, missing: [] });
  });

  test('ignores the second of two columns for one field', async () => {
    expect(await propose('PO,SKU,Part Number,Qty\nA,S1,P1,1\n')).toMatchObject({
      kind: 'proposed',
      map: { 'Part Number': 'ignore' },
    });
  });

  test('lists the fields without a matching column', async () => {
    expect(await propose('a,b\nx,y\n')).toMatchObject({
      kind: 'proposed',
      missing: expect.arrayContaining(['quantity']),
    });
  });

  test('imports the file', async () => {
    const rows = Array.from(
      { length: 9 },
      (_, at) => `R-${100 + Math.floor(at / 3)};X${at}Y;${at % 5 ? 12 : 3}\n`,
    );
    const text = `Beleg;Teil;Stk\n${rows.join('')}`;
    const proposed = await propose(text);
    if (proposed.kind !== 'proposed') throw new Error(proposed.message);
    const { byPo, refusals } = await importBytes('a.csv', text, { columns: proposed.map });
    expect(refusals).toEqual([]);
    expect(Object.keys(byPo)).toEqual(['R-100', 'R-101', 'R-102']);
  });
});

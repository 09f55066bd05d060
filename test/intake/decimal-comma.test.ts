import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { specCodeLists } from '../../src/contract/carts.ts';
import { proposeMap } from '../../src/intake/layouts/propose/propose-map.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import { importBytes } from './support/import-file.ts';

const header = ['PO Number', 'SKU', 'Qty', 'Expected Price'];
type Cell = string | number;

const importCells = (bookType: 'xlsx' | 'biff8' | 'ods', ...rows: Cell[][]) => {
  const sheet = xlsx.utils.aoa_to_sheet([header, ...rows]);
  const bytes = xlsx.write({ SheetNames: ['One'], Sheets: { One: sheet } }, { type: 'buffer', bookType });
  const ending = bookType === 'biff8' ? 'xls' : bookType;
  return importBytes(`a.${ending}`, bytes as Buffer, { decimal: 'comma' });
};

const types = ['xlsx', 'biff8', 'ods'] as const;

test.each(types)('%s: a numeric cell keeps its value in an account with decimal commas', async (type) => {
  const { rows, refusals } = await importCells(type, ['PO-1', 'A', 2, 22.6], ['PO-1', 'B', '3', '1.022,60']);
  expect(refusals).toEqual([]);
  expect(rows.map(({ quantity, expectedPrice }) => [quantity, expectedPrice])).toEqual([
    [2, '22.6'],
    [3, '1022.60'],
  ]);
});

test.each(types)(
  '%s: a value that could be a thousand times larger is refused, not guessed',
  async (type) => {
    const { refusals } = await importCells(
      type,
      ['PO-1', 'A', 1.125, 1],
      ['PO-2', 'B', 1, 1.125],
      ['PO-3', 'C', '1.125', 1],
    );
    expect(refusals.map(({ poNumber, column }) => [poNumber, column])).toEqual([
      ['PO-1', 'Qty'],
      ['PO-2', 'Expected Price'],
      ['PO-3', 'Qty'],
    ]);
    expect(refusals[0]!.message).toContain('thousands');
  },
);

test('in a CSV file of an account with decimal commas a point groups thousands', async () => {
  const { rows } = await importBytes('a.csv', 'PO Number;SKU;Qty\nPO-1;A;1.125\n', { decimal: 'comma' });
  expect(rows[0]!.quantity).toBe(1125);
});

test('the samples of a proposed map show the cells as the import reads them', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-map-'));
  try {
    const file = path.join(folder, 'a.xlsx');
    const workbook = xlsx.utils.book_new();
    xlsx.utils.book_append_sheet(workbook, xlsx.utils.aoa_to_sheet([['Notes']]), 'Notes');
    const rows = [header, ['PO-1', 'A', 2, 22.6], ['PO-2', 'B', 1.125, 1]];
    xlsx.utils.book_append_sheet(workbook, xlsx.utils.aoa_to_sheet(rows), 'Orders');
    await writeFile(file, xlsx.write(workbook, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
    // As for the import, the sheet may be given by its position.
    const options = intakeOptionsSchema.parse({ decimal: 'comma', sheet: 2 });
    const proposed = await proposeMap({
      path: file,
      fileName: 'a.xlsx',
      options,
      codeLists: specCodeLists,
    });
    if (proposed.kind === 'refused') throw new Error(proposed.message);
    expect(proposed.sheet).toBe('Orders');
    expect(proposed.samples.map(({ item, issues }) => [item.quantity, issues.length])).toEqual([
      [2, 0],
      [undefined, 1],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

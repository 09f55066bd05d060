import { expect, test } from 'vitest';
import * as xlsx from 'xlsx';
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

test.each(types)(
  '%s: where an account writes commas, a cell that is a number keeps its size',
  async (type) => {
    const { rows, refusals } = await importCells(
      type,
      ['PO-1', 'A', 2, 22.6],
      ['PO-1', 'B', '3', '1.022,60'],
    );
    expect(refusals).toEqual([]);
    expect(rows.map(({ quantity, expectedPrice }) => [quantity, expectedPrice])).toEqual([
      [2, '22.6'],
      [3, '1022.60'],
    ]);
  },
);

test.each(types)('%s: what could be a thousand times as much is refused, not guessed', async (type) => {
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
});

test('in a CSV file, where all is text, a point groups thousands for such an account', async () => {
  const { rows } = await importBytes('a.csv', 'PO Number;SKU;Qty\nPO-1;A;1.125\n', { decimal: 'comma' });
  expect(rows[0]!.quantity).toBe(1125);
});

import { expect, test } from 'vitest';
import { createColumnWatch } from '../../../src/intake/layouts/watch-columns.ts';
import { withSilentColumns } from '../../../src/intake/layouts/watched-columns.ts';
import type { CheckedRow } from '../../../src/intake/types.ts';
import { askedOf } from '../support/import-file.ts';

const fileOf = (header: string, ...texts: string[]) =>
  `PO Number,SKU,Qty,${header}\n${texts.map((text, at) => `P-${at},A-${at},2,${text}\n`).join('')}`;

test.each([
  ['Description', 'CANCELLED'],
  ['Item Description', 'do not ship - customer cancelled'],
  ['Product Name', 'STORNIERT'],
])('a first file is asked about a %s that says %s', async (header, text) => {
  expect(await askedOf(fileOf(header, 'Hammer', text, 'Nails'))).toContain(
    `"${header}" says "${text}" (1 row)`,
  );
});

test.each([
  ['Description', ['Hammer', 'Noise cancelling headphones', 'Do-it-yourself set', 'Total station', '']],
  ['Brand', ['Total', 'Total', 'Hold Fast']],
])('what else a %s says is not asked about', async (header, texts) => {
  expect(await askedOf(fileOf(header, ...texts))).toBeUndefined();
});

test('a column that the account ignores is not watched', async () => {
  const text = fileOf('Description', 'Hammer', 'CANCELLED');
  expect(await askedOf(text, { columns: { Description: 'ignore' } })).toBeUndefined();
});

test('a later file is asked about a new text that says not to order, and about no other', () => {
  const columns = [
    { header: 'PO Number', field: 'po_number' as const },
    { header: 'SKU', field: 'item_sku' as const },
    { header: 'Qty', field: 'quantity' as const },
    { header: 'Description', field: null },
  ];
  const look = (text: string, known: ReadonlyMap<string, ReadonlyMap<string, 'seen' | 'order'>>) => {
    const watch = createColumnWatch(columns, withSilentColumns(known, columns), {});
    const row = { poNumber: 'P-1', itemSku: 'A-1', quantity: 5 } as CheckedRow;
    const { questions } = watch.look({ rowNumber: 2, cells: ['P-1', 'A-1', '5', text] }, [row]);
    return [questions.length, watch.seen().some(({ column }) => column === 'description')];
  };
  expect(look('Hammer', new Map())).toEqual([0, false]);
  expect(look('', new Map())).toEqual([0, false]);
  expect(look('CANCELLED', new Map())[0]).toBe(1);
  expect(look('CANCELLED', new Map([['description', new Map([['cancelled', 'order' as const]])]]))[0]).toBe(
    0,
  );
});

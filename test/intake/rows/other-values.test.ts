import { describe, expect, test } from 'vitest';
import { importBytes } from '../support/import-file.ts';

const refusalsOf = async (po: string, sku: string) =>
  (await importBytes('a.csv', `PO,SKU,Qty\n4711,A-1,5\n4711-B,A-2,5\n"${po}","${sku}",3\n`)).refusals;

describe('a PO number', () => {
  test.each([
    'do',
    'same',
    'as above',
    '(blank)',
    'pending',
    '(none)',
    'No PO',
    "4711 (cont'd)",
    '4712 page 2',
    '4713 B/O',
    'Type here',
    '[PO number]',
    '<PO>',
    'SAMPLE-PO',
    'PO-XXXX',
  ])('is not %s', async (po) => {
    const [first] = await refusalsOf(po, 'A-1');
    expect(first).toMatchObject({ rowNumber: 4, column: 'PO' });
    expect(['placeholder', 'part_of_po']).toContain(first!.code);
  });

  test.each([
    'DO-7',
    'SAME4',
    '[4711]',
    '4711 B',
    '4711/2',
    'PO 4711',
    'XXX4711',
    '4711 Store 2',
    'SAMPLE-PO-7',
  ])('can be %s', async (po) => {
    expect(await refusalsOf(po, 'A-1')).toEqual([]);
  });
});

describe('an item', () => {
  test.each([
    'same',
    'as above',
    '(blank)',
    'AX-17 NLA',
    'sold out',
    'AX-21 x2',
    '2x AX-22',
    'AX-1 or AX-2',
    'do not use AX-18',
    '1 alt',
    '[SKU]',
  ])('is not %s', async (item) => {
    const [first] = await refusalsOf('4712', item);
    expect(first).toMatchObject({ rowNumber: 4, column: 'SKU', poNumber: '4712' });
  });

  test.each([
    'BLANK',
    'NLA-7',
    'Bolt M5 x20',
    'AX 12',
    '4x4 post',
    'Color or Clear',
    'ALT1',
    'XXL',
    'A (2 pack)',
  ])('can be %s', async (item) => {
    expect(await refusalsOf('4712', item)).toEqual([]);
  });
});

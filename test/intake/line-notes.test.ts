import { describe, expect, test } from 'vitest';
import { importBytes } from './support/import-file.ts';

/** The notes of a file whose lines are all ordered. */
const notesOf = async (text: string, options = {}) => {
  const imported = await importBytes('a.csv', text, options);
  expect(imported.refusals).toEqual([]);
  expect(imported.rows.length).toBeGreaterThan(0);
  return imported.issues.map(({ code, severity, rowNumber, column }) => {
    expect(severity).toBe('note');
    return { code, rowNumber, column };
  });
};

describe('variants of one item', () => {
  const file = (header: string, second = 'M') =>
    `PO Number,SKU,${header},Qty\nP-1,TEE-1,S,5\nP-1,TEE-1,${second},7\nP-2,TEE-1,L,3\n`;

  test.each(['Size', 'Colour', 'Variant Title', 'Option1 Value', 'Größe', 'Taille', 'Talla', 'Kleur'])(
    'that a column names, and the item does not, are noted: %s',
    async (header) => {
      expect(await notesOf(file(header))).toEqual([
        { code: 'variant_not_read', rowNumber: 3, column: header },
      ]);
      expect(await notesOf(file(header), { columns: { [header]: 'ignore' } })).toEqual([]);
    },
  );

  test('are none where the same item is the same one, and other columns say nothing', async () => {
    expect((await notesOf(file('Size', 's'))).map(({ code }) => code)).toEqual([]);
    expect(await notesOf(file('Bin'))).toEqual([]);
  });
});

describe('columns that add up to the quantity', () => {
  const file = (header: string, rows: string[]) =>
    `PO Number,SKU,${header},Qty\n${rows.map((row, at) => `P-1,A-${at},${row}\n`).join('')}`;

  test.each([
    ['S,M,L', ['2,3,5,10', '1,,4,5']],
    ['Store A,Store B,Note', ['4,6,x,10', '1,1,,2']],
    ['Week 1,Week 2', ['4,6,10', '0,1,1']],
  ])('are noted with their names: %s', async (header, rows) => {
    const codes = (await notesOf(file(header, rows))).map(({ code }) => code);
    expect(codes).toContain('quantity_is_a_sum');
  });

  test.each([
    ['S,M', ['2,3,10', '1,4,5']],
    ['Qty Shipped,Qty Open', ['2,8,10', '1,4,5']],
    ['Weight,Bin', ['10,0,10', '5,0,5']],
  ])('others are not: %s', async (header, rows) => {
    const codes = (await notesOf(file(header, rows))).map(({ code }) => code);
    expect(codes).not.toContain('quantity_is_a_sum');
  });
});

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

describe('notes about a PO that is rejected', () => {
  test.each([
    ['PO Number,SKU,Qty\nP-1,A-1,5\nP-1,A-1,5\nP-1,A-2,none\n', 'line_repeated'],
    ['PO Number,Line No,SKU,Qty\nP-1,1,A-1,5\nP-1,1,A-2,6\nP-1,2,A-3,none\n', 'line_number_repeated'],
    ['PO Number,SKU,Size,Qty\nP-1,A-1,S,5\nP-1,A-1,M,7\nP-1,A-2,S,none\n', 'variant_not_read'],
    ['PO Number,SKU,UOM,Qty\nP-1,A-1,DZ,5\nP-1,A-2,EA,none\n', 'units_not_read'],
    ['PO Number,SKU,Qty,Qty Shipped\nP-1,A-1,5,3\nP-1,A-2,none,\n', undefined],
  ])('do not say that its rows are ordered: %j', async (text, code) => {
    const { issues, refusals } = await importBytes('a.csv', text);
    expect(refusals.map(({ poNumber }) => poNumber)).toEqual(['P-1']);
    const notes = issues.filter(({ severity }) => severity === 'note');
    if (code !== undefined) expect(notes.map((note) => note.code)).toContain(code);
    expect(notes.length).toBeGreaterThan(0);
    for (const { message } of notes) expect(message).not.toMatch(/(?:(?<!to be |not be )(?:is|are)) ordered/);
  });
});

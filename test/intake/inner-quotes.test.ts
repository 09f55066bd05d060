import { describe, expect, test } from 'vitest';
import { createInnerQuotes } from '../../src/intake/formats/csv/inner-quotes.ts';
import { importBytes, refusalOf } from './support/import-file.ts';

const file = (...lines: string[]) =>
  ['po,sku,qty,note', 'A,S1,1,x', ...lines, 'Z,S9,9,last'].map((line) => `${line}\n`).join('');

describe('a quote in the middle of an unquoted value', () => {
  // LibreOffice reads these lines the same way, except that values are trimmed here.
  test.each([
    ['an inch sign at the end', 'B,S2,2,3/4"', '3/4"'],
    ['an inch sign before a word', 'B,S2,2,12" pipe', '12" pipe'],
    ['two of them', 'B,S2,2,Bolt 3/4" x 2"', 'Bolt 3/4" x 2"'],
    ['feet and inches', `B,S2,2,6' 2"`, `6' 2"`],
    ['in a quoted value, written twice', 'B,S2,2,"3/4"" x, 2"""', '3/4" x, 2"'],
    ['beside blanks', 'B, S2, 2, 3/4" x 2" ', '3/4" x 2"'],
    ['a value of quotes only, written as it should be', 'B,S2,2,""""', '"'],
  ])('is an ordinary character: %s', async (_, line, note) => {
    const { rows, issues } = await importBytes('a.csv', file(line));
    expect(rows.map(({ poNumber }) => poNumber)).toEqual(['A', 'B', 'Z']);
    expect(rows[1]).toMatchObject({ itemSku: 'S2', quantity: 2, note });
    expect(issues).toEqual([]);
  });

  test('is noted where it is hardly an inch sign', async () => {
    const { rows, issues } = await importBytes('a.csv', file('B,S2,2,the "old" kind', 'C,S3,3,3/4"'));
    expect(rows[1]).toMatchObject({ poNumber: 'B', note: 'the "old" kind' });
    expect(issues).toMatchObject([
      { severity: 'note', code: 'inner_quote', rowNumber: 3, poNumber: 'B', column: 'note' },
    ]);
  });

  test.each([
    ['tabs', '\t'],
    ['semicolons', ';'],
    ['bars', '|'],
  ])('is one with %s too', async (_, delimiter) => {
    const { rows } = await importBytes('a.csv', file('B,S2,2,3/4"').replaceAll(',', delimiter));
    expect(rows[1]).toMatchObject({ poNumber: 'B', itemSku: 'S2', quantity: 2, note: '3/4"' });
  });

  test('does not make a value with the separator longer: the row has too many columns', async () => {
    const { refusals } = await importBytes('a.csv', file('B,S2,2,Bolt 3/4" x 2", 5'));
    expect(refusals).toMatchObject([
      { rowNumber: 3, poNumber: 'B', code: 'row_width' },
      { rowNumber: 3, poNumber: 'A', code: 'row_width' },
    ]);
  });
});

describe('a stray quote at the beginning of a value', () => {
  test.each([
    ['never closed', 'B,S2,2,"x'],
    ['closed before more characters', 'B,S2,2,"x" y'],
    ['closed rows below', 'B,S2,2,"x\nC,S3,3,y"'],
    ['closed rows below by an inch sign', 'B,S2,2,"x\nC,S3,3,3/4"'],
    ['closed rows below by an inch sign, with characters after it', 'B,S2,2,"x\nC,S3,3,3/4" y'],
  ])('refuses the file and loses no row: %s', async (_, line) => {
    expect(refusalOf(await importBytes('a.csv', file(line))).code).toMatch(/^(broken_quote|rows_swallowed)$/);
  });
});

describe('two stray quotes that join two rows', () => {
  test.each([
    ['in the same column', 'po,desc,sku,qty', 'B,"3/4 nipple,S2,2\nC,1/2",S3,3'],
    ['before the quantity', 'po,sku,desc,qty', 'B,S2,"3/4 nipple,2\nC,S3,pipe 1/2",3'],
    ['in the SKU', 'po,sku,qty,note', 'B,"S2,2,x\nC,S3",3,y'],
    ['in different columns', 'po,desc,sku,qty', 'B,"3/4 nipple,S2,2\nC,pipe,S3",3'],
    ['in the last column and the first', 'po,sku,qty,note', 'B,S2,2,"x\nC",S3,3,y'],
    ['with a row between them', 'po,desc,sku,qty', 'B,"3/4 nipple,S2,2\nC,cap,S3,3\nD,1/2",S4,4'],
  ])('refuse the file, because one row would get values of the other: %s', async (_, header, lines) => {
    const refusal = refusalOf(await importBytes('a.csv', `${header}\nA,a,S1,1\n${lines}\nE,e,S5,5\n`));
    expect(refusal).toMatchObject({
      code: 'rows_swallowed',
      message: expect.stringMatching(/^Row 3 \(line 3\), column \d/),
    });
  });

  test.each([
    ['in the last column', 'P-3,S-3,2,"ok\nP-3,S-4,4"'],
    ['with another one', 'P-3,S-3,2,"ok\nP-4,S-4,4\nP-5,S-5,5"'],
    ['in the quantity', 'P-3,S-3,"2\nP-4",S-4,4'],
    ['in the first column', '"P-3,S-3,2\nP-4,S-4,3"'],
    ['of numbers only', '3001,10500,2,"ok\n3002,10600,4"'],
  ])('refuse the file, also if the rows are shorter than the header: %s', async (_, lines) => {
    const text = `po,sku,qty,note\nP-1,S-1,1,a\n${lines}\nP-9,S-9,5,e\n`;
    const refusal = refusalOf(await importBytes('a.csv', text));
    expect(refusal.code).toBe('rows_swallowed');
    expect(refusal.message).toMatch(/^Row 3 \(line 3\), column \d \("(?:po|sku|qty|note)"\), has a quoted/);
  });

  test.each([
    ['sizes', 'P-3,10500,2,"sizes\n12,14"'],
    ['a street', 'P-3,10500,2,"Dock 4, gate 2\nDock 5"'],
    ['numbers', '3001,10500,2,"call 5,\n12 or 14"'],
  ])('are not seen in a note of several lines: %s', async (_, line) => {
    const { rows, refusals } = await importBytes('a.csv', `po,sku,qty,note\nP-1,S-1,1,a\n${line}\n`);
    expect(refusals).toEqual([]);
    expect(rows).toHaveLength(2);
  });

  test.each([
    ['an address', 'B,"12 Main St, Apt 4\nUlm",S2,2'],
    ['a text with separators in its last line', 'B,"long\nred, green",S2,2'],
    ['one without separators', 'B,"long\nred",S2,2'],
  ])('are not seen in a value of several lines: %s', async (_, line) => {
    const { byPo } = await importBytes('a.csv', `po,desc,sku,qty\nA,a,S1,1\n${line}\nE,e,S5,5\n`);
    expect(byPo.B).toMatchObject([{ itemSku: 'S2', quantity: 2 }]);
  });
});

test('a file is read the same wherever its chunks end', () => {
  const text = 'a, "x ""y"" z",3/4"\n"q""", b"c,""\n5" , "d",e""f\n';
  const hideAll = (size: number) => {
    const quotes = createInnerQuotes(',', true);
    const parts: Buffer[] = [];
    for (let at = 0; at < text.length; at += size)
      parts.push(quotes.hide(Buffer.from(text.slice(at, at + size))));
    return Buffer.concat(parts).toString();
  };
  const whole = hideAll(text.length);
  expect(whole.replaceAll('\ufdd0', '#')).toBe('a, "x ""y"" z",3/4#\n"q""", b#c,""\n5# , "d",e##f\n');
  for (let size = 1; size < text.length; size += 1) expect(hideAll(size)).toBe(whole);
});

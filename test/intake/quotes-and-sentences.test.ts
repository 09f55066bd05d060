import { describe, expect, test } from 'vitest';
import { importBytes, refusalOf } from './support/import-file.ts';

const line = (row: { poNumber?: unknown; itemSku?: unknown; quantity?: unknown }) => [
  row.poNumber,
  row.itemSku,
  row.quantity,
];

describe('blanks around quoted values', () => {
  test.each<[string, string | Buffer]>([
    ['before the quote', 'po, sku, qty\n"PO-1", "A,1", 2\n"PO-1", "B", "3"\n'],
    ['after the quote', '"po" ,"sku" ,"qty"\n"PO-1" ,"A,1" , 2\n"PO-1" ,"B" ,"3" \n'],
    ['before the first value', 'po,sku,qty\n  "PO-1",   "A,1",2\n PO-1, B, 3\n'],
    ['with semicolons', 'po; sku; qty\n"PO-1"; "A,1"; 2\n"PO-1"; "B"; "3"\n'],
    ['with tabs', 'po\t sku\t qty\n"PO-1"\t "A,1"\t 2\n"PO-1"\t "B"\t "3"\n'],
    ['in UTF-16', Buffer.from('\ufeffpo, sku, qty\n"PO-1", "A,1", 2\n"PO-1", "B", "3"\n', 'utf16le')],
  ])('do not belong to them: %s', async (_, text) => {
    const { rows, refusals } = await importBytes('a.csv', text);
    expect(refusals).toEqual([]);
    expect(rows.map(line)).toEqual([
      ['PO-1', 'A,1', 2],
      ['PO-1', 'B', 3],
    ]);
  });

  test('do not belong to them where the blank ends a piece of the file and the quote begins the next', async () => {
    const above = 'po,sku,qty\nPO-1,S1,1\n';
    const filler = `PO-1,${'x'.repeat(65_536 - above.length - 'PO-1,,1\nPO-1, '.length)},1\n`;
    const { rows } = await importBytes('a.csv', `${above}${filler}PO-1, "A,1",2\n`);
    expect(rows.at(-1)).toMatchObject({ poNumber: 'PO-1', itemSku: 'A,1', quantity: 2 });
  });

  test('stay within them', async () => {
    const { rows } = await importBytes('a.csv', 'po,sku,qty,note\n"PO-1", "A 1",2, "say ""hi"" now"\n');
    expect(rows).toMatchObject([{ itemSku: 'A 1', note: 'say "hi" now' }]);
  });

  test.each([
    ['text after the quote', 'po,sku,qty\nA, "x" y,1\n'],
    ['a quote that is not closed', 'po,sku,qty\nA, "x,1\nB,y,2\n'],
  ])('do not let a broken quote pass: %s', async (_, text) => {
    const refusal = refusalOf(await importBytes('a.csv', text));
    expect(refusal.code).toBe('broken_quote');
    expect(refusal.message).toMatch(
      /^Row 2 \(line 2\), column 2 \("sku"\), .*If no value of the file is enclosed in quotes/,
    );
  });
});

describe('the sentence about a header', () => {
  test('names a handful of its columns and counts the others', async () => {
    const many = Array.from({ length: 60 }, (_, at) => `A long name of column ${at}`).join(',');
    const { message } = refusalOf(
      await importBytes('a.csv', `${many}\n${many.replaceAll(/[a-z]/gi, '1')}\n`),
    );
    expect(message).toMatch(/"A long name of column 7" and 52 more/);
    expect(message.length).toBeLessThan(700);
  });

  test.each(['sku,sku\nS1,S2\n', 'po,po,x\nA,B,C\n', 'qty,qty ordered,colour\n1,2,red\n'])(
    'never lacks nothing: %j',
    async (text) => {
      const { message } = refusalOf(await importBytes('a.csv', text));
      expect(message).not.toMatch(/: ?\.|mapped: *\./);
      expect(message).toMatch(/"(?:sku|po|qty)"/);
    },
  );
});

describe('a text file by another name', () => {
  test.each([
    ['tabs', 'a.xls', '\t'],
    ['tabs', 'a.txt', '\t'],
    ['commas', 'a.xls', ','],
    ['semicolons', 'a.XLS', ';'],
  ])('is read: %s in %s', async (_, name, delimiter) => {
    const text = [
      ['po', 'sku', 'qty'],
      ['A', '00501', '2'],
    ]
      .map((cells) => `${cells.join(delimiter)}\r\n`)
      .join('');
    const { rows, outcome } = await importBytes(name, text);
    expect(outcome).toMatchObject({ detection: { format: 'csv', delimiter } });
    expect(rows.map(line)).toEqual([['A', '00501', 2]]);
  });

  test.each([
    ['UNH', "UNB+UNOC:3+4012345+5412345+260503:1200+1'UNH+1+ORDERS:D:96A:UN'"],
    ['UNA', "UNA:+.? 'UNB+UNOC:3+4012345+5412345+260503:1200+1'"],
    [
      'X12',
      `ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260503*1200*U*00401*000000001*0*P*>~GS*PO~`,
    ],
  ])('is named if it is an EDI message: %s', async (_, text) => {
    const refusal = refusalOf(await importBytes('a.txt', text));
    expect(refusal).toMatchObject({
      code: 'not_a_purchase_file',
      message: expect.stringMatching(/EDI message/),
    });
  });
});

import { describe, expect, test } from 'vitest';
import { importBytes } from '../support/import-file.ts';

/** Cells of 16 KiB that cause quadratic backtracking in a careless pattern. */
const cells = {
  'small letters': 'x'.repeat(16_384),
  capitals: 'X'.repeat(16_384),
  digits: '9'.repeat(16_384),
  blanks: `a${' '.repeat(16_382)}a`,
  words: 'ab '.repeat(5_461),
  'digits with dots': '1.'.repeat(8_192),
  'digits with commas': '1,'.repeat(8_192),
  'parts of a compound': 'bestell'.repeat(2_340),
  signs: '#/:.'.repeat(4_096),
  Chinese: '注文'.repeat(8_192),
};

describe('looking for the meaning of columns ends soon', () => {
  test.each(Object.entries(cells))('with values of %s', async (_, cell) => {
    const row = `"${cell}","${cell}","${cell}","${cell}"\n`;
    const { outcome } = await importBytes('a.csv', `PO Number,Item,Qty,Price\n${row.repeat(70)}`);
    expect(['read', 'refused']).toContain(outcome.kind);
  });

  test.each(Object.entries(cells))('with headers of %s', async (_, cell) => {
    const header = `PO Number,SKU,Qty,"${cell}","${cell}x"\n`;
    const { outcome } = await importBytes('a.csv', `${header}${'PO-1,A-1,2,x,y\n'.repeat(70)}`);
    expect(['read', 'refused']).toContain(outcome.kind);
  });

  test.each(['PO Number,SKU,Qty', 'Bestellnr,Artikel,Menge', 'a,b,c'])(
    'with 16,384 columns: %s',
    async (header) => {
      const wide = (cell: string) => `,${Array.from({ length: 16_381 }, () => cell).join()}\n`;
      const { outcome } = await importBytes(
        'a.csv',
        `${header}${wide('Qty 2')}${`PO-1,A-1,2${wide('7')}`.repeat(70)}`,
      );
      expect(['read', 'refused']).toContain(outcome.kind);
    },
  );
});

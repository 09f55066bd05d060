import { describe, expect, test } from 'vitest';
import { importBytes, ordersOf } from '../support/import-file.ts';

const quantities = (imported: Awaited<ReturnType<typeof importBytes>>) =>
  ordersOf(imported).map(({ poNumber, lines }) => [
    poNumber,
    ...lines.map(({ sku, quantity }) => `${quantity} × ${sku}`),
  ]);

/** Whether it keeps the PO from being ordered before a person has seen the row. */
const stops = ({ severity, code }: { severity: string; code: string }) =>
  severity === 'issue' || code === 'question';

describe('a row with a PO number, an item and a quantity is a line, whatever else it says', () => {
  test.each([
    ['a brand called Total', 'Brand,PO Number,SKU,Qty', 'Total,PO-1,TQ-5W30,12', 'Mobil,PO-1,M-1,3'],
    ['the sum of what is above it', 'Brand,PO Number,SKU,Qty', 'Mobil,PO-1,M-1,12', 'Total,PO-1,TQ-5W30,12'],
    ['a shop in the first column', 'Shop,PO Number,SKU,Qty', 'Summe,PO-1,A-1,2', 'North,PO-1,A-2,3'],
    [
      'a row that lacks its last cell',
      'Brand,PO Number,SKU,Qty,Colour',
      'Total,PO-1,TQ-5W30,12,',
      'Mobil,PO-1,M-1,3,red',
    ],
  ])('%s', async (_, header, one, other) => {
    const imported = await importBytes('a.csv', `${header}\n${one}\n${other}\n`);
    expect(imported.refusals).toEqual([]);
    expect(quantities(imported)).toEqual([
      [
        'PO-1',
        ...[one, other].map((row) => row.split(',')).map(([, , sku, quantity]) => `${quantity} × ${sku}`),
      ],
    ]);
  });

  test('one that continues the PO above, too, also if its quantity is the sum', async () => {
    const file = 'PO Number,Make,Item,Qty\nPO-1,Mobil,M-1,2\n,Mobil,M-2,3\n,Total,M-3,5\nPO-2,Mobil,M-1,2\n';
    const imported = await importBytes('a.csv', file, { continuationRows: true });
    expect(imported.refusals).toEqual([]);
    expect(quantities(imported)).toEqual([
      ['PO-1', '2 × M-1', '3 × M-2', '5 × M-3'],
      ['PO-2', '2 × M-1'],
    ]);
  });

  test('also one that lacks cells: it is named and its PO is not ordered, but never skipped as a total', async () => {
    const file = 'Brand,PO Number,SKU,Qty,Colour\nMobil,PO-1,M-1,3,red\nTotal,PO-1,TQ-5W30,12\n';
    const imported = await importBytes('a.csv', file);
    expect(imported.issues.filter(({ code }) => code === 'totals_row')).toEqual([]);
    const ordered = quantities(imported).flat();
    expect(
      ordered.includes('12 × TQ-5W30') || imported.refusals.some(({ poNumber }) => poNumber === 'PO-1'),
    ).toBe(true);
  });
});

describe('a row that begins with a totals word and could not be a line', () => {
  const file = (last: string) => `Brand,PO Number,SKU,Qty\nMobil,PO-1,M-1,3\nShell,PO-1,S-1,4\n${last}\n`;

  test.each(['Total,,,7', 'Total,,,', 'TOTAL:,PO-1,,7'])(
    '%s is left out, because it has no quantity or the sum',
    async (row) => {
      const imported = await importBytes('a.csv', file(row));
      expect(imported.refusals).toEqual([]);
      expect(imported.issues).toMatchObject([{ code: 'totals_row', rowNumber: 4 }]);
      expect(quantities(imported)).toEqual([['PO-1', '3 × M-1', '4 × S-1']]);
    },
  );

  test.each([
    ['Total,,,9', 'a quantity that is no sum, without an item'],
    ['Total,,TQ-5W30,', 'an item without a quantity'],
    ['Total,PO-1,TQ-5W30,', 'an item of the PO without a quantity'],
    ['Total,PO-1,,9', 'a quantity of the PO without an item'],
  ])('%s is never only a note: %s', async (row) => {
    const { refusals } = await importBytes('a.csv', file(row));
    expect(refusals).toMatchObject([{ rowNumber: 4, poNumber: 'PO-1' }]);
  });

  test.each(['Total,PO-2,,7', ',PO-2,Total,7', ',PO-2,Total,'])(
    '%s is never left out, because no line of its PO is above it: a PO does not vanish as a total of others',
    async (row) => {
      const { issues } = await importBytes('a.csv', file(row));
      expect(issues[0]).toMatchObject({ rowNumber: 4, poNumber: 'PO-2' });
      expect(issues.every(stops)).toBe(true);
      expect(new Set(issues.map(({ poNumber }) => poNumber))).toEqual(new Set(['PO-2']));
    },
  );

  test.each(['Total,PO-2,,12', ',PO-2,Total,12'])(
    '%s is never left out, because its quantity is the sum of the file and not of the PO that it names',
    async (row) => {
      const { issues } = await importBytes('a.csv', file(`Shell,PO-2,S-1,5\n${row}`));
      expect(issues).toMatchObject([{ rowNumber: 5, poNumber: 'PO-2' }]);
      expect(issues.every(stops)).toBe(true);
    },
  );

  test('is quoted where it says so', async () => {
    const { issues } = await importBytes('a.csv', 'PO Number,SKU,Qty\nPO-1,M-1,3\nPO-1,Total,3\n');
    expect(issues[0]!.message).toBe('Not ordered: it looks like a total ("Total" in SKU).');
  });

  test('is left out where a quantity above it cannot be read, so that nobody knows the sum', async () => {
    const text = 'Brand,PO Number,SKU,Qty\nMobil,PO-1,M-1,x\nShell,PO-2,S-1,4\nTotal,,,7\n';
    const { refusals } = await importBytes('a.csv', text);
    expect(refusals.map(({ poNumber }) => poNumber)).toEqual(['PO-1']);
  });

  test('of two totals, the second may sum up what comes after the first', async () => {
    const imported = await importBytes(
      'a.csv',
      `${file('Total,,,7')}Mobil,PO-1,M-2,5\nTotal,,,5\nTotal,,,12\n`,
    );
    expect(imported.refusals).toEqual([]);
    expect(imported.issues.map(({ code }) => code)).toEqual(['totals_row', 'totals_row', 'totals_row']);
  });
});

test('a quantity without a PO number and an item, and without a word, is left out only as a sum', async () => {
  const file = (last: string) => `PO Number,SKU,Qty\nPO-1,M-1,3\nPO-1,S-1,4\n${last}\n`;
  expect((await importBytes('a.csv', file(',,7'))).refusals).toEqual([]);
  expect((await importBytes('a.csv', file(',,9'))).refusals).toMatchObject([
    { rowNumber: 4, poNumber: 'PO-1' },
  ]);
});

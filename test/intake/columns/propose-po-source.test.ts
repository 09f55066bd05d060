import { describe, expect, test } from 'vitest';
import { proposePoSource } from '../../../src/intake/layouts/propose/propose-po-source.ts';
import { defaultIntakeOptions } from '../../support/default-intake-options.ts';

const proposed = (
  { fileName = 'orders.csv', above = [] }: { fileName?: string; above?: string[][] },
  options = {},
) =>
  proposePoSource(
    {
      fileName,
      sheet: undefined,
      rowsAbove: above.map((cells, at) => ({ rowNumber: at + 1, cells })),
    },
    { ...defaultIntakeOptions, ...options },
  );

describe('the PO number of a file without such a column', () => {
  test.each([
    ['beside its label', [['PO Number', '', '4711']]],
    ['inside the cell', [['Acme Ltd'], ['Purchase Order: 4711']]],
    ['below its label', [['Order No'], ['4711']]],
    [
      'beside a better name than the others',
      [
        ['Order ID', 'A-99'],
        ['PO #', '4711'],
      ],
    ],
  ])('is proposed from a cell: %s', (_, above) => {
    expect(proposed({ above })).toMatchObject({ poNumber: '4711', certain: true });
  });

  test.each([
    [
      'two labels of one kind with different numbers',
      [
        ['PO Number', '4711'],
        ['PO No', '4712'],
      ],
    ],
    ['a date', [['Order Number', '2026-03-01']]],
    ['a word', [['Purchase Order', 'Draft']]],
    ['the long ID of a record', [['Order ID', '1d30b046-328e-4bda-b102-a06d26599065']]],
    [
      'the number of something else',
      [
        ['Invoice Number', '4711'],
        ['Vendor', '4711'],
      ],
    ],
    ['nothing', []],
  ])('is not proposed from %s', (_, above) => {
    expect(proposed({ above })).toBeUndefined();
  });

  test.each([
    ['PO-88213.csv', 'PO-88213', '{po}'],
    ['PO 88213.xlsx', '88213', 'PO {po}'],
    ['Bestellung B-4711.csv', 'B-4711', 'Bestellung {po}'],
    ['Purchase Order 4711.csv', '4711', 'Purchase Order {po}'],
    ['commande_2026117.csv', '2026117', 'commande_{po}'],
  ])('is proposed from the name %s, to be confirmed', (fileName, poNumber, pattern) => {
    expect(proposed({ fileName })).toMatchObject({ poNumber, certain: false, from: { fileName: pattern } });
  });

  test.each([
    'orders.csv',
    'export_1.csv',
    'Bestellung 2026-03-01.csv',
    'order_20260301.csv',
    'invoice 4711.csv',
    'PO.csv',
    'stock 88213.csv',
    'order lines 88213 final.csv',
  ])('is not proposed from the name %s', (fileName) => {
    expect(proposed({ fileName })).toBeUndefined();
  });

  test('is where the account says, and nowhere else', () => {
    const options = { poNumberFrom: { cell: 'Job' } };
    expect(
      proposed(
        {
          above: [
            ['Job', 'J-7'],
            ['PO Number', '4711'],
          ],
        },
        options,
      )?.poNumber,
    ).toBe('J-7');
    expect(proposed({ above: [['PO Number', '4711']] }, options)).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { chooseTable } from '../../src/intake/chosen-table.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import type { Table } from '../../src/intake/types.ts';

const options = intakeOptionsSchema.parse({});
const sheet = (name: string, rows: string[][], hidden = false): Table => ({
  name,
  hidden,
  head: rows.map((cells, at) => ({ rowNumber: at + 1, cells })),
});
const cover = sheet('Cover', [
  ['ACME Ltd'],
  ['Purchase orders of May'],
  ['PO Number', '4711'],
  ['Contact', 'Ann', 'ann@example.com'],
]);
const header = ['PO Number', 'SKU', 'Qty'];
const orders = sheet('Orders', [header, ['A', 'S1', '1']]);
const unknown = sheet('Zeilen', [
  ['Best.-Nr', 'Ware', 'Anz'],
  ['A', 'S1', '1'],
  ['A', 'S2', '1'],
]);

const choose = (...tables: Table[]) => chooseTable({ format: 'xlsx', tables }, options, 'a.xlsx').table.name;
const refusal = (...tables: Table[]) => {
  try {
    return `chosen: ${choose(...tables)}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('of several sheets', () => {
  test.each([
    ['a cover above it', [cover, orders]],
    ['a cover below it', [orders, cover]],
    ['an empty form of the same columns', [sheet('Form', [header]), orders]],
    ['a hidden sheet of the same columns', [sheet('Old', [header, ['B', 'S1', '1']], true), orders]],
    [
      'a sheet of notes and one without rows',
      [sheet('Notes', [['read'], ['me']]), sheet('Empty', []), orders],
    ],
  ])('the one with the orders is read: %s', (_, tables) => {
    expect(choose(...tables)).toBe('Orders');
  });

  test('two with orders are a choice, and both are named', () => {
    const second = sheet('June', [header, ['B', 'S1', '1']]);
    expect(refusal(cover, orders, second, sheet('Form', [header]))).toMatch(/"Orders", "June"\./);
  });

  test('of many that could hold them only the first are named', () => {
    const many = Array.from({ length: 40 }, (_, at) => sheet(`Table ${at + 1}`, [header, ['A', 'S1', '1']]));
    expect(refusal(...many)).toMatch(/"Table 8" and 32 more\./);
  });

  test('without needed columns the table is spoken about, not its cover, and the others are named', () => {
    const message = refusal(sheet('Title', [['ACME'], ['May']]), unknown);
    expect(message).toMatch(/^Sheet "Zeilen".*"Best\.-Nr"/);
    expect(message).toMatch(/also has the sheet "Title"/);
  });

  test('a hidden one that fits alone is not ordered unseen, but the account may ask for it', () => {
    const old = sheet('Old', [header, ['B', 'S1', '99']], true);
    expect(refusal(sheet('Notes', [['read'], ['me']]), old)).toMatch(/"Old", is hidden.*unhide/);
    const asked = chooseTable(
      { format: 'xlsx', tables: [cover, old] },
      { ...options, sheet: 'Old' },
      'a.xlsx',
    );
    expect(asked.table.name).toBe('Old');
  });
});

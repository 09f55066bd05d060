import { describe, expect, test } from 'vitest';
import { importBytes } from './support/import-file.ts';

/** A file of two POs whose last column has these values, one for each of four rows. */
const fileWith = (header: string, values: readonly string[]) =>
  `PO,SKU,Qty,${header}\n${values.map((value, at) => `${at < 2 ? 'A' : 'B'},S${at},1,${value}\n`).join('')}`;

const readColumn = async (header: string, values: readonly string[], columns: object = {}) => {
  const imported = await importBytes('a.csv', fileWith(header, values), { columns: columns as never });
  if (imported.outcome.kind === 'refused') throw new Error(imported.outcome.message);
  const { detection } = imported.outcome;
  return {
    ...imported,
    field: detection.columns.at(-1)!.field,
    decisions: detection.decisions.map(({ decided, why }) => `${decided}: ${why}`).join('\n'),
  };
};

describe('a column whose header can also belong to the item', () => {
  const perLine: [string, string[]][] = [
    ['Description', ['Brake pad', 'Oil filter', 'Rotor', 'Rotor']],
    ['description', ['same', 'same', 'same', 'same']],
    ['Warehouse', ['GA', 'TX', 'GA', 'GA']],
    ['Whse', ['01', '01', '02', '02']],
    ['Payment Method', ['Net 30', 'Net 30', 'Net 30', 'Net 30']],
    ['Shipping Method', ['BEST', 'UP1D', 'BEST', 'BEST']],
    ['Ship Method', ['UPS Ground', 'UPS Ground', '', '']],
    ['Comments', ['left', 'right', '', '']],
  ];
  test.each(perLine)(
    '%s with the values %j is no cart option, and the file says why',
    async (header, values) => {
      const { rows, refusals, field, decisions } = await readColumn(header, values);
      expect(refusals).toEqual([]);
      expect(rows.map(({ options }) => options)).toEqual(['{}', '{}', '{}', '{}']);
      expect(field).toBeNull();
      expect(decisions).toContain(`"${header}" is not read as `);
      expect(decisions).toMatch(new RegExp(`ignored .*"${header}"`));
    },
  );

  const perOrder: [string, string[], string][] = [
    ['Warehouse', ['GA', 'GA', 'tx', ''], 'default_warehouse'],
    // A mistake in one row does not switch the column off; the row is refused.
    ['Warehouse', ['GA', '', '01', ''], 'default_warehouse'],
    ['Payment Method', ['CC', 'CC', 'OO', 'OO'], 'pay_type'],
    ['Shipping Method', ['', '', '', 'UP1D'], 'ship_via'],
    ['Comments', ['call first', 'call first', 'dock 4', ''], 'comment1'],
    ['Order Description', ['spring', 'summer', 'autumn', 'winter'], 'description'],
    ['Default Warehouse', ['GA', 'TX', '01', '02'], 'default_warehouse'],
    ['ship_via', ['BEST', 'UP1D', 'x', 'y'], 'ship_via'],
  ];
  test.each(perOrder)('%s with the values %j is the option', async (header, values, field) => {
    expect((await readColumn(header, values)).field).toBe(field);
  });

  test.each(perLine)('%s that the account maps is always the option', async (header, values) => {
    const mapped = await readColumn(header, values, { [header]: 'comment2' });
    expect(mapped.field).toBe('comment2');
    const { rows } = mapped;
    expect(rows[0]!.options).toContain(values[0]);
  });
});

import { describe, expect, test } from 'vitest';
import { answerColumns } from '../../src/intake/own-columns.ts';
import { importBytes, refusalOf } from './support/import-file.ts';

const options = { headerRows: 2 } as const;
const optionsOf = async (text: string, more: object = {}) => {
  const imported = await importBytes('a.csv', text, { ...options, ...more });
  if (imported.outcome.kind === 'refused') throw new Error(imported.outcome.message);
  const { detection } = imported.outcome;
  return { ...imported, detection, first: JSON.parse(imported.rows[0]!.options) };
};

describe('a header of two rows', () => {
  test('is read as the upper text and the lower one, and an address keeps its own', async () => {
    const text =
      'Export\n,,,Ship To,,Bill To,\nPO,SKU,Qty,Name,City,Name,City\nA,S1,3,Ann,Ulm,Bob,Rom\n'.replace(
        'Export\n',
        'Export,,,,,,\n',
      );
    const { first, rows, detection } = await optionsOf(text);
    expect(rows).toMatchObject([{ poNumber: 'A', itemSku: 'S1', quantity: 3 }]);
    expect(first).toEqual({ ship_name: 'Ann', ship_city: 'Ulm' });
    expect(detection).toMatchObject({ headerRow: 3 });
    expect(detection.columns.map(({ header }) => header).slice(3)).toEqual([
      'Ship To Name',
      'Ship To City',
      'Bill To Name',
      'Bill To City',
    ]);
    expect(detection.decisions).toContainEqual(expect.objectContaining({ decided: 'rows 2 and 3' }));
  });

  test('is mapped by both texts together', async () => {
    const columns = { 'Ordered Qty': 'quantity', 'Shipped Qty': 'ignore' };
    const { rows } = await optionsOf(',,Ordered,Shipped\nPO,SKU,Qty,Qty\nA,S1,3,1\n', { columns });
    expect(rows).toMatchObject([{ quantity: 3 }]);
  });

  test('is refused in the words of both rows', async () => {
    const { message } = refusalOf(
      await importBytes('a.csv', ',,Shipped,\nPO,SKU,Qty,Balance\nA,S1,3,1\nB,S2,4,2\n', options),
    );
    expect(message).toContain('It has "PO", "SKU", "Shipped Qty", "Shipped Balance".');
    expect(message).not.toContain('"Qty" as quantity');
  });

  test('is never read by its lower row alone', async () => {
    const refusal = refusalOf(
      await importBytes('a.csv', ',,Shipped,\nPO,SKU,Date,Qty\nA,S1,1 May,3\n', options),
    );
    expect(refusal.code).toBe('columns_missing');
  });

  test('comes back in a result file with whole texts in the lower row, and our columns are still ours', async () => {
    const ours = answerColumns.map(({ header }) => header);
    const text = `,,,Ship To,${',x'.repeat(ours.length).replaceAll('x', '')}\nPO,SKU,Qty,Ship To Name,Ship To City,${ours}\nA,S1,3,Ann,Ulm${',x'.repeat(ours.length)}\n`;
    const { first, detection } = await optionsOf(text);
    expect(first).toEqual({ ship_name: 'Ann', ship_city: 'Ulm' });
    expect(detection.columns.slice(5).map(({ header }) => header)).toEqual(ours);
  });
});

describe('a row of names below a header that has columns for several', () => {
  const lines = 'P-1,A-1,5,3\nP-1,A-2,4,2\n';
  const ordered = [
    { poNumber: 'P-1', itemSku: 'A-1', quantity: 5 },
    { poNumber: 'P-1', itemSku: 'A-2', quantity: 4 },
  ];

  describe.each([{}, options])('with %o', (more) => {
    test.each([
      ['below one name and a blank cell', 'PO Number,SKU,Qty,\n,,Ordered,Shipped\n'],
      ['below the same name twice', 'PO Number,SKU,Qty,Qty\n,,Ordered,Shipped\n'],
      ['below several columns', 'PO Number,Item,Qty,\n,SKU,Ordered,Received\n'],
      ['below a merged cell', 'PO Number,SKU,Qty,\nPO Number,SKU,Ordered,Open\n'],
    ])('is read together with it: %s', async (_, header) => {
      const { rows, refusals } = await importBytes('a.csv', header + lines, more);
      expect(refusals).toEqual([]);
      expect(rows).toMatchObject(ordered);
    });

    test.each([
      ['PO Number,SKU,Qty,\n,,Shipped,Open\n', '"Qty Shipped", "Qty Open"'],
      ['PO Number,SKU,Qty,Qty\n,,Delivered,Invoiced\n', '"Qty Delivered", "Qty Invoiced"'],
      ['PO Number,SKU,Qty,\n,,Stock,\n', '"Qty Stock"'],
    ])('names both rows if no column is the quantity: %s', async (header, names) => {
      const refusal = refusalOf(await importBytes('a.csv', header + lines, more));
      expect(refusal.code).toBe('header_two_rows');
      expect(refusal.message).toMatch(/^Rows 1 and 2 are a header of two rows.*intake\.headerRows: 2/);
      expect(refusal.message).toContain(names);
    });
  });

  test('a quantity that was shipped stays one, wherever its name is', async () => {
    const refusal = refusalOf(await importBytes('a.csv', `,,Shipped,\nPO,SKU,Qty,Balance\n${lines}`));
    expect(refusal.code).toBe('header_two_rows');
    expect(refusal.message).toContain('Row 1 has "Shipped" above "Qty" of row 2');
    const mapped = await importBytes('a.csv', `,,Shipped,\nPO,SKU,Qty,Balance\n${lines}`, {
      columns: { Qty: 'quantity' },
    });
    expect(mapped.rows).toMatchObject(ordered);
  });

  test.each([
    ['a unit', 'PO Number,SKU,Qty,\n,,pcs,\n'],
    ['a total', 'PO Number,SKU,Qty,\n,,Total,\n'],
    ['a text', 'PO Number,SKU,Qty,Notes\n,,,Please call\n'],
  ])('%s below a header is no part of it', async (_, header) => {
    const { outcome } = await importBytes('a.csv', `${header}P-1,A-1,5,red\n`);
    expect(outcome).toMatchObject({ kind: 'read', detection: { headerRow: 1 } });
  });
});

describe('names of states', () => {
  const file = (state: string) => `PO,SKU,Qty,Ship State\nA,S1,3,${state}\n`;
  test.each([
    ['California', 'CA'],
    ['NEW  YORK', 'NY'],
    ['québec', 'QC'],
    ['tx', 'tx'],
  ])('%s is %s if the account converts them', async (name, code) => {
    const converting = { stateNames: 'convert' };
    const { refusals, first, detection } = await optionsOf(file(name), converting);
    expect(refusals).toEqual([]);
    expect(first).toEqual({ ship_state: code });
    const decision = detection.decisions.find(({ what }) => what === 'states');
    expect(decision?.why).toEqual(name === code ? undefined : expect.stringContaining(`"${name}" → ${code}`));
  });

  test('a name is refused with its code if the account does not', async () => {
    const { refusals } = await optionsOf(file('California'));
    expect(refusals).toMatchObject([
      { code: 'state_name', message: expect.stringContaining('(CA), or set') },
    ]);
  });

  test('a name that is no state is refused', async () => {
    const { refusals } = await optionsOf(file('Bayern'), { stateNames: 'convert' });
    expect(refusals).toHaveLength(1);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  cartOptionFields,
  poNumber,
  specCodeLists,
  whyPoNumberIsUnusable,
} from '../../../src/contract/carts.ts';
import { itemFields } from '../../../src/contract/items.ts';
import { type FieldName, fieldNames, fields } from '../../../src/intake/columns/fields.ts';
import { maxQuantity } from '../../../src/intake/options.ts';
import { compileRules } from '../../../src/intake/rows/compile-rules.ts';
import { defaultIntakeOptions } from '../../support/default-intake-options.ts';
import { importBytes } from '../support/import-file.ts';

const rules = compileRules(defaultIntakeOptions, specCodeLists, false);
const schemas = { ...itemFields, ...cartOptionFields() } as Partial<Record<FieldName, z.ZodType>>;

/** Texts around every limit, of ASCII and beyond. */
const texts = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.integer({ min: 1, max: 60 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 60 }).map((length) => '😀'.repeat(length)),
  fc.constantFrom('GA', 'tx', 'BEST', 'best', 'CC', 'oo', 'ZZ', '0042', '42', '1', '0', '-1', '007'),
  fc.integer({ min: -5, max: 1_000_001 }).map(String),
  fc.integer({ min: 0, max: 99999 }).map((number) => String(number).padStart(5, '0')),
);

describe('the quick rules match the contract', () => {
  const judged = fieldNames.filter((name) => schemas[name]);
  test.each(judged)('%s: accepts only what the contract accepts, and refuses what it refuses', (name) => {
    fc.assert(
      fc.property(texts, (text) => {
        const value = rules[name](text);
        const accepted = typeof value !== 'object';
        const { kind } = fields[name];
        if (accepted) {
          const sent = kind === 'last_four' ? Number(value) : value;
          expect(schemas[name]!.safeParse(sent).success).toBe(true);
        } else if (kind === 'text') {
          // The only additional refusal is for control characters.
          const isControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
          expect(isControl || !schemas[name]!.safeParse(text).success).toBe(true);
        } else if (kind === 'quantity' && /^[1-9]\d*$/.test(text)) {
          expect(Number(text)).toBeGreaterThan(maxQuantity);
        } else if (kind === 'code') {
          expect(schemas[name]!.safeParse(text).success).toBe(false);
        }
      }),
      { seed: 20261120, numRuns: 400 },
    );
  });

  test('po_number: what is accepted is usable in a web address and accepted by the contract', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const value = rules.po_number(text);
        const good = whyPoNumberIsUnusable(text) === undefined && poNumber.safeParse(text).success;
        expect(typeof value !== 'object').toBe(good);
      }),
      { seed: 20261120, numRuns: 1000 },
    );
  });
});

describe('the rows of a file', () => {
  test('both an item_sku and an item_id are refused (spec 4.3)', async () => {
    const { refusals } = await importBytes('a.csv', 'po,sku,item id,qty\nA,S1,7,1\nA,,8,1\n');
    expect(refusals).toMatchObject([{ rowNumber: 2, code: 'one_of' }]);
  });

  test('a row without item and one without quantity are issues of their PO', async () => {
    const { refusals } = await importBytes('a.csv', 'po,sku,qty\nA,,1\nB,S1,\n');
    expect(refusals).toMatchObject([
      { rowNumber: 2, poNumber: 'A', code: 'item_missing' },
      { rowNumber: 3, poNumber: 'B', code: 'quantity_missing' },
    ]);
  });

  test('equal options on the rows of a PO are checked once and reported for each row', async () => {
    const { refusals, rows } = await importBytes(
      'a.csv',
      'po,ship to,sku,qty\nA,123,S1,1\nA,123,S2,1\nB,0000123,S1,1\n',
    );
    expect(refusals.map((issue) => issue.rowNumber)).toEqual([2, 3]);
    expect(rows[2]!.options).toBe('{"ship_to": "0000123"}');
  });

  test.each(['TOTAL', 'Grand Total:', 'total', 'Sub-Total'])(
    'a row that begins with %s is skipped with a note',
    async (word) => {
      const { rows, issues } = await importBytes('a.csv', `po,sku,qty\nA,S1,1\n${word},2 lines,1\n`);
      expect(rows).toHaveLength(1);
      expect(issues).toMatchObject([{ rowNumber: 3, severity: 'note', code: 'totals_row' }]);
    },
  );

  test('a subtotal of a spreadsheet (PO Total) is skipped, a PO of that name with items is asked about', async () => {
    const { byPo, issues } = await importBytes('a.csv', 'po,sku,qty\nA,S1,1\nA Total,,1\nB Total,S1,1\n');
    expect(Object.keys(byPo)).toEqual(['A', 'B Total']);
    expect(issues).toMatchObject([
      { rowNumber: 3, code: 'totals_row' },
      { rowNumber: 4, code: 'question' },
    ]);
  });

  test('a repeated header is skipped with a note', async () => {
    const { rows, issues } = await importBytes('a.csv', 'po,sku,qty\nA,S1,1\npo,sku,qty\nB,S1,1\n');
    expect(rows.map((row) => row.poNumber)).toEqual(['A', 'B']);
    expect(issues).toMatchObject([{ rowNumber: 3, code: 'header_again' }]);
  });

  test('a row without PO and item is skipped with a note', async () => {
    const { issues, rows } = await importBytes(
      'a.csv',
      'po,sku,qty,remark\nA,S1,1,\n,,1,\n,,,printed by me\n',
    );
    expect(rows).toHaveLength(1);
    expect(issues.map((issue) => [issue.rowNumber, issue.severity, issue.code])).toEqual([
      [3, 'note', 'no_order_row'],
      [4, 'note', 'no_order_row'],
    ]);
  });

  test('an item row without PO before any PO is an issue of no PO, and kept', async () => {
    const { refusals, rows } = await importBytes('a.csv', 'po,sku,qty\n,S1,1\nA,S1,1\n');
    expect(refusals).toMatchObject([{ rowNumber: 2, poNumber: undefined, code: 'po_missing' }]);
    expect(rows.map(({ rowNumber, poNumber }) => [rowNumber, poNumber]).sort()).toEqual([
      [2, undefined],
      [3, 'A'],
    ]);
  });

  test('continuation: a heading row gives its options to the rows below it', async () => {
    const text = 'po,ship name,sku,qty\nA,Ann,,\n,,S1,1\n,,S2,2\nB,Bob,,\n,,S3,3\n';
    const { byPo, issues } = await importBytes('a.csv', text, { continuationRows: true });
    expect(issues).toEqual([]);
    expect(byPo.A!.map((row) => [row.rowNumber, row.itemSku, row.options])).toEqual([
      [3, 'S1', '{"ship_name": "Ann"}'],
      [4, 'S2', '{}'],
    ]);
    expect(byPo.B!.map((row) => row.options)).toEqual(['{"ship_name": "Bob"}']);
  });

  test('continuation: a heading without items, and one that its first row contradicts, are issues', async () => {
    const text = 'po,ship name,sku,qty\nA,Ann,,\nB,Bob,,\n,Eve,S3,3\n';
    const { refusals } = await importBytes('a.csv', text, { continuationRows: true });
    expect(refusals.map((issue) => [issue.rowNumber, issue.poNumber, issue.code])).toEqual([
      [2, 'A', 'item_missing'],
      [4, 'B', 'option_conflict'],
    ]);
  });

  test('continuation: a row with a quantity and no item is an issue of the PO above, and no total', async () => {
    const { refusals } = await importBytes('a.csv', 'po,sku,qty\nA,S1,1\n,,4\n', { continuationRows: true });
    expect(refusals).toMatchObject([{ rowNumber: 3, poNumber: 'A', code: 'item_missing' }]);
  });
});

describe('columns', () => {
  test('an account map goes before aliases, and can set columns aside', async () => {
    const text = 'Order,PO,Item,Qty,Open Qty\nA,x,S1,1,9\n';
    const { byPo } = await importBytes('a.csv', text, {
      columns: { order: 'po_number', PO: 'ignore', 'open qty': 'quantity' },
    });
    expect(byPo.A).toMatchObject([{ quantity: 9, itemSku: 'S1' }]);
  });

  test('constants replace columns', async () => {
    const { byPo } = await importBytes('a.csv', 'sku,qty\nS1,1\nS2,2\n', {
      constants: { po_number: 'SPRING-26' },
    });
    expect(byPo['SPRING-26']).toHaveLength(2);
  });

  test('leading rows can be skipped and the header row named', async () => {
    const text = 'po,sku,qty\nold,S1,1\npo,sku,qty\nnew,S1,1\n';
    expect(Object.keys((await importBytes('a.csv', text, { skipRows: 2 })).byPo)).toEqual(['new']);
    expect(Object.keys((await importBytes('a.csv', text, { header: 3 })).byPo)).toEqual(['new']);
  });

  test('warehouses and ship codes of the account are accepted in addition to those of the spec', async () => {
    const lists = { warehouses: ['GA', 'NV'], cartShipCodes: ['BEST', 'XX1'] };
    const text = 'po,default_warehouse,ship via,sku,qty\nA,nv,XX1,S1,1\nB,TX,BEST,S1,1\n';
    const { rows, refusals } = await importBytes('a.csv', text, {}, { codeLists: lists });
    expect(rows[0]!.options).toBe('{"ship_via": "XX1", "default_warehouse": "NV"}');
    expect(refusals).toMatchObject([
      { rowNumber: 3, column: 'default_warehouse', found: 'TX', expected: 'one of GA, NV' },
    ]);
  });
});

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { FieldName } from '../../src/intake/columns/fields.ts';
import { importFile, refusalOf } from './support/import-file.ts';

interface Expectation {
  delimiter?: string;
  encoding?: string;
  /** Counts from 0. */
  headerRow?: number;
  itemRows?: number;
  pos?: Record<string, number>;
  outcome: string;
}

const folder = new URL('../fixtures/dealer-files/', import.meta.url);
const expectations = JSON.parse(await readFile(new URL('EXPECT.json', folder), 'utf8')) as Record<
  string,
  Expectation
>;
/** Mappings that somebody agreed to for files with ambiguous column names. */
const agreed: Record<string, { columns: Record<string, FieldName> }> = {
  'header_variants.csv': { columns: { St: 'ship_state', 'Zip Code': 'ship_zip' } },
};
const importFixture = (name: string) =>
  importFile(new URL(name, folder).pathname, agreed[name] ?? {}, { fileName: name });

/** POs that are rejected for an issue. */
const keptBack: Record<string, string[]> = {
  'bad_quantities.csv': ['PO-1001'],
  // The conflict of its two ship_name values is found when the PO is grouped; see the staging tests.
  'conflicting_header_fields.csv': [],
  'error_cells.xlsx': ['PO-1001'],
  'numeric_zeros_lost.xlsx': ['0002002', 'PO-1001', 'PO/3 003'],
  'too_long_fields.csv': ['PO-9'],
};

const refusals: Record<string, { code: string; says: RegExp }> = {
  'duplicate_header.csv': { code: 'columns_ambiguous', says: /2 columns are named "quantity"/ },
  'nul_bytes.csv': { code: 'nul_byte', says: /Line 6 / },
  'truncated.xlsx': { code: 'damaged_workbook', says: /incomplete/ },
  'unclosed_quote.csv': { code: 'broken_quote', says: /line 10/ },
};

describe('dealer files are read as expected', () => {
  test.each(Object.entries(expectations))('%s', async (name, expected) => {
    const imported = await importFixture(name);
    if (expected.outcome.startsWith('refused')) {
      const { code, message } = refusalOf(imported);
      expect(code).toBe(refusals[name]!.code);
      expect(message).toMatch(refusals[name]!.says);
      return;
    }
    const { outcome, byPo, refusals: found } = imported;
    if (outcome.kind !== 'read') throw new Error(outcome.message);
    const { detection } = outcome;
    expect(detection.headerRow).toBe(expected.headerRow! + 1);
    if (expected.encoding) expect(detection.encoding).toBe(expected.encoding);
    if (expected.delimiter) expect(detection.delimiter).toBe(expected.delimiter);
    expect(Object.fromEntries(Object.entries(byPo).map(([po, rows]) => [po, rows.length]))).toEqual(
      expected.pos,
    );
    expect([...new Set(found.map((issue) => issue.poNumber))].sort()).toEqual(keptBack[name] ?? []);
  });

  test('every file of the folder has an expectation that is checked here', () => {
    const refused = Object.entries(expectations).filter(([, { outcome }]) => outcome.startsWith('refused'));
    expect(refused.map(([name]) => name).sort()).toEqual(Object.keys(refusals).sort());
  });
});

test('each broken quantity has its own issue with the found value', async () => {
  const { refusals: found } = await importFixture('bad_quantities.csv');
  expect(found.map((issue) => [issue.rowNumber, issue.column, issue.found])).toEqual([
    [2, 'quantity', '0'],
    [3, 'quantity', '-1'],
    [5, 'quantity', '1.5'],
    [6, 'quantity', '1e3'],
    [7, 'quantity', '١٢'],
    [9, 'quantity', ''],
    [10, 'quantity', '9999999999999999999'],
    [11, 'quantity', '0x10'],
  ]);
  for (const issue of found) expect(issue.expected).toBe('a whole number of at least 1');
});

test('every broken limit of section 2.1 has an issue with the expected value', async () => {
  const { refusals: found } = await importFixture('too_long_fields.csv');
  expect(Object.fromEntries(found.map((issue) => [issue.column, issue.expected]))).toEqual({
    ship_to: 'exactly 7 characters, with leading zeros',
    ship_name: 'at most 30 characters',
    ship_address1: 'at most 30 characters',
    ship_city: 'at most 17 characters',
    ship_state: 'at most 2 characters',
    ship_zip: 'at most 15 characters',
    note: 'at most 30 characters',
  });
});

test('a totals row is skipped with a note', async () => {
  const { issues } = await importFixture('totals_row.csv');
  expect(issues).toMatchObject([
    { rowNumber: 10, severity: 'note', code: 'totals_row', found: 'TOTAL | 7 lines | 33' },
  ]);
});

test('leading zeros that a spreadsheet removed are reported', async () => {
  const { refusals: found } = await importFixture('numeric_zeros_lost.xlsx');
  expect(found.find((issue) => issue.column === 'ship_to')).toMatchObject({
    code: 'zeros_lost',
    found: '12345',
    message: expect.stringContaining('0012345'),
  });
  expect(found.find((issue) => issue.column === 'ship_zip')).toMatchObject({
    code: 'zeros_lost',
    found: '501',
  });
});

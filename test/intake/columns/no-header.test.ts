import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import type { FieldName } from '../../../src/intake/columns/fields.ts';
import { proposeMap } from '../../../src/intake/columns/propose-map.ts';
import type { Proposed } from '../../../src/intake/columns/proposed-map.ts';
import { defaultIntakeOptions } from '../../support/default-intake-options.ts';
import { importBytes } from '../support/import-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-bare-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const propose = async (text: string, columns: Record<string, FieldName> = {}) => {
  const path = join(folder, 'bare.csv');
  await writeFile(path, text);
  return proposeMap({
    path,
    fileName: 'bare.csv',
    options: { ...defaultIntakeOptions, columns },
    codeLists: specCodeLists,
  });
};

const fieldsOf = ({ columns }: Proposed) =>
  Object.fromEntries(columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])));

describe('a file without a header', () => {
  test.each([
    ['numbers', (at: number) => String(3466 + at)],
    ['numbers that begin with PO', (at: number) => `PO-${3466 + at}`],
  ])('gets numbered columns, and only what its values leave no doubt about: %s', async (_, po) => {
    const rows = [0, 0, 1, 1, 2].map(
      (order, at) => `${po(order)},Acme,AB-C${100 + at * 7},${at + 2},Boise,ID,83702,ann@example.com`,
    );
    const proposed = (await propose(`${rows.join('\n')}\n`)) as Proposed;
    expect(proposed).toMatchObject({ kind: 'proposed', headerRow: null, settings: { header: 'none' } });
    expect(fieldsOf(proposed)).toEqual({
      'column 6': 'ship_state',
      'column 7': 'ship_zip',
      'column 8': 'email',
    });
    expect(proposed.missing).toEqual(['po_number', 'item_sku', 'quantity']);
    expect(proposed.doubts.po_number).toContain('column 1');
    expect(proposed.doubts.item_sku).toContain('column 3');
    expect(proposed.doubts.quantity).toContain('column 4');
    expect(proposed.doubts.quantity).not.toContain('column 7');
  });

  test('is read with the answers of a person, as they are proposed', async () => {
    const text = 'X1,AB-1,2,Boise,ID,83702\nX1,AB-2,3,Boise,ID,83702\n';
    const answers = { 'column 1': 'po_number', 'column 2': 'item_sku', 'column 3': 'quantity' } as const;
    const proposed = (await propose(text, answers)) as Proposed;
    expect(proposed.missing).toEqual([]);
    expect(proposed.samples.map(({ item }) => item.quantity)).toEqual([2, 3]);
    const { rows, issues } = await importBytes('bare.csv', text, {
      ...proposed.settings,
      columns: { ...answers, ...proposed.map },
    });
    expect(issues).toEqual([]);
    expect(rows.map(({ poNumber, itemSku, quantity }) => [poNumber, itemSku, quantity])).toEqual([
      ['X1', 'AB-1', 2],
      ['X1', 'AB-2', 3],
    ]);
  });

  test('of one column is a text, and is refused', async () => {
    expect(await propose('4711\n4712\n')).toMatchObject({ kind: 'refused', code: 'no_header' });
  });
});

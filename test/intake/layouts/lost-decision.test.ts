import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { importPurchaseFile } from '../../../src/intake/import-purchase-file.ts';
import { knownOf, type StoredValues } from '../../../src/intake/layouts/known-values.ts';
import type { Layout } from '../../../src/intake/layouts/layout.ts';
import { layoutKey } from '../../../src/intake/layouts/layout-key.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';

const folder = await mkdtemp(join(tmpdir(), 'cartwright-lost-decision-'));
afterAll(() => rm(folder, { recursive: true }));

const layoutOf = (header: string[], known: StoredValues, settings: Layout['settings'] = {}): Layout => ({
  ...{ id: '1', headerKey: layoutKey(header), header, name: 'nightly', version: 1, kind: 'order' },
  ...{ settings, known: knownOf(known), who: 'anna', via: 'console', confirmedAt: new Date() },
});
const readAs = async (header: string[], layouts: Layout[], row = ['C-2', 'A-1', '1']) => {
  const path = join(folder, 'a.csv');
  await writeFile(path, `${header}\n${header.map((_, at) => row[at] ?? '')}\n`);
  return importPurchaseFile({
    ...{ path, fileName: 'a.csv', codeLists: specCodeLists, layouts, waitsForNews: true },
    options: intakeOptionsSchema.parse({}),
    stage: { add: async () => {} },
  });
};
const usual = ['PO Number', 'SKU', 'Qty'];

describe.each<[string, string, StoredValues]>([
  ['is left out', 'Status', { status: { open: 'seen', cancelled: 'leave_out' } }],
  ['says how many pieces a box has', 'Unit', { unit: { ea: 'seen', dz: 'pieces 12' } }],
  ['is asked about each time', 'Status', { status: { open: 'seen', backorder: 'ask' } }],
])('of an agreed layout with a column of which a value %s', (_, column, known) => {
  const layout = layoutOf([...usual, column], known);

  test.each([
    ['without the column', usual],
    ['with its name blank', [...usual, '']],
    ['with another column in its place', [...usual, 'Description']],
    ['with a similar name', [...usual, `${column} text`]],
    ['in another order', ['Qty', 'SKU', 'PO Number']],
  ])('a file %s waits, and the reason names the column', async (_how, header) => {
    const outcome = await readAs(header, [layout]);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'not_agreed' });
    expect(outcome).toHaveProperty('message', expect.stringContaining(`the column "${column}" is missing`));
  });

  test('a file of a header that was agreed without it does not', async () => {
    const layouts = [layout, { ...layoutOf(usual, {}), id: '2', name: 'by hand' }];
    expect(await readAs(usual, layouts)).toMatchObject({ kind: 'read' });
  });

  test.each([
    ['fewer others', [...usual, column, 'Colour', 'Size', 'Vendor', 'Price list'], usual],
    ['other names of other columns', [...usual, 'Colour', column], ['PO Number', 'SKU', 'Quantity', 'Size']],
    ['the column first', [column, ...usual], ['PO Number', 'SKU', 'Quantity']],
  ])('a file with %s waits, too', async (_how, agreed, header) => {
    expect(await readAs(header, [layoutOf(agreed, known)])).toMatchObject({ code: 'not_agreed' });
  });

  test('a file that has all of the layout with most of its names does not', async () => {
    const nearest = { ...layoutOf([...usual, 'Colour'], {}), id: '2', name: 'coloured' };
    expect(await readAs([...usual, 'Colour', 'Size'], [layout, nearest])).toMatchObject({ kind: 'read' });
    expect(await readAs([...usual, 'Size'], [layout, nearest])).toMatchObject({ kind: 'read' });
    const other = {
      ...layoutOf([...usual, 'Colour', `${column} 2`], { [`${column.toLowerCase()}2`]: { x: 'leave_out' } }),
    };
    expect(await readAs([...usual, 'Size'], [layout, other])).toMatchObject({ kind: 'refused' });
  });

  test('a file of another kind does not', async () => {
    const other = layoutOf(['PO Number', 'Article', 'Pieces', column], known, {
      columns: { Article: 'item_sku', Pieces: 'quantity' },
    });
    expect(await readAs(usual, [other])).toMatchObject({ kind: 'read' });
  });
});

test.each([
  ['Depot', 'default_warehouse'],
  ['Our price', 'expected_price'],
  ['Wait', 'hold_order'],
  ['Attn', 'ship_name'],
] as const)('a file without %s waits, where a person agreed that it is the %s', async (column, field) => {
  const layout = layoutOf([...usual, column], {}, { columns: { [column]: field } });
  expect(await readAs(usual, [layout])).toMatchObject({
    ...{ kind: 'refused', code: 'not_agreed' },
    message: expect.stringContaining(
      `the column "${column}" is missing, which files of the layout "nightly" have`,
    ),
  });
  // Each account of `samples/` has files of several kinds, which are read in any order.
  for (const via of ['configuration', 'earlier import', 'standard names'] as const)
    expect(await readAs(usual, [{ ...layout, via }])).toMatchObject({ kind: 'read' });
  expect(await readAs([...usual, field.replaceAll('_', ' ')], [layout])).toMatchObject({ kind: 'read' });
});

test('a file may lack a column that says nothing of the order', async () => {
  const known: StoredValues = { status: { open: 'seen', new: 'order' } };
  expect(await readAs(usual, [layoutOf([...usual, 'Colour'], known)])).toMatchObject({ kind: 'read' });
  const watched = layoutOf([...usual, 'Status'], known);
  expect(await readAs(usual, [watched])).toMatchObject({ code: 'not_agreed' });
  expect(await readAs(usual, [{ ...watched, via: 'earlier import' }])).toMatchObject({ kind: 'read' });
});

test('two columns that could be the quantity are named, also beside what is different from an agreed layout', async () => {
  const outcome = await readAs(
    [...usual, 'Priority', 'Qty'],
    [layoutOf([...usual, 'Priority', 'Colour'], {})],
  );
  expect(outcome).toMatchObject({ kind: 'refused', code: 'columns_ambiguous' });
  expect(outcome).toHaveProperty(
    'message',
    expect.stringMatching(/^This is nearly .* is missing\. .*"Qty".*/),
  );
});

test('what is different from the nearest layout is named, too, where a value has to be looked at', async () => {
  const layout = layoutOf([...usual, 'Colour'], {});
  const outcome = await readAs(
    [...usual, 'Colour', 'Remark'],
    [layout],
    ['C-2', 'A-1', '1', '', 'do not ship'],
  );
  expect(outcome).toHaveProperty(
    'message',
    expect.stringMatching(
      /^This is nearly the layout "nightly": the column "Remark" is new\. Nobody has said yet .*do not ship/,
    ),
  );
});

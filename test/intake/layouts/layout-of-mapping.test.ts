import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { layoutOfMapping } from '../../../src/intake/layout-of-mapping.ts';
import type { Layout } from '../../../src/intake/layouts/layout.ts';
import { layoutKey } from '../../../src/intake/layouts/layout-key.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';

const folder = await mkdtemp(join(tmpdir(), 'cartwright-layout-of-mapping-'));
afterAll(() => rm(folder, { recursive: true }));

const header = ['PO Number', 'SKU', 'Qty', 'Pieces'];
const layoutOf = (via: Layout['via'], settings: Layout['settings']): Layout => ({
  ...{ id: '7', headerKey: layoutKey(header), header, name: 'nightly', version: 1, kind: 'order' },
  ...{ settings, who: 'anna', via, confirmedAt: new Date() },
});
const account = { intake: intakeOptionsSchema.parse({}), codeLists: specCodeLists };
const other = { columns: { Pieces: 'quantity', Qty: 'ignore' } } as const;

test.each([
  ['that reads the file is what is agreed to again', 'console', { ...other, constants: { comment1: 'web' } }],
  ['that does not read the file is not', 'earlier import', undefined],
] as const)('where a person says nothing about the columns, a layout %s', async (_, via, settings) => {
  const path = join(folder, 'a.csv');
  await writeFile(path, `${header}\nC-2,A-1,1,12\n`);
  const known = layoutOf(via, settings ?? other);
  const made = await layoutOfMapping(account, { path, fileName: 'a.csv' }, {}, [known]);
  if (made.kind !== 'layout') throw new Error(made.message);
  expect(made.layout.settings).toEqual(
    settings ?? { columns: { 'PO Number': 'po_number', SKU: 'item_sku', Qty: 'quantity' } },
  );
});

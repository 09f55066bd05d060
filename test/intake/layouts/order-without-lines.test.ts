import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { importPurchaseFile } from '../../../src/intake/import-purchase-file.ts';
import { knownOf, type StoredValues } from '../../../src/intake/layouts/known-values.ts';
import type { Layout } from '../../../src/intake/layouts/layout.ts';
import { layoutKey } from '../../../src/intake/layouts/layout-key.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';
import type { CheckedRow, RowIssue } from '../../../src/intake/types.ts';

const folder = await mkdtemp(join(tmpdir(), 'cartwright-order-without-lines-'));
afterAll(() => rm(folder, { recursive: true }));

const header = ['PO Number', 'SKU', 'Qty', 'Status'];
const lines = ['PO-1,,,Open', 'PO-2,AX-1,2,Cancelled', 'PO-2,AX-2,1,Open'];

/** Reads PO-1, an order without lines, and PO-2 directly below it. */
const read = async (status: StoredValues[string]) => {
  const path = join(folder, 'a.csv');
  await writeFile(path, [header, ...lines].join('\n'));
  const rows: CheckedRow[] = [];
  const issues: RowIssue[] = [];
  const layout: Layout = {
    ...{ id: '1', headerKey: layoutKey(header), header, name: 'nightly', version: 1, kind: 'order' },
    ...{ settings: { continuationRows: true }, known: knownOf({ status }), who: 'anna', via: 'console' },
    confirmedAt: new Date(),
  };
  await importPurchaseFile({
    ...{ path, fileName: 'a.csv', codeLists: specCodeLists, layouts: [layout] },
    options: intakeOptionsSchema.parse({}),
    stage: {
      add: async (more, found) => {
        rows.push(...more);
        issues.push(...found);
      },
    },
  });
  return {
    rows: rows.map(({ poNumber, itemSku }) => [poNumber, itemSku]),
    issues: issues.map(({ poNumber, code }) => [poNumber, code]),
  };
};

test('a question about the row below an order without lines holds the PO of that row', async () => {
  expect(await read({ open: 'seen' })).toEqual({
    rows: [
      ['PO-1', undefined],
      ['PO-2', 'AX-1'],
      ['PO-2', 'AX-2'],
    ],
    issues: [
      ['PO-1', 'item_missing'],
      ['PO-2', 'question'],
    ],
  });
});

test('an order without lines is reported also where the row below it is skipped', async () => {
  expect(await read({ open: 'seen', cancelled: 'leave_out' })).toEqual({
    rows: [
      ['PO-1', undefined],
      ['PO-2', 'AX-2'],
    ],
    issues: [
      ['PO-1', 'item_missing'],
      ['PO-2', 'left_out'],
    ],
  });
});

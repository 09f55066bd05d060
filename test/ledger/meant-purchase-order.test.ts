import { expect, test } from 'vitest';
import { whyNoMatch } from '../../src/cli/output/operator-actions.ts';
import { findMeant } from '../../src/ledger/po/explain-targets.ts';
import { posOfFile } from '../../src/ledger/purchase-order-sql.ts';
import { meantOf } from '../../src/placing/live-po.ts';
import type { PurchaseOrderState } from '../../src/placing/types.ts';
import { heldTarget } from '../placing/action-target.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();

test.each<[string, [PurchaseOrderState, string | null][], PurchaseOrderState]>([
  [
    'the live one, not a later conflict',
    [
      ['held', 'on_hold'],
      ['held', 'conflicting_po'],
      ['cancelled', null],
    ],
    'held',
  ],
  [
    'the live one, not an earlier one',
    [
      ['failed', null],
      ['ordered', null],
    ],
    'ordered',
  ],
  [
    'the latest of those that ended',
    [
      ['cancelled', null],
      ['failed', null],
    ],
    'failed',
  ],
  [
    'the latest that no later file corrected',
    [
      ['failed', 'refused_by_service'],
      ['rejected', 'corrected'],
    ],
    'failed',
  ],
])('an answer about a PO number is about %s', async (what, states, meant) => {
  const { pool } = ledger;
  const pos = [];
  for (const [state, reasonCode] of states) {
    const importId = await insertImport(pool, { account: what, sha256: `${what} ${pos.length}` });
    const row = { account: what, state, reason_code: reasonCode };
    const id = await insertPurchaseOrder(pool, importId, 'P-1', row);
    pos.push({ id, account: what, poNumber: 'P-1', quoteOnly: false, state, reasonCode });
  }
  const found = await findMeant(pool, { account: what, poNumber: 'P-1' });
  expect(found).toMatchObject([{ state: meant }]);
  // The console answers remote commands by the same rule.
  expect(meantOf(pos)).toMatchObject([{ state: meant }]);
});

test('holding a PO that is held says so', () => {
  expect(whyNoMatch('hold', heldTarget({ poNumber: 'P-1' }))).toBe('it is held already');
});

test('the POs of a file are found by their numbers, however many others there are', async () => {
  const { pool } = ledger;
  const [file, other] = [await insertImport(pool), await insertImport(pool, { sha256: 'other' })];
  await insertPurchaseOrder(pool, file, 'MINE', { state: 'failed' });
  await pool.query(
    `insert into purchase_orders (import_id, account, po_number, po_key, first_row, line_count, content_hash, state)
     select $1, account, po_number || n, po_key || n, n, 1, content_hash, state
     from purchase_orders cross join generate_series(1, 5000) n where import_id = $2`,
    [other, file],
  );
  await pool.query('analyze purchase_orders');
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `explain select * from imports i cross join lateral ${posOfFile('i.id')} p`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Seq Scan on purchase_orders l/);
  expect(plan).toMatch(/Index .* on purchase_orders l/);
});

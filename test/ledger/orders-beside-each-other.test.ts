import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { transitionStatement } from '../../src/ledger/po/transition.ts';
import { activeStates, type TakenPurchaseOrder } from '../../src/placing/types.ts';
import { insertImport, insertPurchaseOrder, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const db = useTestLedger();
const owner = randomUUID();
const quantity = 3;

const takenOrder = async (poNumber: string): Promise<TakenPurchaseOrder> => {
  const { pool } = db;
  const importId = await insertImport(pool);
  const line = { import_id: importId, row_number: 2, po_number: poNumber, item_sku: 'A', quantity };
  await insertRow(pool, 'lines', line);
  const id = await insertPurchaseOrder(pool, importId, poNumber);
  const taken = await createPlacingLedger(pool).take(id, {
    owner,
    accounts: ['default'],
    states: activeStates,
    leaseMs: 60_000,
    graceMs: 0,
  });
  if (taken.kind !== 'taken') throw new Error(`not taken: ${taken.kind}`);
  return taken.po;
};

const ordered = (po: TakenPurchaseOrder) =>
  transitionStatement(
    po,
    owner,
    { state: 'ordered', epoch: 'same', waitMs: 0, orderNumber: `O-${po.poNumber}` },
    undefined,
    { keepLease: false },
  );

test('POs of one account are ordered beside each other: none waits for the commit of another', async () => {
  const { pool } = db;
  // Both POs were read before anything was ordered; meanwhile the same quantity of the item has been ordered.
  const [first, second] = [await takenOrder('PO-1'), await takenOrder('PO-2')];
  expect(second.lines[0]!.largestOrdered?.ofItem).toBeUndefined();
  for (const item of ['A', '']) {
    await insertRow(pool, 'largest_orders', { account: 'default', item, quantity });
  }
  const [one, other] = [await pool.connect(), await pool.connect()];
  try {
    await one.query('begin');
    expect((await one.query(ordered(first))).rowCount).toBe(1);
    await other.query(`set lock_timeout = '5s'`);
    expect((await other.query(ordered(second))).rowCount).toBe(1);
    await one.query('commit');
  } finally {
    await other.query('reset lock_timeout');
    one.release();
    other.release();
  }
  const { rows } = await pool.query('select state from purchase_orders');
  expect(rows).toEqual([{ state: 'ordered' }, { state: 'ordered' }]);
});

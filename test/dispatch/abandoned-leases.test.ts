import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { freeLeases } from '../../src/ledger/po/take-over.ts';
import { insertImport, insertPurchaseOrder, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const db = useTestLedger();
const settle = { graceMs: 60_000, ofAccount: { default: 10_000 } };

test('leases that a process gave up without its ledger are freed: at once, or after the settle time where a call may be under way', async () => {
  const [given, other] = [randomUUID(), randomUUID()];
  const importId = await insertImport(db.pool);
  const until = new Date(Date.now() + 60_000);
  const add = (poNumber: string, owner: string) =>
    insertPurchaseOrder(db.pool, importId, poNumber, {
      lease_owner: owner,
      lease_until: until,
      dispatch: 'window',
    });
  const [idle, calling, kept] = [
    await add('idle', given),
    await add('calling', given),
    await add('kept', other),
  ];
  await insertRow(db.pool, 'intents', { purchase_order_id: calling, epoch: 0, step: 'create_cart' });

  const freed = await freeLeases(db.pool, [given], settle);
  expect(freed.map(({ id }) => id).toSorted()).toEqual([idle, calling].toSorted());
  const waitOf = (id: string) => freed.find((work) => work.id === id)!.waitMs;
  expect(waitOf(idle)).toBe(0);
  expect(waitOf(calling)).toBeGreaterThan(9_000);
  expect(waitOf(calling)).toBeLessThanOrEqual(10_001);
  const { rows } = await db.pool.query(
    'select id from purchase_orders where lease_owner = $1 and lease_until = $2',
    [other, until],
  );
  expect(rows).toEqual([{ id: kept }]);
});

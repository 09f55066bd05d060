import { beforeEach, expect, test } from 'vitest';
import { readFigures } from '../../src/ledger/figures.ts';
import { readOverview } from '../../src/ledger/overview.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const on = useTestLedger();

let file: string;
beforeEach(async () => {
  await on.pool.query('truncate imports, purchase_orders cascade');
  file = await insertImport(on.pool, { state: 'read' });
});
test('POs are counted by state without reading those that are closed, whichever version read their files', async () => {
  const states = ['rejected', 'held', 'ready', 'cart_created', 'items_added', 'submitting', 'verifying'];
  const ended = ['ordered', 'failed', 'cancelled', 'closed', 'closed', 'closed'];
  const counts = { closed: 6 } as Record<string, number>;
  for (const state of [...states, ...ended.slice(0, 3)]) counts[state] = 2;
  const byState = async () => {
    const overview = await readOverview(on.pool, ['default', 'other']);
    const figures = await readFigures(on.pool);
    const inFigures = Object.fromEntries(figures.accounts.map((one) => [one.account, one.states]));
    expect(Object.fromEntries(overview.accounts.map((one) => [one.account, one.states]))).toEqual(inFigures);
    return inFigures;
  };
  const newer = await insertImport(on.pool, { state: 'read', po_count: states.length + ended.length });
  for (const [nth, state] of [...states, ...ended].entries()) {
    await insertPurchaseOrder(on.pool, file, `old ${nth}`, { state });
    await insertPurchaseOrder(on.pool, newer, `new ${nth}`, { state });
  }
  const other = await insertImport(on.pool, { account: 'other', state: 'read', po_count: 1 });
  const id = await insertPurchaseOrder(on.pool, other, '1', { account: 'other', state: 'ordered' });
  expect(await byState()).toEqual({ default: counts, other: { ordered: 1 } });
  await on.pool.query(`update purchase_orders set state = 'closed' where id = $1`, [id]);
  expect(await byState()).toEqual({ default: counts, other: { closed: 1 } });
});

test('a PO that was rejected in three files is counted once, and not at all where another one of its number is live', async () => {
  const files = [
    file,
    await insertImport(on.pool, { state: 'read' }),
    await insertImport(on.pool, { state: 'read' }),
  ];
  const rejected = { state: 'rejected', reason_code: 'row_issues' };
  for (const one of files) {
    await insertPurchaseOrder(on.pool, one, 'twice wrong', rejected);
    await insertPurchaseOrder(on.pool, one, 'alone', { ...rejected, po_number: `alone in ${one}` });
  }
  await insertPurchaseOrder(on.pool, files[0]!, 'held later', rejected);
  await insertPurchaseOrder(on.pool, files[1]!, 'held later', { state: 'held', reason_code: 'on_hold' });
  const { accounts } = await readOverview(on.pool, ['default']);
  expect(accounts[0]!.states).toMatchObject({ rejected: 4, held: 1 });
});

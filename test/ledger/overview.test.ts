import { beforeEach, expect, test } from 'vitest';
import { readFigures } from '../../src/ledger/figures.ts';
import { readOverview } from '../../src/ledger/overview.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const on = useTestLedger();
const hourMs = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * hourMs);

let file: string;
beforeEach(async () => {
  await on.pool.query('truncate imports, purchase_orders cascade');
  file = await insertImport(on.pool, { state: 'read' });
});
const add = (number: string, state: string, changedHoursAgo: number, more: object = {}) => {
  const changed_at = ago(changedHoursAgo);
  return insertPurchaseOrder(on.pool, file, number, { state, changed_at, next_at: changed_at, ...more });
};
const movedHoursAgo = async (): Promise<number | undefined> => {
  const { accounts } = await readOverview(on.pool, ['default'], { counts: false });
  const { movedAt } = accounts[0]!;
  return movedAt && Math.round((Date.now() - movedAt.getTime()) / hourMs);
};

test('an account with a PO that is due shows the latest change of any PO, on the last day', async () => {
  await add('1', 'ready', 30);
  await add('2', 'closed', 5);
  await add('3', 'ordered', 3);
  expect(await movedHoursAgo()).toBe(3);
});

test('where nothing has changed for a day, it shows the latest change of a PO that waits', async () => {
  await add('1', 'ready', 80);
  await add('2', 'items_added', 50, { dispatch: 'window' });
  await add('3', 'closed', 40);
  expect(await movedHoursAgo()).toBe(50);
});

test.each([
  ['no PO waits', 'ordered', {}],
  ['the POs are not due yet', 'ready', { next_at: ago(-1) }],
  ['a worker holds the PO', 'ready', { lease_owner: '00000000-0000-4000-8000-000000000001' }],
])('it shows no such change while %s', async (_, state, more) => {
  await add('1', state, 50, more);
  expect(await movedHoursAgo()).toBeUndefined();
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

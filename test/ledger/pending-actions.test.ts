import { beforeAll, expect, test } from 'vitest';
import {
  applyOperatorAction,
  findActionTargets,
  type PurchaseOrderFilter,
} from '../../src/ledger/po/operator-actions.ts';
import { describePending } from '../../src/ledger/po/pending-actions.ts';
import { beat } from '../../src/ledger/workers.ts';
import type { OperatorAction } from '../../src/placing/operator-actions.ts';
import { insertImport, insertPurchaseOrder, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
let importId: string;

beforeAll(async () => {
  importId = await insertImport(ledger.pool, { account: 'north' });
  const worker = { id: '00000000-0000-4000-8000-000000000001', host: 'test', pid: 1, slots: 1 };
  await beat(ledger.pool, { ...worker, places: ['north'], reads: ['north'], troubles: {} });
});

const applied = async (action: OperatorAction, filter: PurchaseOrderFilter): Promise<string> => {
  const found = await findActionTargets(ledger.pool, action, filter);
  const results = await applyOperatorAction(ledger.pool, action, found, { who: 'Ann' });
  return describePending(
    ledger.pool,
    action,
    results.map(({ id }) => id),
  );
};

test('a cancellation speaks of a cart only where one was created, and is not deleted', async () => {
  const { pool } = ledger;
  const po = async (poNumber: string, steps: [string, string | null][]) => {
    const id = await insertPurchaseOrder(pool, importId, poNumber, { account: 'north' });
    for (const [at, [step, outcome]] of steps.entries())
      await insertRow(pool, 'intents', { purchase_order_id: id, epoch: at, step, outcome });
    return applied('cancel', { poNumber });
  };
  const none = 'It has no cart: a worker marks it as cancelled.';
  const cart = 'A worker deletes its cart first.';
  // Nothing was sent, so it is cancelled at once.
  expect(await po('none', [])).toBe('');
  expect(await po('refused', [['create_cart', 'refused']])).toBe(none);
  expect(await po('created', [['create_cart', 'done']])).toBe(cart);
  expect(await po('unclear', [['create_cart', null]])).toBe(cart);
  const rebuilt: [string, string][] = [
    ['create_cart', 'done'],
    ['delete_cart', 'done'],
  ];
  expect(await po('deleted', rebuilt)).toBe(none);
  expect(await po('rebuilt', [...rebuilt, ['create_cart', 'done']])).toBe(cart);
});

test('a hold that a worker carries out asks for no worker where one is running', async () => {
  const { pool } = ledger;
  const leased = {
    lease_owner: '00000000-0000-4000-8000-000000000001',
    lease_until: new Date(Date.now() + 60_000),
  };
  await insertPurchaseOrder(pool, importId, 'leased', { account: 'north', state: 'cart_created', ...leased });
  expect(await applied('hold', { poNumber: 'leased' })).toBe(
    'The worker that processes it does so at the next step.',
  );
  await insertPurchaseOrder(pool, importId, 'free', { account: 'north' });
  expect(await applied('hold', { poNumber: 'free' })).toBe('');
});

test('an account that is paused, or that no running worker places, is named', async () => {
  const { pool } = ledger;
  const other = await insertImport(pool, { account: 'south', sha256: 'south' });
  const cart = { epoch: 0, step: 'create_cart', outcome: 'done' };
  const south = await insertPurchaseOrder(pool, other, 'S-1', { account: 'south' });
  await insertRow(pool, 'intents', { purchase_order_id: south, ...cart });
  expect(await applied('cancel', { poNumber: 'S-1' })).toMatch(
    /No worker that places POs of south is running\. Start one with `cartwright up`\.$/,
  );
  await insertRow(pool, 'account_states', { account: 'north', paused_until: new Date(Date.now() + 60_000) });
  const n1 = await insertPurchaseOrder(pool, importId, 'N-1', { account: 'north' });
  await insertRow(pool, 'intents', { purchase_order_id: n1, ...cart });
  expect(await applied('cancel', { poNumber: 'N-1' })).toMatch(
    /The account north is paused for now, .* ends\.$/,
  );
  await pool.query(`update account_states set operator_paused_at = now() where account = 'north'`);
  const n2 = await insertPurchaseOrder(pool, importId, 'N-2', { account: 'north' });
  await insertRow(pool, 'intents', { purchase_order_id: n2, ...cart });
  expect(await applied('cancel', { poNumber: 'N-2' })).toContain(
    'nothing new begins until a person resumes it',
  );
});

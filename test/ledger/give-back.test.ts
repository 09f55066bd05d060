import { expect, test } from 'vitest';
import { withdrawUnsent } from '../../src/ledger/console/reread-imports.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { inTransaction } from '../../src/ledger/transaction.ts';
import { header, useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText, ordersOf } = staging;

const seven = `${header}PO-7,Ann,S1,1\n`;
const statesOf = async (importId: string) =>
  (await ordersOf(importId)).map(({ po_number, state, reason_code }) => [po_number, state, reason_code]);
const repeatsOf = async (importId: string) =>
  (
    await staging.pool.query(
      `select r.po_number, p.import_id from repeated_purchase_orders r join purchase_orders p on p.id = r.purchase_order_id
       where r.import_id = $1`,
      [importId],
    )
  ).rows;
const importOf = async (importId: string) =>
  (await staging.pool.query('select po_count, result_due from imports where id = $1', [importId])).rows[0];
const resultsWritten = () => staging.pool.query('update imports set result_due = false');

test('a file that is read again gives other files the POs back that were repeated because of it', async () => {
  const account = newAccount();
  const a = await stageText(account, seven);
  const b = await stageText(account, `${seven}PO-8,Ann,S2,2\n`);
  const c = await stageText(account, seven);
  expect(await statesOf(b.importId)).toEqual([['PO-8', 'ready', null]]);
  await resultsWritten();

  await inTransaction(staging.pool, {}, (client) => withdrawUnsent(client, a.importId));
  expect(await statesOf(a.importId)).toEqual([['PO-7', 'cancelled', 'read_again']]);
  expect((await statesOf(b.importId)).toSorted()).toEqual([
    ['PO-7', 'ready', null],
    ['PO-8', 'ready', null],
  ]);
  // Further repetitions are now those of the second file.
  expect(await repeatsOf(b.importId)).toEqual([]);
  expect(await repeatsOf(c.importId)).toEqual([{ po_number: 'PO-7', import_id: b.importId }]);
  expect(await importOf(b.importId)).toEqual({ po_count: 2, result_due: true });
  expect(await importOf(c.importId)).toMatchObject({ result_due: true });
  // Whatever the first file says when it is read again, its PO-7 is live once.
  expect((await stageText(account, seven)).counts).toMatchObject({ ready: 0, repeated: 1 });
});

test('a repetition of a conflict stays one', async () => {
  const account = newAccount();
  await stageText(account, `${header}PO-7,Ann,S1,9\n`);
  const a = await stageText(account, seven);
  const b = await stageText(account, seven);
  await inTransaction(staging.pool, {}, (client) => withdrawUnsent(client, a.importId));
  expect(await statesOf(b.importId)).toEqual([['PO-7', 'held', 'conflicting_po']]);
});

test('a PO that a person cancels asks once about the same PO of another file', async () => {
  const account = newAccount();
  const a = await stageText(account, seven);
  const b = await stageText(account, seven);
  const c = await stageText(account, seven);
  await resultsWritten();
  const ledger = createPlacingLedger(staging.pool);
  const cancel = async () => {
    const found = await findActionTargets(staging.pool, 'cancel', { account, poNumber: 'PO-7' });
    await applyOperatorAction(staging.pool, 'cancel', found, { who: 'Ann' });
    const options = { accounts: [account], states: ['ready'], leaseMs: 60_000, graceMs: 0 } as const;
    const owner = '00000000-0000-4000-8000-00000000000a';
    for (const { id } of found) {
      const taken = await ledger.take(id, { ...options, owner });
      if (taken.kind !== 'taken') throw new Error(taken.kind);
      await ledger.transition(taken.po, owner, { state: 'cancelled', epoch: 'same', waitMs: 0 });
    }
  };
  await cancel();
  expect(await statesOf(b.importId)).toEqual([]);
  expect(await statesOf(c.importId)).toEqual([['PO-7', 'held', 'was_cancelled']]);
  expect(await importOf(c.importId)).toEqual({ po_count: 1, result_due: true });
  expect(await repeatsOf(b.importId)).toEqual([{ po_number: 'PO-7', import_id: a.importId }]);
  // Cancelled again, nothing else asks.
  await cancel();
  expect(await statesOf(c.importId)).toMatchObject([['PO-7', 'cancelled', null]]);
  expect(await statesOf(b.importId)).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { withdrawForReread, withdrawUnsent } from '../../src/ledger/console/reread-imports.ts';
import type { Upload } from '../../src/ledger/console/uploads.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import { inTransaction } from '../../src/ledger/transaction.ts';
import { insertRow } from '../support/ledger-rows.ts';
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
const act = async (action: 'cancel' | 'hold', account: string) => {
  const found = await findActionTargets(staging.pool, action, { account, poNumber: 'PO-7' });
  const results = await applyOperatorAction(staging.pool, action, found, { who: 'Ann' });
  expect(results).toMatchObject([{ outcome: { kind: 'done' } }]);
};
const readAgain = async (importId: string) => {
  const upload = { rereadOf: importId, account: '', fileName: '' } as Upload;
  return inTransaction(staging.pool, {}, (client) =>
    withdrawForReread(client, upload, { who: 'Ann', via: 'console' }, undefined),
  );
};
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
  // Later repetitions now refer to the second file.
  expect(await repeatsOf(b.importId)).toEqual([]);
  expect(await repeatsOf(c.importId)).toEqual([{ po_number: 'PO-7', import_id: b.importId }]);
  expect(await importOf(b.importId)).toEqual({ po_count: 2, result_due: true });
  expect(await importOf(c.importId)).toMatchObject({ result_due: true });
  // Whatever re-reading the first file gives, PO-7 is live only once.
  expect((await stageText(account, seven)).counts).toMatchObject({ ready: 0, repeated: 1 });
});

test('a file that was read again gets nothing back for its earlier reading, which may have been wrong', async () => {
  const account = newAccount();
  const a = await stageText(account, seven);
  const wrong = await stageText(account, `${seven}PO-8,Ann,S2,2\n`);
  await insertRow(staging.pool, 'uploads', {
    ...{ id: randomUUID(), account, file_name: 'b.csv', sha256: '', size_bytes: 0, path: 'b', who: 'Ann' },
    ...{ state: 'confirmed', copy_path: `files/${account}.csv`, reread_of: wrong.importId },
  });
  expect(await readAgain(wrong.importId)).toMatch(/^This file was read again already/);
  const right = await stageText(account, `${header}PO-7,Ann,S1,2\n`);
  expect(await statesOf(right.importId)).toEqual([['PO-7', 'held', 'conflicting_po']]);
  await inTransaction(staging.pool, {}, (client) => withdrawUnsent(client, a.importId));
  expect(await statesOf(wrong.importId)).not.toContainEqual(['PO-7', 'ready', null]);
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
  const cancel = () => act('cancel', account);
  await cancel();
  expect(await statesOf(b.importId)).toEqual([]);
  expect(await statesOf(c.importId)).toEqual([['PO-7', 'held', 'was_cancelled']]);
  expect(await importOf(c.importId)).toEqual({ po_count: 1, result_due: true });
  expect(await repeatsOf(b.importId)).toEqual([{ po_number: 'PO-7', import_id: a.importId }]);
  // Cancelled again, no other PO takes its place.
  await cancel();
  expect(await statesOf(c.importId)).toMatchObject([['PO-7', 'cancelled', null]]);
  expect(await statesOf(b.importId)).toEqual([]);
});

describe('what a person has said of a PO outlives that its file is read again', () => {
  // The same bytes, read with another mapping.
  const asItIs = {};
  const columns = { options: { columns: { q2: 'quantity', quantity: 'ignore' } } };
  const two = 'po_number,ship_name,item_sku,quantity,q2\nPO-7,Ann,S1,1,2\n';

  test.each([
    ['unchanged', asItIs],
    ['with another quantity', columns],
  ])('cancelled, it is asked about, %s', async (_, how) => {
    const account = newAccount();
    const a = await stageText(account, two);
    const b = await stageText(account, `${two}PO-8,Ann,S2,2,2\n`);
    await act('cancel', account);
    expect(await readAgain(a.importId)).toBeUndefined();
    expect(await statesOf(a.importId)).toEqual([['PO-7', 'cancelled', null]]);
    expect((await statesOf(b.importId)).toSorted()[0]).toEqual(['PO-7', 'held', 'was_cancelled']);
    await act('cancel', account);
    const again = await stageText(account, two, how);
    expect(await statesOf(again.importId)).toEqual([['PO-7', 'held', 'was_cancelled']]);
  });

  test.each([
    ['unchanged', asItIs],
    ['with another quantity', columns],
  ])('held, it is held, %s', async (_, how) => {
    const account = newAccount();
    const a = await stageText(account, two);
    await act('hold', account);
    expect(await readAgain(a.importId)).toBeUndefined();
    expect(await statesOf(a.importId)).toEqual([['PO-7', 'cancelled', 'read_again']]);
    const again = await stageText(account, two, how);
    expect(await statesOf(again.importId)).toEqual([['PO-7', 'held', 'on_hold']]);
    // The decision ends the earlier hold.
    await act('cancel', account);
    const third = await stageText(account, two.replace('1,2', '4,4'));
    expect(await statesOf(third.importId)).toEqual([['PO-7', 'ready', null]]);
  });

  test('held, it is held in the file that gets it back', async () => {
    const account = newAccount();
    const a = await stageText(account, seven);
    const b = await stageText(account, seven);
    await act('hold', account);
    expect(await readAgain(a.importId)).toBeUndefined();
    expect(await statesOf(b.importId)).toEqual([['PO-7', 'held', 'on_hold']]);
  });

  test.each(['cancelling', 'holding'])('%s, it is done first', async (wish) => {
    const account = newAccount();
    const a = await stageText(account, seven);
    await staging.pool.query(`update purchase_orders set ${wish} = true where import_id = $1`, [a.importId]);
    expect(await readAgain(a.importId)).toMatch(/^1 of its POs is about to be cancelled or held\. /);
    await act(wish === 'cancelling' ? 'cancel' : 'hold', account);
    expect(await readAgain(a.importId)).toBeUndefined();
  });
});

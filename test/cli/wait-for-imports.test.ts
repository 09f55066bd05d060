import { beforeEach, expect, test } from 'vitest';
import { isAllWell } from '../../src/cli/output/imports.ts';
import { waitForImports } from '../../src/cli/wait-for-imports.ts';
import { listNotOrdered } from '../../src/ledger/import-counts.ts';
import { insertImport, insertPurchaseOrder, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
let importId: string;
beforeEach(async () => {
  await ledger.pool.query('truncate imports, purchase_orders, account_states cascade');
  importId = await insertImport(ledger.pool);
});

const write = (...ids: string[]) =>
  ledger.pool.query('update imports set result_due = false, result_written_at = now() where id = any($1)', [
    ids,
  ]);
const wait = (requested: Promise<void> = new Promise(() => {}), isRequested = () => false) =>
  waitForImports({
    pool: ledger.pool,
    importIds: [importId],
    rowsRead: new Map(),
    progress: { set() {}, stop() {} },
    signals: { requested, isRequested },
    patienceMs: 1,
  });

test('a long pause of the account ends the wait with its reason, and the PO stays in the ledger', async () => {
  await insertPurchaseOrder(ledger.pool, importId, 'PO-1');
  await ledger.pool.query(
    `insert into account_states (account, paused_until, pause_code, pause_reason)
     values ('default', now() + interval '1 hour', 'credential_refused', 'The service refuses the credential.')`,
  );
  expect(await wait()).toMatchObject({
    kind: 'stalled',
    why: 'The account default is paused: The service refuses the credential',
    imports: [{ active: 1 }],
  });
});

test('a service that does not answer ends the wait with a message and the number of POs', async () => {
  await insertPurchaseOrder(ledger.pool, importId, 'PO-1', { failing_since: new Date(), failures: 3 });
  await insertPurchaseOrder(ledger.pool, importId, 'PO-2');
  expect(await wait()).toMatchObject({
    kind: 'stalled',
    why: 'The dealer order service does not answer calls for 1 PO',
  });
});

test('without problems the wait continues beyond its time limit, until all POs are placed and the result is written', async () => {
  const id = await insertPurchaseOrder(ledger.pool, importId, 'PO-1');
  const { pool } = ledger;
  const finish = async () => {
    await pool.query(`update purchase_orders set state = 'ordered' where id = $1`, [id]);
    await pool.query('update imports set result_due = false, result_written_at = now() where id = $1', [
      importId,
    ]);
  };
  // The wait checks for a stop request in each round, so this counts rounds; the third one finds everything done.
  let rounds = 0;
  let secondRound = () => {};
  const second = new Promise<void>((resolve) => {
    secondRound = resolve;
  });
  const isRequested = () => {
    rounds += 1;
    if (rounds === 2) secondRound();
    return false;
  };
  const waited = wait(new Promise(() => {}), isRequested);
  await second;
  await finish();
  expect(await waited).toMatchObject({ kind: 'finished', imports: [{ active: 0 }] });
});

test('a stop request ends the wait', async () => {
  await insertPurchaseOrder(ledger.pool, importId, 'PO-1');
  expect(await wait(Promise.resolve(), () => true)).toMatchObject({ kind: 'interrupted' });
});

test('for a repeated file the wait lasts until the earlier import was read and its POs are placed', async () => {
  const { pool } = ledger;
  const earlier = await insertImport(pool, { state: 'taken', file_path: 'files/two.csv' });
  importId = await insertImport(pool, { state: 'repeated', repeats_import_id: earlier });
  // The wait checks for a stop request in each round; this test triggers its events then.
  const meanwhile: (() => Promise<unknown>)[] = [
    () => insertPurchaseOrder(pool, earlier, 'PO-1'),
    () => pool.query(`update imports set state = 'read' where id = $1`, [earlier]),
    () => pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [earlier]),
  ];
  let before: Promise<unknown> = Promise.resolve();
  let rounds = 0;
  const waited = await wait(new Promise(() => {}), () => {
    const next = rounds++ % 3 === 2 ? meanwhile.shift() : undefined;
    if (next) before = before.then(next);
    return false;
  });
  expect(meanwhile, 'it did not end before all was done').toEqual([]);
  expect(waited).toMatchObject({
    kind: 'finished',
    imports: [{ importId, active: 0, counts: {}, elsewhereCounts: { ordered: 1 } }],
  });
});

test.each([
  ['ordered', true],
  ['closed', true],
  ['held', false],
  ['failed', false],
  ['cancelled', false],
])('a repeated file whose PO is %s: success is %s', async (state, isWell) => {
  const earlier = await insertImport(ledger.pool, { file_path: 'files/two.csv' });
  const po = await insertPurchaseOrder(ledger.pool, earlier, 'PO-1', { state, reason_text: 'the reason' });
  await insertRow(ledger.pool, 'repeated_purchase_orders', {
    import_id: importId,
    po_number: 'PO-1',
    first_row: 2,
    line_count: 1,
    purchase_order_id: po,
  });
  await write(importId, earlier);
  const waited = await wait();
  expect(waited).toMatchObject({ kind: 'finished', imports: [{ elsewhereCounts: { [state]: 1 } }] });
  expect(waited.imports.every(isAllWell)).toBe(isWell);
  expect((await listNotOrdered(ledger.pool, [importId], 10)).map(({ poNumber }) => poNumber)).toEqual(
    isWell ? [] : ['PO-1'],
  );
});

test.each([
  ['quoted', true],
  ['order_exists', false],
])('a quote that ended as %s: success is %s', async (reasonCode, isWell) => {
  importId = await insertImport(ledger.pool, { quote_only: true });
  await insertPurchaseOrder(ledger.pool, importId, 'PO-1', {
    state: 'cancelled',
    reason_code: reasonCode,
    quote_only: true,
  });
  await write(importId);
  expect((await wait()).imports.every(isAllWell)).toBe(isWell);
});

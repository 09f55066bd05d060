import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isAllWell } from '../../src/cli/output/imports.ts';
import { waitForImports } from '../../src/cli/wait-for-imports.ts';
import { openQuestions } from '../../src/ledger/import-progress.ts';
import {
  createTestLedger,
  insertImport,
  insertPurchaseOrder,
  insertRow,
  type TestLedger,
} from '../support/ledger-rows.ts';

let ledger: TestLedger;
let importId: string;
beforeAll(async () => {
  ledger = await createTestLedger();
});
beforeEach(async () => {
  await ledger.pool.query('truncate imports, purchase_orders, account_states cascade');
  importId = await insertImport(ledger.pool);
});
afterAll(() => ledger.drop());

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

test('a pause that lasts ends the waiting with its reason, and the PO stays in the ledger', async () => {
  await insertPurchaseOrder(ledger.pool, importId, 'PO-1');
  await ledger.pool.query(
    `insert into account_states (account, paused_until, pause_code, pause_reason)
     values ('default', now() + interval '1 hour', 'credential_refused', 'The service refuses the credential.')`,
  );
  expect(await wait()).toMatchObject({
    kind: 'stalled',
    why: 'The account default pauses: The service refuses the credential.',
    imports: [{ active: 1 }],
  });
});

test('a service that does not answer ends the waiting, and says for how many POs', async () => {
  await insertPurchaseOrder(ledger.pool, importId, 'PO-1', { failing_since: new Date(), failures: 3 });
  await insertPurchaseOrder(ledger.pool, importId, 'PO-2');
  expect(await wait()).toMatchObject({
    kind: 'stalled',
    why: 'The dealer order service does not answer for 1 purchase order',
  });
});

test('while nothing is wrong it waits past its patience, until all is placed and the result is written', async () => {
  const id = await insertPurchaseOrder(ledger.pool, importId, 'PO-1');
  const { pool } = ledger;
  const finish = async () => {
    await pool.query(`update purchase_orders set state = 'ordered' where id = $1`, [id]);
    await pool.query('update imports set result_due = false, result_written_at = now() where id = $1', [
      importId,
    ]);
  };
  // It asks once a look whether it is to stop: that is heard here, and a third look finds all done.
  let looks = 0;
  let lookedTwice = () => {};
  const second = new Promise<void>((resolve) => {
    lookedTwice = resolve;
  });
  const isRequested = () => {
    looks += 1;
    if (looks === 2) lookedTwice();
    return false;
  };
  const waited = wait(new Promise(() => {}), isRequested);
  await second;
  await finish();
  expect(await waited).toMatchObject({ kind: 'finished', imports: [{ active: 0 }] });
});

test('a stop that is asked for ends it', async () => {
  await insertPurchaseOrder(ledger.pool, importId, 'PO-1');
  expect(await wait(Promise.resolve(), () => true)).toMatchObject({ kind: 'interrupted' });
});

test('the same bytes again: it waits until the earlier import was read and its POs are placed', async () => {
  const { pool } = ledger;
  const earlier = await insertImport(pool, { state: 'taken', file_path: 'files/two.csv' });
  importId = await insertImport(pool, { state: 'repeated', repeats_import_id: earlier });
  // Once a look it asks whether it is to stop; what happens meanwhile begins there.
  const meanwhile: (() => Promise<unknown>)[] = [
    () => insertPurchaseOrder(pool, earlier, 'PO-1'),
    () => pool.query(`update imports set state = 'read' where id = $1`, [earlier]),
    () => pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [earlier]),
  ];
  let before: Promise<unknown> = Promise.resolve();
  let looks = 0;
  const waited = await wait(new Promise(() => {}), () => {
    const next = looks++ % 3 === 2 ? meanwhile.shift() : undefined;
    if (next) before = before.then(next);
    return false;
  });
  expect(meanwhile, 'it did not end before all was done').toEqual([]);
  expect(waited).toMatchObject({
    kind: 'finished',
    imports: [{ importId, active: 0, counts: {}, repeatedCounts: { ordered: 1 } }],
  });
});

test.each([
  ['ordered', true],
  ['closed', true],
  ['held', false],
  ['failed', false],
  ['cancelled', false],
])('a PO that an earlier import has and that is %s: the file is well is %s', async (state, isWell) => {
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
  expect(waited).toMatchObject({ kind: 'finished', imports: [{ repeatedCounts: { [state]: 1 } }] });
  expect(waited.imports.every(isAllWell)).toBe(isWell);
  expect((await openQuestions(ledger.pool, [importId], 10)).map(({ poNumber }) => poNumber)).toEqual(
    isWell ? [] : ['PO-1'],
  );
});

test.each([
  ['quoted', true],
  ['order_exists', false],
])('a quote that ended as %s: the file is well is %s', async (reasonCode, isWell) => {
  importId = await insertImport(ledger.pool, { quote_only: true });
  await insertPurchaseOrder(ledger.pool, importId, 'PO-1', {
    state: 'cancelled',
    reason_code: reasonCode,
    quote_only: true,
  });
  await write(importId);
  expect((await wait()).imports.every(isAllWell)).toBe(isWell);
});

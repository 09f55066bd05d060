import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitForImports } from '../../src/cli/wait-for-imports.ts';
import {
  createTestLedger,
  insertImport,
  insertPurchaseOrder,
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

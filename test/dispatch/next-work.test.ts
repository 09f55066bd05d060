import { describe, expect, test } from 'vitest';
import { enqueueFinished, enqueueImport, enqueueNext, pollJob } from '../../src/dispatch/next-work.ts';
import { useLedgerAndQueue, windowSize } from '../queue/ledger-and-queue.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';

const both = useLedgerAndQueue();

const resultJob = (importId: string) => ({
  name: 'write-report',
  data: { importId },
  single: `result ${importId}`,
});
const add = (poNumber: string, row: object = {}) =>
  insertPurchaseOrder(both.pool, both.importId, poNumber, { ...row });

describe('what comes after a step', () => {
  test.each([
    ['ready', 'create-cart'],
    ['cart_created', 'add-items'],
    ['items_added', 'submit-order'],
    ['submitting', 'submit-order'],
    ['verifying', 'submit-order'],
  ] as const)('of a PO that is now %s is %s, after its wait', async (state, name) => {
    const labels = { account: 'default', poNumber: 'PO-7', fileName: 'orders.csv' };
    const own = { id: '7', importId: '1', state, run: 3, waitMs: 1500.4, ...labels };
    await enqueueNext(both.jobs, '7', { kind: 'transitioned', state, waitMs: 1500.4, next: [own], did: [] });
    const data = { purchaseOrderId: '7', ...labels };
    expect(both.enqueued).toEqual([{ name, data, key: '7/3', importId: '1', delayMs: 1501 }]);
  });

  test('of the last PO of an import is its result file, and of none before', async () => {
    const first = await add('PO-1', { state: 'ordered' });
    const last = await add('PO-2');
    await enqueueNext(both.jobs, first, {
      kind: 'transitioned',
      state: 'ordered',
      waitMs: 0,
      next: [],
      did: [],
    });
    expect(both.enqueued).toEqual([]);
    await both.pool.query(`update purchase_orders set state = 'held' where id = $1`, [last]);
    await enqueueNext(both.jobs, last, { kind: 'transitioned', state: 'held', waitMs: 0, next: [], did: [] });
    expect(both.enqueued).toEqual([resultJob(both.importId)]);
  });

  test('that came too early is the same step under a new key, when it is due', async () => {
    const id = await add('PO-1', { run: 4, next_at: new Date(Date.now() + 60_000) });
    await enqueueNext(both.jobs, id, { kind: 'later', waitMs: 1, why: 'not_yet' });
    expect(both.enqueued).toEqual([
      {
        name: 'create-cart',
        data: { purchaseOrderId: id, account: 'default', poNumber: 'PO-1', fileName: 'orders.csv' },
        key: `${id}/5`,
        importId: both.importId,
        delayMs: expect.any(Number),
      },
    ]);
    expect(both.enqueued[0]!.delayMs).toBeGreaterThan(50_000);
  });

  test('is nothing where somebody else has the PO or has moved it', async () => {
    const leased = await add('PO-1', { lease_owner: '00000000-0000-4000-8000-000000000001' });
    await enqueueNext(both.jobs, leased, { kind: 'later', waitMs: 1, why: 'leased' });
    await enqueueNext(both.jobs, leased, { kind: 'later', waitMs: 1, why: 'paused' });
    await enqueueNext(both.jobs, leased, { kind: 'lost' });
    await enqueueNext(both.jobs, leased, { kind: 'elsewhere', state: 'ordered' });
    expect(both.enqueued).toEqual([]);
  });
});

test('an import that was read has as many POs enqueued as the window of its account allows, in the order of the file', async () => {
  await both.pool.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, turn)
     select 'default', 'PO-' || n, 'po-' || n, $1, n, 1, 'h', 'ready', n from generate_series(1, 1001) n`,
    [both.importId],
  );
  await add('held', { state: 'held' });
  await enqueueImport(both.jobs, both.importId);
  await enqueueImport(both.jobs, both.importId);
  const numbers = both.enqueued.flatMap(({ data }) => ('poNumber' in data ? data.poNumber : []));
  expect(numbers.toSorted()).toEqual(Array.from({ length: windowSize }, (_, at) => `PO-${at + 1}`));
});

test('an import without any PO to place has its result file written', async () => {
  await add('PO-1', { state: 'rejected' });
  await enqueueImport(both.jobs, both.importId);
  expect(both.enqueued).toEqual([resultJob(both.importId)]);
});

test('an import that was read has no result file of another account written', async () => {
  await add('PO-1', { state: 'rejected' });
  await insertImport(both.pool, { account: 'paused' });
  await enqueueImport(both.jobs, both.importId);
  expect(both.enqueued).toEqual([resultJob(both.importId)]);
});

test('a result file that is requested several times is one job for each import', async () => {
  const other = await insertImport(both.pool);
  for (let asks = 0; asks < 5; asks += 1) await enqueueFinished(both.jobs);
  expect(await both.queues.liveCount(['write-report'])).toBe(2);
  expect(both.enqueued).toContainEqual(resultJob(other));
});

test('an account that is to be polled again soon is polled once, however many polls failed', async () => {
  await both.jobs.enqueue([pollJob('a', 60_000), pollJob('b', 60_000)]);
  await both.jobs.enqueue([pollJob('a', 120_000)]);
  expect(await both.queues.liveCount(['poll-status'])).toBe(2);
});

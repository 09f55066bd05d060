import { beforeEach, describe, expect, test } from 'vitest';
import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { createFinishedCheck, listFinishedImports } from '../../src/ledger/po/result-due.ts';
import { insertImport, insertRow } from '../support/ledger-rows.ts';
import { type PlacingAccount, rowsOf, usePlacing } from '../support/use-placing.ts';

const placing = usePlacing({ catalogue: ['A,10.00,5,0,0,0', 'B,2.50,99,0,0,0'] });

let account: PlacingAccount;
let first: { id: string; importId: string };
let again: string;

/** Whether every result file is up to date. */
const allWritten = () =>
  placing.pool.query(
    'update imports set result_due = false, result_written_at = clock_timestamp() where account = $1',
    [account.account],
  );

/** A PO and another import that repeats it. */
const setUp = async (options: Parameters<typeof placing.account>[0] = {}, sku = 'B') => {
  account = placing.account(options);
  first = await account.add('PO-1', [{ sku, quantity: 8 }]);
  again = await insertImport(placing.pool, { account: account.account });
  await insertRow(placing.pool, 'repeated_purchase_orders', {
    import_id: again,
    po_number: 'PO-1',
    first_row: 2,
    line_count: 1,
    purchase_order_id: first.id,
  });
  await allWritten();
};

const due = async () =>
  (
    await rowsOf(placing.pool, 'select id from imports where account = $1 and result_due order by id', [
      account.account,
    ])
  ).map(({ id }) => id);
const listed = async () =>
  (await listFinishedImports(placing.pool, 1000, [account.account])).filter(
    (id) => id === first.importId || id === again,
  );

describe('the result file of an import that repeats a PO', () => {
  const poll = () => account.poll();
  const ordered = async () => {
    await setUp();
    await account.run();
  };
  const held = async () => {
    await setUp({ rules: { guards: { backorder: true, unknownPrice: true } } }, 'A');
    await account.run();
  };
  const unclear = async () => {
    await setUp({ rules: { submissionConsumesCart: false } });
    placing.service.faults.replace([{ endpoint: 'submitOrder', kind: 'close-before', count: 1 }]);
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'held', reason_code: 'submission_unknown' });
  };
  const changeItems = (items: string) =>
    placing.pool.query(
      `update dealer_service.orders o set items = $2
       from dealer_service.submissions s where s.submission_id = o.submission_id and s.dealer = $1`,
      [account.dealer, items],
    );
  const missing = async () => {
    let gone = false;
    const around = (api: DealerApi): DealerApi => ({
      ...api,
      showOrder: (...args) =>
        gone ? Promise.resolve({ kind: 'not_found', message: 'answered 404' }) : api.showOrder(...args),
      listOrders: (...args) => (gone ? Promise.resolve({ kind: 'ok', value: [] }) : api.listOrders(...args)),
    });
    await setUp({ around });
    await account.run();
    gone = true;
    await placing.pool.query(
      `update purchase_orders set ordered_at = clock_timestamp() - interval '1 day' where account = $1`,
      [account.account],
    );
    await placing.pool.query(
      `update intents i set begun_at = begun_at - interval '1 day', ended_at = ended_at - interval '1 day'
       from purchase_orders p where p.id = i.purchase_order_id and p.account = $1`,
      [account.account],
    );
  };

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['it is ordered', () => setUp(), () => account.run()],
    [
      'it is held',
      () => setUp({ rules: { guards: { backorder: true, unknownPrice: true } } }, 'A'),
      () => account.run(),
    ],
    ['a person releases it', held, () => account.act('release', { poNumber: 'PO-1' })],
    ['a person cancels it', held, () => account.act('cancel', { poNumber: 'PO-1' })],
    ['a poll sees its order', ordered, poll],
    [
      'a poll closes it',
      async () => {
        await ordered();
        await account.poll();
        await placing.pool.query(
          `update orders set changed_at = clock_timestamp() - interval '200 days' where account = $1`,
          [account.account],
        );
      },
      poll,
    ],
    [
      'its quantities raise an alarm',
      async () => {
        await ordered();
        await changeItems('[{"sku":"B","name":"Item B","quantity":2,"available":2,"price_cents":250}]');
      },
      poll,
    ],
    ['its order is missing', missing, poll],
    [
      'its order appears late',
      async () => {
        await unclear();
        await account.api.createOrder('PO-1');
      },
      poll,
    ],
  ])('is due when %s, like the first one', async (_, before, change) => {
    await before();
    await allWritten();
    await change();
    expect(await due()).toEqual([first.importId, again]);
  });

  test('is not due when a poll finds no change', async () => {
    await ordered();
    await account.poll();
    await account.poll();
    await allWritten();
    await account.poll();
    expect(await due()).toEqual([]);
  });
});

describe('a due result file is written', () => {
  beforeEach(() => setUp());

  test('only after all POs that it shows have finished placing', async () => {
    await placing.pool.query('update imports set result_written_at = null where account = $1', [
      account.account,
    ]);
    expect(await listed()).toEqual([]);
    await account.run();
    expect(await listed()).toEqual([first.importId, again]);
  });

  test('as soon as its last PO has finished, no matter which import contained that PO', async () => {
    const other = await account.add('PO-2', [{ sku: 'B', quantity: 1 }], { importId: first.importId });
    const finished = createFinishedCheck(placing.pool);
    await account.becomeDue();
    await account.step(first.id);
    expect(await finished(first.id)).toEqual([again]);
    await account.step(other.id);
    expect(await finished(other.id)).toEqual([first.importId]);
    expect((await finished(first.id)).sort()).toEqual([first.importId, again].sort());
  });
});

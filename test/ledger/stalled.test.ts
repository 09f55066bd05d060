import { beforeEach, expect, test } from 'vitest';
import { endLapsedLeases, reviveOverdue } from '../../src/ledger/po/due-work.ts';
import { listStalled, noteIdleBacklogs } from '../../src/ledger/po/stalled.ts';
import { beat } from '../../src/ledger/workers.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const on = useTestLedger();
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const owner = '00000000-0000-4000-8000-000000000001';

let file: string;
beforeEach(async () => {
  await on.pool.query('truncate imports, purchase_orders, account_states, workers cascade');
  file = await insertImport(on.pool);
  await beat(on.pool, {
    ...{ id: owner, host: 'here', pid: 1, slots: 4, places: ['default'], reads: [], troubles: {} },
  });
});

/** A PO that has been due for long. */
const add = (number: string, more: object = {}) =>
  insertPurchaseOrder(on.pool, file, number, {
    dispatch: 'window',
    next_at: minutesAgo(60),
    changed_at: minutesAgo(60),
    ...more,
  });
const stalled = async () => (await listStalled(on.pool, ['default'])).map(({ poNumber }) => poNumber);
const revive = () => reviveOverdue(on.pool, { after: { importId: '0', id: '0' }, limit: 500 }, ['default']);
/** Moves everything back by the time within which a new run must help. */
const elevenMinutesPass = () =>
  on.pool.query(`update purchase_orders set stalled_since = stalled_since - interval '11 minutes',
    next_at = next_at - interval '11 minutes', changed_at = case when state = 'ready' then changed_at else changed_at - interval '11 minutes' end`);

test('a PO that is late gets a new run, once as news; one that does not help for ten minutes names the PO', async () => {
  await add('PO-1');
  const first = await revive();
  expect(first).toMatchObject([{ poNumber: 'PO-1', late: true }]);
  expect(await stalled()).toEqual([]);
  await elevenMinutesPass();
  expect(await stalled()).toEqual(['PO-1']);
  const second = await revive();
  expect(second).toMatchObject([{ poNumber: 'PO-1', late: false, run: first[0]!.run + 1 }]);
  // The new run is not progress: the PO has been stalled since the first one.
  expect(await stalled()).toEqual(['PO-1']);
});

test('whatever changes the PO ends that, also a worker of an earlier version', async () => {
  const id = await add('PO-1');
  await revive();
  await elevenMinutesPass();
  await on.pool.query(
    `update purchase_orders set state = 'cart_created', changed_at = clock_timestamp() where id = $1`,
    [id],
  );
  expect(await stalled()).toEqual([]);
  expect((await on.pool.query('select stalled_since from purchase_orders')).rows).toEqual([
    { stalled_since: null },
  ]);
});

test('a worker that takes the PO again and again and does nothing with it does not end it', async () => {
  const id = await add('PO-1', { lease_owner: owner, lease_until: minutesAgo(30) });
  expect(await endLapsedLeases(on.pool, { graceMs: 0, limit: 9 }, ['default'])).toHaveLength(1);
  await elevenMinutesPass();
  expect(await stalled()).toEqual(['PO-1']);
  const lease = (until: Date) =>
    on.pool.query('update purchase_orders set lease_owner = $2, lease_until = $3 where id = $1', [
      id,
      owner,
      until,
    ]);
  // A PO under a lease is not stalled.
  await lease(new Date(Date.now() + 60_000));
  expect(await stalled()).toEqual([]);
  await lease(minutesAgo(1));
  expect(await stalled()).toEqual(['PO-1']);
});

test('in a long queue a PO waits for its turn: it stands still only if one that became due later was taken', async () => {
  await add('PO-1');
  await revive();
  await elevenMinutesPass();
  // Other POs of the account make progress, but they became due earlier.
  await add('PO-0', {
    state: 'ordered',
    dispatch: 'backlog',
    next_at: minutesAgo(30),
    changed_at: minutesAgo(1),
  });
  expect(await stalled()).toEqual([]);
  await add('PO-2', {
    state: 'ordered',
    dispatch: 'backlog',
    next_at: minutesAgo(5),
    changed_at: minutesAgo(1),
  });
  expect(await stalled()).toEqual(['PO-1']);
});

test.each([
  [
    'a pause of its account has just ended',
    `insert into account_states (account, paused_until) values ('default', now() - interval '1 minute')`,
  ],
  [
    'the account is paused',
    `insert into account_states (account, paused_until, pause_code) values ('default', now() + interval '1 hour', 'x')`,
  ],
  [
    'its quote is being worked on',
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, quote_only)
     select account, po_number, po_key, (select max(id) from imports), 3, 1, '', 'ready', true from purchase_orders`,
  ],
  ['it has ended', `update purchase_orders set state = 'held'`],
])('a PO does not stand still while %s', async (_, change) => {
  await add('PO-1');
  await revive();
  await elevenMinutesPass();
  expect(await stalled()).toEqual(['PO-1']);
  await insertImport(on.pool);
  await on.pool.query(change);
  expect(await stalled()).toEqual([]);
});

test('the backlog of an account that has no job at all stands still with its first PO', async () => {
  await add('PO-2', { dispatch: 'backlog', turn: 2 });
  await add('PO-1', { dispatch: 'backlog', turn: 1 });
  const working = await add('PO-0');
  await noteIdleBacklogs(on.pool, ['default']);
  await elevenMinutesPass();
  expect(await stalled()).toEqual([]);
  await on.pool.query(`update purchase_orders set state = 'held', changed_at = $2 where id = $1`, [
    working,
    minutesAgo(20),
  ]);
  await noteIdleBacklogs(on.pool, ['default']);
  await elevenMinutesPass();
  expect(await stalled()).toEqual(['PO-1']);
});

test('where no running process places the account, what is due stands still as well', async () => {
  await add('PO-1');
  await add('PO-2', { next_at: minutesAgo(5) });
  expect(await stalled()).toEqual([]);
  await on.pool.query('truncate workers');
  expect(await stalled()).toEqual(['PO-1']);
});

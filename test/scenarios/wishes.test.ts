import { expect, test } from 'vitest';
import { pauseByOperator, resumeByOperator } from '../../src/ledger/console/operator-pauses.ts';
import { deferRun, endLapsedLeases } from '../../src/ledger/po/due-work.ts';
import { fillWindow } from '../../src/ledger/po/windows.ts';
import type { Checkpoint } from '../../src/placing/placing-run.ts';
import { usePlacing } from '../support/use-placing.ts';

const placing = usePlacing();
const two = [
  { sku: 'A', quantity: 2 },
  { sku: 'B', quantity: 1 },
];
const ann = { who: 'Ann', via: 'command line' as const };

/** A person acts on a PO at its nth checkpoint of this name, while a worker has it. */
const whilePlacing = async (
  name: Checkpoint,
  nth: number,
  act: (account: ReturnType<typeof placing.account>) => Promise<unknown>,
) => {
  const account = placing.account();
  const { id } = await account.add('PO-1', two);
  let seen = 0;
  const advanced = await account.step(id, async (at) => {
    if (at === name && ++seen === nth) await act(account);
  });
  expect(seen).toBeGreaterThanOrEqual(nth);
  return { account, id, advanced };
};
const leaseOf = async (id: string) =>
  (await placing.pool.query('select lease_owner, dispatch, run from purchase_orders where id = $1', [id]))
    .rows[0];

/** Every moment of an undisturbed PO at which something is sent or recorded. */
const moments: [Checkpoint, number][] = [
  ['intent_committed', 1],
  ['effect_done', 1],
  ['outcome_committed', 1],
  ['intent_committed', 2],
  ['between_items', 1],
  ['effect_done', 2],
  ['outcome_committed', 2],
];
const submitting: [Checkpoint, number][] = [
  ['intent_committed', 3],
  ['effect_done', 3],
];

test.each(moments)(
  'cancelled at %s %i, while a worker has it: nothing is ordered, and its cart is gone',
  async (...moment) => {
    const { account } = await whilePlacing(...moment, async (it) => {
      expect(await it.act('cancel', { poNumber: 'PO-1' })).toMatchObject([{ kind: 'done' }]);
      expect(await it.act('cancel', { poNumber: 'PO-1' })).toEqual([
        { kind: 'not_possible', why: 'it is already being cancelled' },
      ]);
    });
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'cancelled', cart_number: null, alarm: null });
    expect(await account.ordered('PO-1')).toEqual([]);
  },
);

test.each(moments)(
  'asked to hold it at %s %i, while a worker has it: it is held, and a release orders it',
  async (...moment) => {
    const { account } = await whilePlacing(...moment, (it) => it.act('hold', { poNumber: 'PO-1' }));
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'held', reason_code: 'on_hold' });
    expect(await account.ordered('PO-1')).toEqual([]);
    await account.act('release', { poNumber: 'PO-1' });
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', alarm: null });
    expect(await account.ordered('PO-1')).toHaveLength(1);
  },
);

test.each(
  submitting.flatMap(([name, nth]) =>
    (['cancel', 'hold'] as const).map((action) => [name, nth, action] as const),
  ),
)(
  'at %s %i of its submission, %s comes too late: it is ordered once, and an alarm says what happened instead',
  async (name, nth, action) => {
    const { account } = await whilePlacing(name, nth, (it) => it.act(action, { poNumber: 'PO-1' }));
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({
      state: 'ordered',
      alarm: expect.stringContaining(`A person asked to ${action} this PO`),
    });
    expect(await account.ordered('PO-1')).toHaveLength(1);
  },
);

test('a PO that no worker has is held at once', async () => {
  const account = placing.account();
  await account.add('PO-1', two);
  expect(await account.act('hold', { poNumber: 'PO-1' })).toEqual([{ kind: 'done', state: 'held' }]);
  expect(account.calls).toEqual([]);
});

test.each(moments)(
  'an account that a person pauses at %s %i of a PO: its lease is given back, and it goes on when the account is resumed',
  async (...moment) => {
    const { account, id, advanced } = await whilePlacing(...moment, (it) =>
      pauseByOperator(placing.pool, it.account, ann),
    );
    // The outcome of a creation or of lines in flight is recorded first.
    if (advanced.kind === 'transitioned') expect(await account.step(id)).toMatchObject({ why: 'paused' });
    else expect(advanced).toEqual({ kind: 'later', waitMs: 0, why: 'paused' });
    expect(await leaseOf(id)).toMatchObject({ lease_owner: null });

    // Its job ends without a successor, because only a person decides when to resume.
    const options = { graceMs: 60_000, windowOf: () => 8 };
    expect(await deferRun(placing.pool, id, options)).toEqual([]);
    expect(await leaseOf(id)).toMatchObject({ dispatch: 'backlog' });
    expect(await fillWindow(placing.pool, account.account, 8)).toEqual([]);

    await resumeByOperator(placing.pool, account.account, ann);
    expect(await fillWindow(placing.pool, account.account, 8)).toMatchObject([{ id }]);
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', alarm: null });
    expect(await account.ordered('PO-1')).toHaveLength(1);
  },
);

test('resuming an account gives new runs to POs whose jobs waited for its pause', async () => {
  const account = placing.account();
  const { id } = await account.add('PO-1', two, { row: { dispatch: 'waiting', run: 7 } });
  await pauseByOperator(placing.pool, account.account, ann);
  await resumeByOperator(placing.pool, account.account, ann);
  expect(await leaseOf(id)).toMatchObject({ dispatch: 'backlog', run: 8 });
});

test('a PO whose lease and grace are over gets a new run, whatever key the queue has seen', async () => {
  const account = placing.account();
  const owner = '00000000-0000-4000-8000-000000000001';
  const lapsed = { lease_owner: owner, run: 3, dispatch: 'window' };
  const { id } = await account.add('PO-1', two, {
    row: { ...lapsed, lease_until: new Date(Date.now() - 61_000) },
  });
  const { id: inGrace } = await account.add('PO-2', two, {
    row: { ...lapsed, lease_until: new Date(Date.now() - 30_000) },
  });
  const sweep = { graceMs: 60_000, limit: 500 };
  expect(await endLapsedLeases(placing.pool, sweep, [account.account])).toMatchObject([{ id, run: 4 }]);
  expect(await leaseOf(id)).toMatchObject({ lease_owner: null });
  expect(await leaseOf(inGrace)).toMatchObject({ lease_owner: owner, run: 3 });
});

test('a call that was sent with a longer timeout keeps its PO for as long as it can take effect', async () => {
  const account = placing.account();
  const owner = '00000000-0000-4000-8000-000000000001';
  const { id } = await account.add('PO-1', two, {
    row: { lease_owner: owner, lease_until: new Date(Date.now() - 61_000), dispatch: 'window' },
  });
  await placing.pool.query(
    `insert into intents (purchase_order_id, epoch, step, timeout_ms) values ($1, 0, 'create_cart', 40000)`,
    [id],
  );
  const sweep = { graceMs: 60_000, limit: 500 };
  // Three times 40 s after the end of the lease.
  expect(await endLapsedLeases(placing.pool, sweep, [account.account])).toEqual([]);
  expect(await account.step(id)).toMatchObject({ kind: 'later', why: 'leased' });
});

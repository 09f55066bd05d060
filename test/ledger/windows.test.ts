import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { deferRun } from '../../src/ledger/po/due-work.ts';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { fillWindow, findBacklogs } from '../../src/ledger/po/windows.ts';
import { activeStates, type TakenPurchaseOrder, type Transition } from '../../src/placing/types.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const db = useTestLedger();
afterEach(() => db.pool.query('truncate imports, purchase_orders, account_states cascade'));

const size = 3;
const owner = randomUUID();
const ledger = () => createPlacingLedger(db.pool, () => size);

/** Inserts ready POs of one file and returns their IDs. */
const addFile = async (count: number, row: Record<string, unknown> = {}, firstTurn = 1) => {
  const account = (row.account as string | undefined) ?? 'default';
  const importId = await insertImport(db.pool, { account });
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const poNumber = `${importId}-${nth}`;
    ids.push(await insertPurchaseOrder(db.pool, importId, poNumber, { turn: firstTurn + nth, ...row }));
  }
  return ids;
};
test('nothing is started for an account that is closed, paused or not', async () => {
  const ids = await addFile(4);
  const closed = () => fillWindow(db.pool, 'default', 0);
  expect(await closed()).toEqual([]);
  await db.pool.query(
    `insert into account_states (account, paused_until, pause_code) values ('default', now(), 'denied')`,
  );
  expect(await closed()).toEqual([]);
  await db.pool.query('delete from account_states');
  expect(await fill()).toEqual(ids.slice(0, size));
  expect(await closed()).toEqual([]);
});

const fill = async (account = 'default') =>
  (await fillWindow(db.pool, account, size)).map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b));
const defer = async (id: string) =>
  (await deferRun(db.pool, id, { graceMs: 0, windowOf: () => size })).map((work) => work.id);
const dispatchOf = async (id: string) =>
  (await db.pool.query('select dispatch from purchase_orders where id = $1', [id])).rows[0].dispatch;
const take = async (id: string): Promise<TakenPurchaseOrder> => {
  const taken = await ledger().take(id, {
    owner,
    accounts: ['default', 'other'],
    states: activeStates,
    leaseMs: 60_000,
    graceMs: 0,
  });
  if (taken.kind !== 'taken') throw new Error(`not taken: ${taken.kind}`);
  return taken.po;
};
const transition = async (id: string, change: Partial<Transition> & Pick<Transition, 'state'>) => {
  const released = await ledger().transition(await take(id), owner, { epoch: 'same', waitMs: 0, ...change });
  return { queued: released!.queued, next: released!.next.map((work) => work.id) };
};
const pause = (untilMs: number) => {
  const wait = { code: 'not_answering', reason: 'nothing', firstMs: untilMs, capMs: untilMs } as const;
  return ledger().pauseAccount('default', wait);
};

describe('the window of an account', () => {
  test('is filled once, in the order of the file, with what a job needs', async () => {
    const ids = await addFile(5);
    const [first] = await fillWindow(db.pool, 'default', 1);
    expect(first).toMatchObject({
      id: ids[0],
      account: 'default',
      fileName: 'orders.csv',
      state: 'ready',
      waitMs: 0,
    });
    expect(await fill()).toEqual([ids[1], ids[2]]);
    expect(await fill()).toEqual([]);
    expect(await findBacklogs(db.pool, ['default', 'other'])).toEqual(['default']);
  });

  test('is passed on by a PO that ends, in the same statement', async () => {
    const ids = await addFile(5);
    await fill();
    expect(await transition(ids[1]!, { state: 'ordered' })).toEqual({ queued: false, next: [ids[3]] });
    expect(await transition(ids[0]!, { state: 'held' })).toEqual({ queued: false, next: [ids[4]] });
    expect(await transition(ids[2]!, { state: 'failed' })).toEqual({ queued: false, next: [] });
  });

  test('is passed on by a PO that waits, which keeps a delayed job and comes back on top', async () => {
    const ids = await addFile(5);
    await fill();
    expect(await transition(ids[0]!, { state: 'verifying', waitMs: 1 })).toEqual({
      queued: true,
      next: [ids[3]],
    });
    expect(await dispatchOf(ids[0]!)).toBe('waiting');
    // After it has ended, the window is full without it.
    await expect.poll(() => take(ids[0]!).catch(() => undefined)).toBeDefined();
    await db.pool.query('update purchase_orders set lease_owner = null where id = $1', [ids[0]]);
    expect((await transition(ids[0]!, { state: 'ordered' })).next).toEqual([]);
  });

  test('is passed on by an order that waits for its quote', async () => {
    const ids = await addFile(4);
    await fill();
    const { rows } = await db.pool.query('select * from purchase_orders where id = $1', [ids[0]]);
    const importId = await insertImport(db.pool);
    await insertPurchaseOrder(db.pool, importId, rows[0].po_number, {
      po_key: rows[0].po_key,
      quote_only: true,
      turn: 9,
    });
    expect(await defer(ids[0]!)).toEqual([ids[0], ids[3]]);
    expect(await dispatchOf(ids[0]!)).toBe('waiting');
  });

  test('is kept by a PO that only passes from one job to the next', async () => {
    const ids = await addFile(5);
    await fill();
    expect(await transition(ids[0]!, { state: 'cart_created' })).toEqual({ queued: true, next: [] });
    expect(await dispatchOf(ids[0]!)).toBe('window');
  });

  test('is never exceeded and never left empty by POs that end at the same time', async () => {
    const ids = await addFile(40);
    let running = await fill();
    const ended: string[] = [];
    while (running.length > 0) {
      ended.push(...running);
      const results = await Promise.all(running.map((id) => transition(id, { state: 'ordered' })));
      running = results.flatMap(({ next }) => next);
      expect(running.length).toBeLessThanOrEqual(size * 2);
      if (running.length === 0) running = await fill();
    }
    expect(ended.toSorted((a, b) => Number(a) - Number(b))).toEqual(ids);
    expect(new Set(ended).size).toBe(40);
  });

  test('is never left empty by POs that end at the same time while it shrinks', async () => {
    const ids = await addFile(12);
    const running = (await fillWindow(db.pool, 'default', 4)).map(({ id }) => id);
    const taken = await Promise.all(running.map(take));
    const shrunk = createPlacingLedger(db.pool, () => 1);
    // All statements begin before the first of them ends.
    const barrier = await db.pool.connect();
    await barrier.query('begin');
    await barrier.query('select from purchase_orders where id = any($1) for update', [running]);
    const ends = taken.map((po) =>
      shrunk.transition(po, owner, { state: 'ordered', epoch: 'same', waitMs: 0 }),
    );
    await expect
      .poll(async () => {
        const { rows } = await db.pool.query(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0].n;
      })
      .toBe(running.length);
    await barrier.query('commit');
    barrier.release();
    const next = (await Promise.all(ends)).flatMap((released) => released!.next.map(({ id }) => id));
    expect(next).toEqual([ids[4]]);
  });

  test('belongs to one account: another one fills its own', async () => {
    await addFile(5);
    await fill();
    const others = await addFile(2, { account: 'other' });
    expect(await fill('other')).toEqual(others);
  });

  test('does not grow with POs that wait without end: at most a thousand of them, and no new ones', async () => {
    const importId = await insertImport(db.pool);
    await db.pool.query(
      `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, dispatch)
       select 'default', 'W-' || n, 'w-' || n, $1, n, 1, 'h', 'verifying', 'waiting' from generate_series(1, 1000) n`,
      [importId],
    );
    await addFile(2);
    expect(await fill()).toEqual([]);
    await db.pool.query(`update purchase_orders set state = 'held' where po_number = 'W-1'`);
    expect(await fill()).toHaveLength(2);
  });
});

describe('while an account is paused', () => {
  test('the queue holds one of its POs; the others return to the backlog, and go on first when calls succeed', async () => {
    const ids = await addFile(6);
    await fill();
    await pause(1);
    for (const id of ids.slice(0, 3)) {
      expect(await transition(id, { state: 'ready', waitMs: 60_000 })).toEqual({
        queued: id === ids[0],
        next: [],
      });
    }
    expect(await fill()).toEqual([]);
    await expect.poll(() => ledger().clearPause('default')).toBe(true);
    expect(await fill()).toEqual([ids[1], ids[2]]);
  });

  test('its job that came too early returns to the backlog as well', async () => {
    const ids = await addFile(4);
    await fill();
    await pause(60_000);
    expect(await defer(ids[1]!)).toEqual([]);
    expect(await dispatchOf(ids[1]!)).toBe('backlog');
    const [only, ...others] = await deferRun(db.pool, ids[0]!, { graceMs: 0, windowOf: () => size });
    expect(only!.waitMs).toBeGreaterThan(50_000);
    expect(others).toEqual([]);
  });

  test('the PO that tries is never an order that waits for its quote, because it would make no call', async () => {
    const [order] = await addFile(1);
    await fill();
    const importId = await insertImport(db.pool);
    const { rows } = await db.pool.query('select po_number, po_key from purchase_orders where id = $1', [
      order,
    ]);
    const quote = await insertPurchaseOrder(db.pool, importId, rows[0].po_number, {
      po_key: rows[0].po_key,
      quote_only: true,
      turn: 9,
    });
    await pause(60_000);
    expect(await defer(order!)).toEqual([quote]);
    expect(await dispatchOf(order!)).toBe('backlog');
    expect(await fill()).toEqual([]);
    // It is next when its quote has ended.
    expect(await defer(quote)).toEqual([quote]);
    await db.pool.query(`update purchase_orders set state = 'held' where id = $1`, [quote]);
    expect(await fill()).toEqual([order]);
  });

  test('one PO follows the last one that ended', async () => {
    const ids = await addFile(4);
    await fill();
    for (const id of ids.slice(0, 3)) await take(id);
    await pause(60_000);
    const end = async (id: string) => {
      const { rows } = await db.pool.query('select * from purchase_orders where id = $1', [id]);
      const po = { ...rows[0], lines: [], intents: [] };
      return (await ledger().transition(po, owner, { epoch: 'same', waitMs: 0, state: 'ordered' }))!.next;
    };
    expect(await end(ids[0]!)).toEqual([]);
    expect(await end(ids[1]!)).toEqual([]);
    expect((await end(ids[2]!)).map(({ id }) => id)).toEqual([ids[3]]);
  });
});

describe('the files of an account', () => {
  test('take turns: a small file behind a large one is placed at once', async () => {
    const large = await addFile(10, {}, 1);
    await fill();
    // Like staging, start the turns of the new file where the others are now.
    const small = await addFile(2, {}, 4);
    const order: string[] = [];
    for (const id of large.slice(0, 3)) order.push(...(await transition(id, { state: 'ordered' })).next);
    for (const id of [...order]) order.push(...(await transition(id, { state: 'ordered' })).next);
    expect(order.filter((id) => small.includes(id))).toHaveLength(2);
    expect(order.indexOf(small[1]!)).toBeLessThanOrEqual(4);
  });
});

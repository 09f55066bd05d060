import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import type { ChangesAnswer } from '../../src/api-contract/changes.ts';
import { beginFeedEra } from '../../src/ledger/feed.ts';
import { pruneFeed } from '../../src/ledger/prune-feed.ts';
import { inTransaction } from '../../src/ledger/transaction.ts';
import { useConsole } from '../console/use-console.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';

const use = useConsole();
let importId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  importId = await insertImport(use.deps.pool, { account: 'north', file_name: 'monday.csv' });
  headers = await use.withToken('viewer');
});

const get = (query: string, as = headers) => use.app.inject({ url: `/api/v1/changes${query}`, headers: as });
const read = async (query = '', as = headers): Promise<ChangesAnswer> => {
  const answer = await get(query, as);
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200);
  return answer.json();
};
/** The cursor of the feed's current end. */
const now = async (): Promise<string> => {
  let page = await read('?limit=1000');
  while (page.more) page = await read(`?limit=1000&after=${page.next}`);
  return page.next;
};
const since = async (cursor: string, as = headers) => (await read(`?limit=1000&after=${cursor}`, as)).changes;
const typesOf = (changes: ChangesAnswer['changes']) =>
  changes.map(({ type }) => type.replace('cartwright.', ''));

it('tells of a PO from the file to the last status, each change with before and after', async () => {
  const { pool } = use.deps;
  const cursor = await now();
  const id = await insertPurchaseOrder(pool, importId, 'FEED-1', { account: 'north' });
  await insertRow(pool, 'lines', {
    ...{
      import_id: importId,
      row_number: 2,
      po_number: 'FEED-1',
      item_sku: 'A-1',
      sku: 'A-1',
      quantity: 3,
      dealer_price: '1.5',
    },
  });
  for (const state of ['cart_created', 'items_added', 'submitting'])
    await pool.query('update purchase_orders set state = $2 where id = $1', [id, state]);
  await pool.query(
    `update purchase_orders set state = 'held', reason_code = 'price_above', reason_text = 'Too dear.' where id = $1`,
    [id],
  );
  await pool.query(
    `update purchase_orders set state = 'ready', reason_code = null, reason_text = null where id = $1`,
    [id],
  );
  // Like a transition: the order and the state in one statement.
  await pool.query(
    `with o as (insert into orders (purchase_order_id, account, po_number, order_number) values ($1, 'north', 'FEED-1', 'SO-1'))
     update purchase_orders set state = 'ordered' where id = $1`,
    [id],
  );
  await pool.query(
    `update orders set order_status = 'In O/E', order_total = 4.5 where purchase_order_id = $1`,
    [id],
  );
  await pool.query(
    `update orders set order_status = 'Shipped', tracking_numbers = '{1Z,2Z}' where purchase_order_id = $1`,
    [id],
  );
  await pool.query(
    `update orders set tracking_numbers = '{2Z}', order_status = 'Picking' where purchase_order_id = $1`,
    [id],
  );
  await pool.query(`update orders set changed_at = now() where purchase_order_id = $1`, [id]);
  await pool.query(`update purchase_orders set alarm = '9 A-1 and not 3' where id = $1`, [id]);
  await pool.query(`update purchase_orders set alarm_settled_at = now() where id = $1`, [id]);
  await pool.query(`update purchase_orders set state = 'closed' where id = $1`, [id]);

  const changes = await since(cursor);
  expect(typesOf(changes)).toEqual([
    ...[
      'po.read',
      'po.held',
      'po.continued',
      'po.ordered',
      'order.changed',
      'order.changed',
      'order.changed',
    ],
    ...['alarm.raised', 'alarm.settled', 'po.closed'],
  ]);
  expect(changes[1]).toMatchObject({
    specversion: '1.0',
    source: '/cartwright/accounts/north',
    subject: 'FEED-1',
    data: {
      account: 'north',
      purchaseOrderId: id,
      importId,
      fileName: 'monday.csv',
      after: { reasonCode: 'price_above', reason: 'Too dear.' },
    },
  });
  expect(changes[3]!.data).toMatchObject({
    after: { state: 'ordered', orderNumbers: ['SO-1'] },
    lines: [{ rowNumber: 2, sku: 'A-1', quantity: 3, price: '1.5' }],
  });
  expect(changes[4]!.data).toMatchObject({
    orderNumber: 'SO-1',
    after: { order_status: 'In O/E', order_total: 4.5 },
  });
  expect(changes[4]!.data.before).toBeUndefined();
  expect(changes[6]!.data).toMatchObject({
    before: { order_status: 'Shipped', tracking_numbers: ['1Z', '2Z'] },
    after: { order_status: 'Picking', tracking_numbers: ['2Z'] },
  });
  expect(new Set(changes.map((one) => one.id)).size).toBe(changes.length);
});

it('tells of POs that are wrong, with their issues, after it has told that they were read', async () => {
  const { pool } = use.deps;
  const cursor = await now();
  await insertRow(pool, 'row_issues', {
    ...{
      import_id: importId,
      row_number: 9,
      po_number: 'FEED-2',
      column_name: 'Qty',
      code: 'not_a_number',
      message: 'Not a number.',
    },
  });
  const id = await insertPurchaseOrder(pool, importId, 'FEED-2', {
    account: 'north',
    state: 'rejected',
    reason_code: 'row_issues',
  });
  await pool.query(`update purchase_orders set reason_code = 'corrected' where id = $1`, [id]);
  const changes = await since(cursor);
  expect(typesOf(changes)).toEqual(['po.read', 'po.rejected', 'po.corrected']);
  expect(changes[1]!.data.issues).toMatchObject([{ rowNumber: 9, column: 'Qty', code: 'not_a_number' }]);
});

it('tells of a cancellation once, also while the cart is still being deleted', async () => {
  const { pool } = use.deps;
  const id = await insertPurchaseOrder(pool, importId, 'FEED-6', {
    account: 'north',
    state: 'held',
    reason_code: 'on_hold',
  });
  const cursor = await now();
  await pool.query(
    `update purchase_orders set state = 'ready', reason_code = null, cancelling = true where id = $1`,
    [id],
  );
  await pool.query(`update purchase_orders set state = 'cancelled', cancelling = false where id = $1`, [id]);
  expect(typesOf(await since(cursor))).toEqual(['po.cancelled']);
});

it('shows a program only the accounts of its token', async () => {
  const { pool } = use.deps;
  const cursor = await now();
  await insertPurchaseOrder(pool, importId, 'FEED-3', { account: 'south' });
  const north = await use.withToken('viewer', ['north']);
  expect(await since(cursor, north)).toEqual([]);
  expect((await get('?account=south', north)).statusCode).toBe(404);
  expect((await read(`?after=${cursor}&account=south`)).changes).toHaveLength(1);
  // Changes that a program may not see still advance its cursor.
  expect((await read(`?after=${cursor}`, north)).next).not.toBe(cursor);
});

it('skips nothing beside long transactions, and keeps the order of each PO', async () => {
  const { pool } = use.deps;
  let cursor = await now();
  const writers = 6;
  const each = 25;
  const ids = await Promise.all(
    Array.from({ length: writers }, (_, at) =>
      insertPurchaseOrder(pool, importId, `LONG-${at}`, { account: 'north' }),
    ),
  );
  let writing = writers;
  const write = async (seed: number): Promise<void> => {
    for (let n = 0; n < each; n += 1) {
      // Two POs in one slow transaction, in a fixed order to avoid deadlocks.
      const [first, second] = [ids[seed]!, ids[(seed + n) % writers]!].sort((a, b) => Number(a) - Number(b));
      await inTransaction(pool, {}, async (client) => {
        await client.query('select txid_current()');
        await sleep((seed * 7 + n * 3) % 11);
        for (const id of new Set([first, second]))
          await client.query(
            `update purchase_orders set alarm = (coalesce(alarm, '0')::int + 1)::text, changed_at = now() where id = $1`,
            [id],
          );
        await sleep((seed * 5 + n) % 9);
      });
    }
    writing -= 1;
  };
  const seen = new Map<string, number[]>();
  const follow = async (): Promise<void> => {
    for (let isLast = false; !isLast; ) {
      isLast = writing === 0;
      let page: ChangesAnswer;
      do {
        page = await read(`?limit=7&after=${cursor}`);
        for (const { type, data } of page.changes) {
          if (type !== 'cartwright.alarm.raised') continue;
          const id = String(data.purchaseOrderId);
          seen.set(id, [...(seen.get(id) ?? []), Number((data.after as { alarm: string }).alarm)]);
        }
        cursor = page.next;
      } while (page.more);
    }
  };
  // Several programs read, so that several assign positions.
  const beside = async (): Promise<void> => {
    while (writing > 0) await read('?limit=1');
  };
  await Promise.all([follow(), beside(), ...ids.map((_, at) => write(at))]);
  const { rows } = await pool.query<{ id: string; alarm: string }>(
    'select id::text, alarm from purchase_orders where id = any($1)',
    [ids],
  );
  for (const { id, alarm } of rows)
    expect(seen.get(id)).toEqual(Array.from({ length: Number(alarm) }, (_, at) => at + 1));
}, 60_000);

it('starts at a moment', async () => {
  const { pool } = use.deps;
  await now();
  const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at');
  await insertPurchaseOrder(pool, importId, 'FEED-4', { account: 'north' });
  const { changes } = await read(`?since=${rows[0]!.at.toISOString()}`);
  expect(changes.map(({ subject }) => subject)).toContain('FEED-4');
  expect(changes.length).toBeLessThanOrEqual(2);
  expect((await read('?since=2999-01-01T00:00:00Z')).changes).toEqual([]);
});

it.each([
  ['?after=x', '`after` is not a cursor that this feed gave.'],
  ['?after=x&since=2026-11-26T00:00:00Z', 'Give `after` or `since`, not both.'],
  ['?since=yesterday', 'since '],
  ['?limit=0', 'limit '],
])('refuses %s with a sentence', async (query, sentence) => {
  const answer = await get(query);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail).toContain(sentence);
});

it('keeps every change that is younger than 30 days, also those that the statistics have counted', async () => {
  const { pool } = use.deps;
  const before = (await pool.query('select id from feed order by id')).rows;
  expect(before.length).toBeGreaterThan(0);
  expect(await pruneFeed(pool, () => false)).toBe(0);
  expect((await pool.query('select id from feed order by id')).rows).toEqual(before);
});

it('tells a program to read anew after 30 days, and after a restore', async () => {
  const { pool } = use.deps;
  const first = (await read('?limit=1')).next;
  const last = await now();
  await pool.query(
    `update feed set at = at - interval '31 days' where position <= (select position / 2 from feed_head)`,
  );
  expect(await pruneFeed(pool, () => false)).toBeGreaterThan(0);
  const old = await get(`?after=${first}`);
  expect([old.statusCode, old.json().code]).toEqual([410, 'read_anew']);
  expect(old.json().detail).toContain('older than 30 days');
  // It continues after its new snapshot; without a cursor it gets all retained changes.
  expect((await read(`?after=${old.json().start}`)).changes).toEqual([]);
  expect((await read('?limit=1000')).changes.length).toBeGreaterThan(0);
  expect((await read(`?after=${last}`)).changes).toEqual([]);

  await beginFeedEra(pool);
  const other = await get(`?after=${last}`);
  expect([other.statusCode, other.json().detail]).toEqual([
    410,
    expect.stringContaining('restored from a backup'),
  ]);
  await insertPurchaseOrder(pool, importId, 'FEED-5', { account: 'north' });
  const behind = await read(`?after=${other.json().start}`);
  expect(behind.changes.map(({ subject }) => subject)).toEqual(['FEED-5']);
});

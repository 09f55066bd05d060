import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { restoreBackup } from '../../src/ledger/backup/restore-backup.ts';
import { writeBackup } from '../../src/ledger/backup/write-backup.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { pruneFeed } from '../../src/ledger/prune-feed.ts';
import { pruneRows } from '../../src/ledger/retention.ts';
import { refreshStatistics } from '../../src/ledger/statistics/follow-feed.ts';
import { readStatistics } from '../../src/ledger/statistics/read-statistics.ts';
import { silentLogger } from '../../src/logger.ts';
import {
  createTestLedger,
  insertImport,
  insertPurchaseOrder,
  insertRow,
  useTestLedger,
} from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const never = () => false;
const refresh = () =>
  refreshStatistics(ledger.pool, [{ account: 'north', timeZone: 'America/Chicago' }], never);
const north = { account: 'north', today: '2026-11-26', lateDays: 7 };
const range = { from: '2025-11-01', to: '2026-11-26', by: 'day', within: 3 } as const;
const read = (accounts = [north], over: Partial<Parameters<typeof readStatistics>[2]> = {}) =>
  readStatistics(ledger.pool, accounts, { ...range, ...over });
const sumsOf = async () => (await read()).sums;

interface Given {
  account?: string;
  importId?: string;
  state?: string;
  lines?: { quantity: number; dealer_price?: string | null; backorder_quantity?: number }[];
  orders: Record<string, unknown>[];
}

let last = 0;
const next = () => {
  last += 1;
  return last;
};
const put = async ({
  account = 'north',
  importId,
  state = 'ordered',
  lines = [{ quantity: 1 }],
  orders,
}: Given) => {
  const { pool } = ledger;
  const file = importId ?? (await insertImport(pool, { account, sha256: String(next()) }));
  const poNumber = `P-${next()}`;
  const id = await insertPurchaseOrder(pool, file, poNumber, { account, state, ordered_at: new Date() });
  for (const line of lines)
    await insertRow(pool, 'lines', {
      import_id: file,
      row_number: next(),
      po_number: poNumber,
      item_sku: 'A',
      ...line,
    });
  for (const order of orders)
    await insertRow(pool, 'orders', {
      account,
      purchase_order_id: id,
      po_number: poNumber,
      order_number: `S-${next()}`,
      ...order,
    });
  return { id, file };
};

const items = (order_quantity: number, backorder_quantity = 0) =>
  JSON.stringify([{ sku: 'A', order_quantity, ship_quantity: 0, backorder_quantity }]);

beforeEach(async () => {
  await ledger.pool.query(
    'truncate feed, imports, purchase_orders, lines, orders, daily_statistics, daily_reasons, statistics_due, statistics_zones cascade',
  );
  await ledger.pool.query('update statistics_head set as_of = null');
});

describe('a day has', () => {
  it('the totals and pieces that the service shows, and otherwise the prices that it answered', async () => {
    await put({ orders: [{ order_date: '2026-11-20', order_total: '10.10', items: items(5) }] });
    await put({
      lines: [
        { quantity: 2, dealer_price: '1.25' },
        { quantity: 3, dealer_price: '2' },
      ],
      // A PO with two orders without totals counts once.
      orders: [{ order_date: '2026-11-20' }, { order_date: '2026-11-20' }],
    });
    await put({ orders: [{ order_date: '2026-11-20', order_total: '99', gone_at: new Date() }] });
    await refresh();
    expect(await sumsOf()).toEqual([
      {
        from: '2026-11-20',
        orders: 3,
        pieces: 10,
        amount: '18.60',
        byPrices: 1,
        withoutAmount: 1,
        backordered: 0,
        shipped: 0,
        shippable: 3,
        late: 0,
        lateable: 0,
      },
    ]);
  });

  it('what shipped in time and what is late, of those that are old enough', async () => {
    const shipped = (ship_date: string | null, more = {}) => ({
      order_date: '2026-11-10',
      ship_date,
      order_status: 'Shipped',
      ...more,
    });
    await put({ orders: [shipped('2026-11-10')] });
    await put({ orders: [shipped('2026-11-13')] });
    await put({ orders: [shipped('2026-11-14')] });
    await put({ orders: [shipped('2026-11-20')] });
    await put({ orders: [shipped(null)] });
    await put({ orders: [{ order_date: '2026-11-10', order_status: 'Picking' }] });
    await put({ state: 'closed', orders: [{ order_date: '2026-11-10', order_status: 'Cancelled' }] });
    await put({ orders: [{ order_date: '2026-11-24', order_status: 'Picking' }] });
    await refresh();
    const [old, young] = await sumsOf();
    expect(old).toMatchObject({ orders: 7, shipped: 2, shippable: 5, late: 2, lateable: 5 });
    expect(young).toMatchObject({ orders: 1, shipped: 0, shippable: 0, late: 0, lateable: 0 });
    expect((await read([north], { within: 4 })).sums[0]).toMatchObject({ shipped: 3 });
    expect((await read([{ ...north, lateDays: 20 }])).sums[0]).toMatchObject({ late: 0, lateable: 0 });
    expect((await read([{ ...north, lateDays: null as never }])).sums[0]).toMatchObject({
      late: 0,
      lateable: 0,
    });
  });

  it('what is on back-order, or was when its cart was filled', async () => {
    await put({ orders: [{ order_date: '2026-11-20', items: items(5, 2) }] });
    await put({ orders: [{ order_date: '2026-11-20', order_status: 'B/O' }] });
    await put({
      lines: [{ quantity: 2, backorder_quantity: 1 }, { quantity: 1 }],
      orders: [
        { order_date: '2026-11-20', items: items(2) },
        { order_date: '2026-11-20', items: items(1) },
      ],
    });
    await refresh();
    expect(await sumsOf()).toMatchObject([{ orders: 4, backordered: 3 }]);
  });

  it('another order once the service names another day', async () => {
    const { id } = await put({ orders: [{ first_seen_at: '2026-11-20T03:00:00Z' }] });
    await ledger.pool.query('update orders set first_seen_at = first_seen_at, order_status = $1', ['In O/E']);
    await refresh();
    expect((await sumsOf()).map(({ from, orders }) => [from, orders])).toEqual([['2026-11-20', 1]]);
    for (const [day, days] of [
      ['2026-11-19', [['2026-11-19', 1]]],
      ['2026-11-18', [['2026-11-18', 1]]],
    ] as const) {
      await ledger.pool.query('update orders set order_date = $1 where purchase_order_id = $2', [day, id]);
      await refresh();
      expect((await sumsOf()).map(({ from, orders }) => [from, orders])).toEqual(days);
    }
  });
});

describe('many orders', { timeout: 240_000 }, () => {
  const many = async () => {
    const file = await insertImport(ledger.pool, { account: 'north' });
    await ledger.pool.query(
      `with p as (
         insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, ordered_at)
         select case when n % 3 = 0 then 'south' else 'north' end, 'M-' || n, 'm-' || n, $1, 2, 1, 'h' || n,
           case when n % 11 = 0 then 'closed' else 'ordered' end, now() from generate_series(1, 3000) n returning *),
       l as (insert into lines (import_id, row_number, po_number, item_sku, quantity, dealer_price, backorder_quantity)
         select import_id, id + 10, po_number, 'A', id % 7, case when id % 5 > 0 then id % 13 end, case when id % 17 = 0 then 1 end from p)
       insert into orders (purchase_order_id, account, po_number, order_number, order_status, order_date, ship_date, order_total)
       select id, account, po_number, 'S' || po_number, 'Picking', (date '2026-11-26' - (id % 360)::int)::text,
         case when id % 2 = 0 then (date '2026-11-26' - (id % 360)::int + (id % 9)::int)::text end, case when id % 4 > 0 then id / 8.0 end from p`,
      [file],
    );
  };
  /** Counts all changes, and then days until the first pause, which are far from all even on a fast machine. */
  const countSomeDays = async () => {
    const { rows } = await ledger.pool.query('select count(*)::int as n from feed');
    let steps = Math.floor(rows[0].n / 2000) + 3;
    await refreshStatistics(ledger.pool, [], () => {
      steps -= 1;
      return steps === 0;
    });
  };
  const direct = async () =>
    (
      await ledger.pool.query(
        `select to_char(o.order_day, 'YYYY-MM-DD') as "from", count(*)::int as orders, sum(l.quantity)::int as pieces,
           coalesce(sum(coalesce(o.order_total, l.quantity * l.dealer_price)), 0)::text as amount,
           count(*) filter (where l.backorder_quantity > 0)::int as backordered,
           count(*) filter (where o.ship_day <= o.order_day + 3 and o.order_day + 3 < date '2026-11-26')::int as shipped
         from orders o join purchase_orders p on p.id = o.purchase_order_id join lines l on l.import_id = p.import_id and l.po_number = p.po_number
         where o.account = 'north' group by 1 order by 1`,
      )
    ).rows;
  const short = (sums: Awaited<ReturnType<typeof sumsOf>>) =>
    sums.map(({ from, orders, pieces, amount, backordered, shipped }) => ({
      from,
      orders,
      pieces,
      amount: Number(amount),
      backordered,
      shipped,
    }));
  const expected = async () => (await direct()).map((row) => ({ ...row, amount: Number(row.amount) }));

  it('are counted as a direct count has them, by two processes at once and after an interruption', async () => {
    await many();
    await countSomeDays();
    const partly = await read();
    expect(partly.asOf).toBeNull();
    expect(partly.daysToCount).toBeGreaterThan(0);
    // Cuts the connections of another process at a random point.
    const other = createPool(ledger.url, { max: 3, logger: silentLogger, applicationName: 'cut' });
    let cut: Promise<unknown> | undefined;
    await refreshStatistics(other, [], () => {
      cut ??= ledger.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut'`,
      );
      return false;
    }).catch(() => {});
    expect((await cut) as object).toMatchObject({ rowCount: expect.toSatisfy((n: number) => n > 0) });
    await other.end();
    // The lock of a killed process expires.
    await ledger.pool.query(`delete from locks where name = 'statistics'`);
    await Promise.all([refresh(), refresh(), refresh()]);
    await refresh();
    const found = await read();
    expect(found.daysToCount).toBe(0);
    expect(Date.now() - Date.parse(found.asOf!)).toBeLessThan(60_000);
    expect(short(found.sums)).toEqual(await expected());
    // Counting again changes nothing.
    await ledger.pool.query('insert into statistics_due select distinct account, order_day from orders');
    await refresh();
    expect(short(await sumsOf())).toEqual(await expected());
  });

  it('are found by the first worker after an upgrade, and what was held or failed then', async () => {
    await many();
    await put({ state: 'failed', orders: [] });
    await refresh();
    const { sums } = await read();
    await ledger.pool.query('truncate daily_statistics, daily_reasons, feed');
    const migration = await readFile(
      new URL('../../src/ledger/migrations/050-statistics.sql', import.meta.url),
      'utf8',
    );
    for (const fill of migration.match(/^insert into (?:statistics_due|daily_reasons) [^;]+;/gm)!)
      await ledger.pool.query(fill);
    await refresh();
    expect(await sumsOf()).toEqual(sums);
    const { rows } = await ledger.pool.query('select account, state, reason_code, count from daily_reasons');
    expect(rows).toEqual([{ account: 'north', state: 'failed', reason_code: 'unknown', count: 1 }]);
  });

  it('are counted to the end from a backup that was made in the middle', async () => {
    await many();
    await countSomeDays();
    const folder = await mkdtemp(join(tmpdir(), 'cartwright-statistics-'));
    const file = join(folder, 'ledger.backup');
    await writeBackup(ledger.pool, file, { version: '0.0.0', configuration: null });
    await refresh();
    const { sums, reasons } = await read();
    const other = await createTestLedger();
    await restoreBackup(other.pool, file, { where: 'a test', settle: { byAccount: {}, others: 0 } });
    await refreshStatistics(other.pool, [], never);
    expect(await readStatistics(other.pool, [north], range)).toMatchObject({ sums, reasons, daysToCount: 0 });
    await other.drop();
    await rm(folder, { recursive: true });
  });

  it('of two accounts are added up, by day, week and month', async () => {
    await many();
    await refresh();
    const both = [north, { ...north, account: 'south' }];
    for (const [by, from] of [
      ['week', '2025-12-01'],
      ['month', '2025-12-01'],
    ] as const) {
      const { sums } = await read(both, { by });
      expect(sums[0]!.from).toBe(from);
      expect(sums.reduce((all, { orders }) => all + orders, 0)).toBe(3000);
    }
  });
});

describe('what retention removes', () => {
  it('stays counted, also when the day is counted again', async () => {
    const old = await put({
      state: 'closed',
      lines: [{ quantity: 4, dealer_price: '2.50', backorder_quantity: 1 }],
      orders: [{ order_date: '2026-11-20', ship_date: '2026-11-21' }],
    });
    const young = await put({ orders: [{ order_date: '2026-11-20', order_total: '1', items: items(1) }] });
    await refresh();
    const before = await sumsOf();
    expect(before).toMatchObject([
      { orders: 2, pieces: 5, amount: '11.00', byPrices: 1, backordered: 1, shipped: 1 },
    ]);
    await ledger.pool.query(
      `update imports set taken_at = now() - interval '9 days', read_at = now() - interval '9 days' where id = $1`,
      [old.file],
    );
    await ledger.pool.query(
      `update purchase_orders set changed_at = now() - interval '9 days' where id = $1`,
      [old.id],
    );
    const pruned = await pruneRows(ledger.pool, 'north', new Date(Date.now() - 86_400_000), never);
    expect(pruned.count).toBe(1);
    expect(await sumsOf()).toEqual(before);
    await ledger.pool.query(`update orders set order_total = '2' where purchase_order_id = $1`, [young.id]);
    await refresh();
    expect(await sumsOf()).toEqual([{ ...before[0]!, amount: '12.00' }]);
    // A total that arrives after its lines were removed is in the figures already.
    await ledger.pool.query(`update orders set order_total = '10' where purchase_order_id = $1`, [old.id]);
    await refresh();
    expect(await sumsOf()).toEqual([{ ...before[0]!, amount: '12.00' }]);
  });

  it('stays counted where nobody has counted the day before', async () => {
    const { id, file } = await put({
      state: 'closed',
      lines: [{ quantity: 4, dealer_price: '2.50' }],
      orders: [{ order_date: '2026-11-20' }],
    });
    await ledger.pool.query(
      `update imports set taken_at = now() - interval '9 days', read_at = now() - interval '9 days' where id = $1`,
      [file],
    );
    await ledger.pool.query(
      `update purchase_orders set changed_at = now() - interval '9 days' where id = $1`,
      [id],
    );
    await pruneRows(ledger.pool, 'north', new Date(Date.now() - 86_400_000), never);
    await refresh();
    expect(await sumsOf()).toMatchObject([{ orders: 1, pieces: 4, amount: '10.00' }]);
  });
});

describe('reasons', () => {
  it('are counted once for each time, on the day of the account, without quotes, and outlive the feed', async () => {
    const { pool } = ledger;
    const file = await insertImport(pool, { account: 'north' });
    const id = await insertPurchaseOrder(pool, file, 'H-1', {
      account: 'north',
      state: 'held',
      reason_code: 'backorder',
    });
    await insertPurchaseOrder(pool, file, 'H-2', {
      account: 'north',
      state: 'held',
      reason_code: 'backorder',
      quote_only: true,
    });
    const become = (state: string, reason: string | null) =>
      pool.query('update purchase_orders set state = $1, reason_code = $2 where id = $3', [
        state,
        reason,
        id,
      ]);
    await become('ready', null);
    await become('held', 'backorder');
    await become('ready', null);
    await become('failed', 'refused_by_service');
    // Midnight in Chicago is at 06:00 UTC.
    await pool.query(`update feed set at = '2026-11-20T05:30:00Z'`);
    await Promise.all([refresh(), refresh()]);
    await refresh();
    const found = (await read()).reasons;
    expect(found).toEqual([
      { from: '2026-11-19', state: 'failed', reasonCode: 'refused_by_service', count: 1 },
      { from: '2026-11-19', state: 'held', reasonCode: 'backorder', count: 2 },
    ]);
    await become('held', 'price_above');
    await pool.query(`update feed set at = '2026-10-01T12:00:00Z'`);
    expect(await pruneFeed(pool, never)).toBeGreaterThan(0);
    expect((await pool.query('select from feed')).rowCount).toBe(0);
    await refresh();
    expect((await read()).reasons).toEqual([
      { from: '2026-10-01', state: 'held', reasonCode: 'price_above', count: 1 },
      ...found,
    ]);
  });
});

import type pg from 'pg';
import { numberChanges } from '../feed.ts';
import { createPace } from '../pace.ts';
import { firstRow } from '../query.ts';
import { inTransaction } from '../transaction.ts';
import { withLock } from '../with-lock.ts';
import { lockStatistics, recountDay } from './count-day.ts';

const followedAtOnce = 2000;

// Every change of a PO or an order has an entry in the feed, in the order of the commits: each is counted once, in the transaction that moves the
// position past it.
const followSql = `
  with batch as materialized (
    select f.position, f.at, f.account, f.purchase_order_id, f.kind, f.before, f.after
    from feed f where f.position > (select position from statistics_head) order by f.position limit ${followedAtOnce}
  ), reasons as (
    insert into daily_reasons as r (account, day, state, reason_code, count)
    select b.account, (b.at at time zone coalesce(z.time_zone, 'UTC'))::date, substr(b.kind, 4), coalesce(b.after ->> 'reasonCode', 'unknown'), count(*)
    from batch b left join statistics_zones z on z.account = b.account
    where b.kind in ('po.held', 'po.failed', 'po.rejected') and b.after -> 'quote' is null
    group by 1, 2, 3, 4
    on conflict (account, day, state, reason_code) do update set count = r.count + excluded.count
  ), due as (
    insert into statistics_due (account, day)
    select distinct o.account, d.day from batch b join orders o on o.purchase_order_id = b.purchase_order_id
    cross join lateral (values (o.order_day), (readable_day(b.before ->> 'order_date')),
      -- Until the service named its day, the order counted on the day when it appeared.
      (case when b.after ? 'order_date' and b.before ->> 'order_date' is null then (o.first_seen_at at time zone 'UTC')::date end)) d(day)
    where d.day is not null and b.kind <> 'po.read'
    on conflict do nothing
  )
  update statistics_head set position = (select max(position) from batch) where exists (select from batch)
  returning (select count(*)::int from batch) as n`;

/** Counts the next uncounted changes of the feed; returns false when none is left. */
const followOnce = (pool: pg.Pool): Promise<boolean> =>
  inTransaction(pool, {}, async (client) => {
    await lockStatistics(client);
    const { rows } = await client.query<{ n: number }>({ name: 'statistics-follow', text: followSql });
    return rows[0]?.n === followedAtOnce;
  });

/** Counts every change in the feed; safe to interrupt and to run in several processes. */
export const followFeed = async (pool: pg.Pool, isStopping: () => boolean): Promise<void> => {
  const pace = createPace();
  let more = true;
  const next = async (): Promise<{ read: number }> => {
    await numberChanges(pool);
    more = await followOnce(pool);
    return { read: 0 };
  };
  while (more && !isStopping()) await pace.step(next);
};

/** Target time of one transaction, which recounts several days; a day with many orders takes longer. */
const recountMs = 40;

/** Recounts some of the marked days, latest first, because that is what people look at after an upgrade. Returns false when none is left. */
const recountSome = (pool: pg.Pool): Promise<boolean> =>
  inTransaction(pool, {}, async (client) => {
    await lockStatistics(client);
    const begunAt = performance.now();
    do {
      const due = await firstRow<{ account: string; day: string }>(client, {
        name: 'statistics-due',
        text: `delete from statistics_due where (day, account) = (
            select day, account from statistics_due order by day desc, account desc limit 1)
          returning account, day::text`,
      });
      if (!due) return false;
      await recountDay(client, due.account, due.day);
    } while (performance.now() - begunAt < recountMs);
    return true;
  });

export interface AccountZone {
  account: string;
  timeZone: string;
}

/** Skips time zones that Postgres does not know: their accounts use UTC days. */
const knowZones = async (pool: pg.Pool, zones: readonly AccountZone[]): Promise<void> => {
  const { rows } = await pool.query<AccountZone>(
    'select account, time_zone as "timeZone" from statistics_zones',
  );
  const known = new Map(rows.map(({ account, timeZone }) => [account, timeZone]));
  const changed = zones.filter(({ account, timeZone }) => (known.get(account) ?? 'UTC') !== timeZone);
  if (changed.length === 0) return;
  await pool.query(
    `insert into statistics_zones (account, time_zone)
     select a.account, a."timeZone" from jsonb_to_recordset($1::jsonb) a(account text, "timeZone" text)
     where exists (select from pg_timezone_names n where n.name = a."timeZone")
     on conflict (account) do update set time_zone = excluded.time_zone`,
    [JSON.stringify(changed)],
  );
};

/**
 * Updates the statistics: counts new changes, then recounts each affected day, in short transactions. Idempotent; safe to interrupt at any
 * point; one process at a time does it.
 *
 * @returns false if another process was doing it, which may have begun before the latest changes
 */
export const refreshStatistics = async (
  pool: pg.Pool,
  zones: readonly AccountZone[],
  isStopping: () => boolean,
): Promise<boolean> => {
  const done = await withLock(pool, 'statistics', async () => {
    await knowZones(pool, zones);
    const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at');
    await followFeed(pool, isStopping);
    const pace = createPace();
    let more = true;
    const next = async (): Promise<{ read: number }> => {
      more = await recountSome(pool);
      return { read: 0 };
    };
    while (more && !isStopping()) await pace.step(next);
    if (!more) await pool.query('update statistics_head set as_of = greatest(as_of, $1)', [rows[0]!.at]);
    return true;
  });
  return done === true;
};

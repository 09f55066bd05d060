import type pg from 'pg';
import { execute } from '../query.ts';

/** All later shipments share one entry of `shipped_within`. */
const countedDays = 60;

/**
 * SQL: the figures to sum of each order that the service shows. `is_whole`: the lines of its import exist, or were removed before the order
 * appeared; otherwise its pieces, amount and back-order are in the row of removed lines.
 *
 * @param where of the order o, its PO p and its import i
 */
const factsOf = (where: string): string => `
  select o.account, o.order_day as day, i.rows_pruned_at is null or o.first_seen_at > i.rows_pruned_at as is_whole,
    coalesce(o.pieces, case when f.is_first and not f.has_pieces then l.pieces end) as pieces,
    coalesce(o.order_total, case when f.is_first and not f.has_total then l.amount end) as amount,
    o.order_total is null as no_total,
    coalesce(o.pieces_backordered > 0 or o.order_status = 'B/O' or (f.is_first and l.is_backordered), false) as is_backordered,
    case when o.is_shipped and o.ship_day is not null then least(greatest(o.ship_day - o.order_day, 0), ${countedDays + 1}) end as days,
    o.is_shipped and o.ship_day is null as is_undated, not o.is_shipped and p.state = 'closed' as is_ended
  from orders o join purchase_orders p on p.id = o.purchase_order_id join imports i on i.id = p.import_id
  -- Figures that only the PO has count for the first of its orders.
  cross join lateral (select min(x.id) = o.id as is_first, count(x.pieces) > 0 as has_pieces, count(x.order_total) > 0 as has_total
    from orders x where x.purchase_order_id = o.purchase_order_id and x.gone_at is null) f
  cross join lateral (select sum(l.quantity) as pieces, bool_or(l.backorder_quantity > 0) as is_backordered,
      case when bool_and(l.dealer_price is not null and l.quantity is not null) then sum(l.quantity * l.dealer_price) end as amount
    from lines l where l.import_id = p.import_id and l.po_number = p.po_number) l
  where o.gone_at is null and ${where}`;

const worthOf = (which: string): string => `
  coalesce(sum(pieces) filter (where ${which}), 0), coalesce(sum(amount) filter (where ${which}), 0),
  count(*) filter (where no_total and amount is not null and ${which}), count(*) filter (where amount is null and ${which}),
  count(*) filter (where is_backordered and ${which})`;

const recountSql = `
  with those as materialized (${factsOf('o.account = $1 and o.order_day = $2::date')})
  insert into daily_statistics as s (account, day, removed, orders, pieces, amount, by_prices, without_amount, backordered,
    shipped_undated, ended_unshipped, shipped_within)
  select $1, $2::date, false, count(*), ${worthOf('is_whole')},
    count(*) filter (where is_undated), count(*) filter (where is_ended),
    (select coalesce(array_agg(n.n order by n.after), '{}') from (
      select g.after, (sum(count(t.days)) over (order by g.after))::int as n
      from generate_series(0, (select max(t.days) from those t)) g(after) left join those t on t.days = g.after group by 1) n)
  from those having count(*) > 0
  on conflict (account, day, removed) do update set (orders, pieces, amount, by_prices, without_amount, backordered,
      shipped_undated, ended_unshipped, shipped_within)
    = row(excluded.orders, excluded.pieces, excluded.amount, excluded.by_prices, excluded.without_amount, excluded.backordered,
      excluded.shipped_undated, excluded.ended_unshipped, excluded.shipped_within)`;

/** Counts a day of an account anew; idempotent. In a transaction that has the lock (`lockStatistics`). */
export const recountDay = async (client: pg.PoolClient, account: string, day: string): Promise<void> => {
  const values = [account, day];
  const { rowCount } = await client.query({ name: 'statistics-recount', text: recountSql, values });
  if (rowCount === 0)
    await client.query(
      'delete from daily_statistics where account = $1 and day = $2 and not removed',
      values,
    );
};

const worth = 'pieces, amount, by_prices, without_amount, backordered';
const keepSql = `
  with those as materialized (${factsOf('p.import_id = $1')}),
  moving(account, day, ${worth}) as (select account, day, ${worthOf('not is_whole')} from those group by 1, 2),
  kept as (
    insert into daily_statistics as s (account, day, removed, ${worth})
    select account, day, true, ${worth} from moving
    on conflict (account, day, removed) do update set pieces = s.pieces + excluded.pieces, amount = s.amount + excluded.amount,
      by_prices = s.by_prices + excluded.by_prices, without_amount = s.without_amount + excluded.without_amount,
      backordered = s.backordered + excluded.backordered),
  moved as (
    update daily_statistics s set pieces = s.pieces - m.pieces, amount = s.amount - m.amount, by_prices = s.by_prices - m.by_prices,
      without_amount = s.without_amount - m.without_amount, backordered = s.backordered - m.backordered
    from moving m where s.account = m.account and s.day = m.day and not s.removed)
  insert into statistics_due (account, day) select account, day from moving on conflict do nothing`;

/**
 * Keeps what the lines of an import contribute to its days, before they are removed. Runs in the transaction that has the lock and has just
 * set `rows_pruned_at`: every later count omits what is moved here.
 */
export const keepWorthOf = (client: pg.PoolClient, importId: string): Promise<void> =>
  execute(client, { name: 'statistics-keep', text: keepSql, values: [importId] });

/** Serializes all changes of the statistics. */
export const lockStatistics = (client: pg.PoolClient): Promise<void> =>
  execute(client, 'select from statistics_head for update');

import type pg from 'pg';
import type { CappedCount } from '../../api-contract/basics.ts';
import type { OrderSummary } from '../../api-contract/orders.ts';
import type { AccountOrder } from '../../reports/order-columns.ts';
import { capped, countedAtMost, createBinder, iso } from '../console/sql-parts.ts';
import { hasOpenAlarm } from '../purchase-order-sql.ts';
import { firstRow, rowsOf } from '../query.ts';
import { reportedColumns } from '../status-ledger.ts';
import {
  accountRows,
  type OrderAccount,
  type OrderFilter,
  orderFlags,
  totalsOfOrders,
  waitingSince,
} from './order-filter.ts';
import { isFarBehind, type OrderPage, pageOfOrders, type Way } from './page-of-orders.ts';

/** An order in a list. Dates are the service's text, money is decimal text. */
export type ListedOrder = Omit<OrderSummary, 'statusMeaning' | 'tracking' | 'lateDays'> & {
  /** The first few; `trackingCount` counts all. */
  trackingNumbers: string[];
  /** Since when it waits to be shipped. */
  waitingSince: string;
};

const shownTracking = 3;

const listed = `o.id::text, o.purchase_order_id::text as "purchaseOrderId", o.account, o.po_number as "poNumber", p.state as "poState",
  o.order_number as "orderNumber", o.order_status as status, o.warehouse, o.order_date as "orderDate", o.ship_date as "shipDate",
  o.invoice_date as "invoiceDate", o.invoice_number as "invoiceNumber", o.ship_via as "shipVia",
  o.tracking_numbers[1:${shownTracking}] as "trackingNumbers", cardinality(o.tracking_numbers) as "trackingCount",
  (select coalesce(sum(l.quantity), 0)::int from lines l where l.import_id = p.import_id and l.po_number = p.po_number) as asked,
  o.pieces::float8, o.pieces_shipped::float8 as shipped, o.pieces_backordered::float8 as backordered,
  o.order_total::text as total, o.freight::text, o.misc_charges::text as "miscCharges",
  case when ${hasOpenAlarm('p')} then p.alarm end as alarm, ${iso('o.gone_at')} as "goneAt", ${iso('p.ordered_at')} as "orderedAt", ${iso(waitingSince)} as "waitingSince",
  ${iso('o.changed_at')} as "changedAt",
  ${iso("case when p.state = 'closed' then least(s.polled_at, p.closed_at) else s.polled_at end")} as "asOf"`;

type Keyed<Row> = Row & { id: string; key: string };

/** A page is first searched among this many orders with the latest matching numbers. */
const latestNumbers = 500;
/** At most this many orders are read to find matching numbers among them. */
const nearOrders = 10_000;

/**
 * Chooses the fastest way to the page. The orders with the latest matching numbers often are the page; otherwise it ends no later than they
 * do, and up to there either a few orders are read in list order, or all matches.
 */
const wayTo = async (
  pool: pg.Pool,
  filter: OrderFilter,
  page: OrderPage,
  accounts: readonly OrderAccount[],
): Promise<Way> => {
  if (filter.q === undefined) return { by: 'order' };
  const latest = pageOfOrders(filter, page, accounts, { by: 'numbers', most: latestNumbers });
  const { rows } = await pool.query<{ id: string; place: string }>(latest);
  const last = rows[page.limit - 1];
  if (!last) return { by: 'numbers' };
  const upTo = { id: last.id, key: last.place };
  const read = await pool.query<{ far: boolean }>(isFarBehind(upTo, nearOrders, page, accounts));
  return read.rows[0]!.far ? { by: 'numbers', upTo } : { by: 'order' };
};

const readPage = async <Row>(
  pool: pg.Pool,
  columns: string,
  filter: OrderFilter,
  page: OrderPage,
  accounts: readonly OrderAccount[],
): Promise<Keyed<Row>[]> => {
  const way = await wayTo(pool, filter, page, accounts);
  const { text, values } = pageOfOrders(filter, page, accounts, way);
  const direction = page.order === 'newest' ? 'desc' : 'asc';
  return rowsOf(
    pool,
    `select ${columns}, page.key::text as key from (${text}) page
     join orders o on o.id = page.id join purchase_orders p on p.id = o.purchase_order_id
     join imports i on i.id = p.import_id left join account_states s on s.account = o.account
     order by page.key ${direction}, page.id ${direction}`,
    values,
  );
};

/** A page of orders; `key` and `id` are where the next page continues. */
export const listOrders = (
  pool: pg.Pool,
  filter: OrderFilter,
  page: OrderPage,
  accounts: readonly OrderAccount[],
): Promise<Keyed<ListedOrder>[]> => readPage<ListedOrder>(pool, listed, filter, page, accounts);

/** A page of orders in the form of a status report, each with its account. */
export const listReportedOrders = (
  pool: pg.Pool,
  filter: OrderFilter,
  page: OrderPage,
  accounts: readonly OrderAccount[],
): Promise<Keyed<AccountOrder>[]> =>
  readPage<AccountOrder>(pool, `${reportedColumns}, o.account, o.id::text`, filter, page, accounts);

const exportedAtOnce = 500;

/** The same in batches, up to `most` orders. */
export async function* reportOrders(
  pool: pg.Pool,
  filter: OrderFilter,
  { sort, order }: Pick<OrderPage, 'sort' | 'order'>,
  accounts: readonly OrderAccount[],
  most: number,
): AsyncGenerator<AccountOrder[]> {
  let after: OrderPage['after'];
  for (let left = most; left > 0; left -= exportedAtOnce) {
    const limit = Math.min(exportedAtOnce, left);
    const rows = await listReportedOrders(pool, filter, { sort, order, after, limit }, accounts);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = { key: last.key, id: last.id };
  }
}

/**
 * The number of matching orders, and the sum of the totals of counted orders that the service still shows, as decimal text; null: none has
 * a total. `withoutTotal`: how many have none.
 */
export const sumOrders = async (
  pool: pg.Pool,
  filter: OrderFilter,
  accounts: readonly OrderAccount[],
): Promise<{ count: CappedCount; sum: string | null; withoutTotal: number }> => {
  const { text, values } = totalsOfOrders(filter, countedAtMost + 1, accounts);
  const { n, sum, missing, isCut } = (await firstRow<{
    n: number;
    sum: string | null;
    missing: number;
    isCut: boolean;
  }>(pool, text, values))!;
  const count = capped(n);
  return { count: { ...count, more: count.more || isCut }, sum, withoutTotal: missing };
};

/** Orders of these accounts by status and by flag; each is counted up to 10,001. */
export const countOrders = async (
  pool: pg.Pool,
  accounts: readonly OrderAccount[],
): Promise<{
  statuses: { status: string; count: CappedCount }[];
  flags: Record<keyof typeof orderFlags, CappedCount>;
}> => {
  const { values, bind } = createBinder();
  const rows = accountRows(accounts, bind);
  const flags = Object.entries(orderFlags).map(
    ([
      name,
      flag,
    ]) => `(select count(*)::int from (select from accounts a join orders o on o.account = a.account and ${flag}
      limit ${countedAtMost + 1}) those) as "${name}"`,
  );
  const found = await pool.query(
    `with recursive accounts as materialized (select * from ${rows}),
     -- The service defines the statuses, so each is found by one step into the index orders_by_status.
     statuses(account, status) as (
       select a.account, f.order_status from accounts a cross join lateral (
         select o.order_status from orders o where o.account = a.account and o.order_status is not null
         order by o.order_status limit 1) f
       union all
       select s.account, (select o.order_status from orders o where o.account = s.account and o.order_status > s.status
         order by o.order_status limit 1)
       from statuses s where s.status is not null)
     select ${flags.join(', ')}, (select coalesce(json_agg(json_build_object('status', n.status, 'n', n.n) order by n.n desc, n.status), '[]')
       from (select c.status, counted.n::int as n from (select distinct status from statuses where status is not null) c
         cross join lateral (select count(*) as n from (select from statuses s join orders o
           on o.account = s.account and o.order_status = s.status where s.status = c.status limit ${countedAtMost + 1}) those) counted) n) as statuses`,
    values,
  );
  const { statuses, ...counts } = found.rows[0] as {
    statuses: { status: string; n: number }[];
  } & Record<keyof typeof orderFlags, number>;
  return {
    statuses: statuses.map(({ status, n }) => ({ status, count: capped(n) })),
    flags: {
      late: capped(counts.late),
      backordered: capped(counts.backordered),
      untracked: capped(counts.untracked),
      alarm: capped(counts.alarm),
    },
  };
};

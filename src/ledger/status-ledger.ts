import type pg from 'pg';
import type { ReportedOrder, StatusLedger } from '../reports/types.ts';
import { noteChange } from './changes.ts';
import { waitingSince } from './orders/order-filter.ts';
import { hasOpenAlarm } from './purchase-order-sql.ts';
import { rowsOf } from './query.ts';
import { inTransaction } from './transaction.ts';

const pageSize = 200;

/** SQL: the columns of a `ReportedOrder`. */
export const reportedColumns = `o.po_number as "poNumber", o.ship_name as "shipName", o.ship_address as "shipAddress", o.ship_city as "shipCity",
    o.ship_state as "shipState", o.ship_zip as "shipZip", o.order_number as "orderNumber", o.order_status as "orderStatus",
    o.invoice_number as "invoiceNumber", o.freight::text, o.misc_charges::text as "miscCharges",
    o.order_total::text as "orderTotal", o.warehouse, o.order_date as "orderDate", o.ship_date as "shipDate",
    o.invoice_date as "invoiceDate", o.ship_via as "shipVia", o.tracking_numbers as "trackingNumbers", o.items,
    p.state as "poState", case when ${hasOpenAlarm('p')} then p.alarm end as alarm, p.import_id as "importId", i.file_name as "fileName", i.taken_at as "takenAt",
    p.ordered_at as "orderedAt", ${waitingSince} as "waitingSince", o.changed_at as "changedAt"`;

/** SQL: the filter of a report, from $2; $1 is the account. `orderedAt` and `changedAt` are expressions. */
const matches = (orderedAt: string, changedAt: string) => `($2::bigint is null or p.import_id = $2)
    and ($3::text is null or ${orderedAt} >= $3::timestamp at time zone $5::text)
    and ($4::text is null or ${orderedAt} < ($4::timestamp + interval '1 day') at time zone $5::text)
    and ($6::timestamptz is null or ${changedAt} >= $6)`;

const ordersSql = `
  declare reported no scroll cursor for
  select ${reportedColumns}
  from orders o
  join purchase_orders p on p.id = o.purchase_order_id
  join imports i on i.id = p.import_id
  where o.account = $1 and ${matches('p.ordered_at', 'greatest(o.changed_at, p.ordered_at)')}
  order by o.id`;

const notOrderedSql = `
  select p.state, count(*)::int as "poCount" from purchase_orders p
  where p.account = $1 and p.state not in ('ordered', 'closed')
    and p.reason_code is distinct from 'corrected' and p.reason_code is distinct from 'quoted'
    and ${matches('p.created_at', 'p.changed_at')}
  group by p.state order by p.state`;

// The first values of a new order are not changes.
const changesSql = `
  select o.po_number as "poNumber", o.order_number as "orderNumber", c.field, c.was, c.became, c.seen_at as "seenAt",
    count(*) over ()::int as total
  from status_changes c
  join orders o on o.id = c.order_id
  join purchase_orders p on p.id = o.purchase_order_id
  where o.account = $1 and c.seen_at >= $6 and (c.was is not null or c.field not in ('order_status', 'order_total'))
    and ${matches('p.ordered_at', 'c.seen_at')}
  order by c.id desc limit $7`;

// Transactions that are writing while the report is read are not in it, so the next report begins before the oldest of them: it may repeat
// a change but misses none. Long reads, such as a backup, write nothing.
const momentsSql = `
  select case when a.report_path = $2 then a.report_since else coalesce(a.report_as_of, a.report_written_at) end as since,
    least(clock_timestamp(), (
      select min(xact_start) from pg_stat_activity
      where datname = current_database()
        and (backend_xid is not null or xact_start > clock_timestamp() - interval '1 minute'))) as "asOf"
  from (select) one left join account_states a on a.account = $1`;

async function* pagesOf(
  client: pg.PoolClient,
  values: readonly unknown[],
): AsyncGenerator<ReportedOrder[], void, undefined> {
  await client.query(ordersSql, [...values]);
  for (;;) {
    const { rows } = await client.query<ReportedOrder>(`fetch ${pageSize} from reported`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('close reported');
}

/** The ledger as status reports use it. */
export const createStatusLedger = (pool: pg.Pool): StatusLedger => ({
  readReport: async ({ account, timeZone, filter, replaces }, work) => {
    const moments = await pool.query(momentsSql, [account, replaces ?? null]);
    const { asOf, since } = moments.rows[0] as { asOf: Date; since: Date | null };
    const { importId = null, from = null, to = null, changedOnly = false } = filter;
    const values = [account, importId, from, to, timeZone, changedOnly ? since : null];
    return inTransaction(pool, { snapshot: true, long: true }, (client) =>
      work({
        asOf,
        since: since ?? undefined,
        orders: () => pagesOf(client, values),
        notOrdered: () => rowsOf(client, notOrderedSql, values),
        changes: async (limit) => {
          if (since === null) return { total: 0, shown: [] };
          const { rows } = await client.query(changesSql, [...values.slice(0, 5), since, limit]);
          return { total: rows[0]?.total ?? 0, shown: rows.map(({ total: _, ...change }) => change) };
        },
      }),
    );
  },
  recordReport: async (account, path, { asOf, since }) => {
    await pool.query(
      `insert into account_states (account, report_path, report_written_at, report_as_of, report_since)
       values ($1, $2, now(), $3, $4)
       on conflict (account) do update set report_path = excluded.report_path, report_written_at = excluded.report_written_at,
         report_as_of = excluded.report_as_of, report_since = excluded.report_since`,
      [account, path, asOf, since ?? null],
    );
    noteChange(pool, { topics: ['reports', 'accounts'], account });
  },
});

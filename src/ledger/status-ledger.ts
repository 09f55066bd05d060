import type pg from 'pg';
import type { ReportedOrder, StatusLedger } from '../reports/types.ts';
import { noteChange } from './changes.ts';
import { inTransaction } from './transaction.ts';

const pageSize = 200;

/** SQL: the columns of a `ReportedOrder`. */
export const reportedColumns = `o.po_number as "poNumber", o.ship_name as "shipName", o.ship_address as "shipAddress", o.ship_city as "shipCity",
    o.ship_state as "shipState", o.ship_zip as "shipZip", o.order_number as "orderNumber", o.order_status as "orderStatus",
    o.invoice_number as "invoiceNumber", o.freight::text, o.misc_charges::text as "miscCharges",
    o.order_total::text as "orderTotal", o.warehouse, o.order_date as "orderDate", o.ship_date as "shipDate",
    o.invoice_date as "invoiceDate", o.ship_via as "shipVia", o.tracking_numbers as "trackingNumbers", o.items,
    p.state as "poState", p.alarm, p.import_id as "importId", i.file_name as "fileName", i.taken_at as "takenAt",
    p.ordered_at as "orderedAt", o.changed_at as "changedAt"`;

const ordersSql = `
  declare reported no scroll cursor for
  select ${reportedColumns}
  from orders o
  join purchase_orders p on p.id = o.purchase_order_id
  join imports i on i.id = p.import_id
  where o.account = $1
  order by o.id`;

async function* pagesOf(client: pg.PoolClient): AsyncGenerator<ReportedOrder[], void, undefined> {
  for (;;) {
    const { rows } = await client.query<ReportedOrder>(`fetch ${pageSize} from reported`);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** The ledger as status reports use it. */
export const createStatusLedger = (pool: pg.Pool): StatusLedger => ({
  readOrders: (account, work) =>
    inTransaction(pool, { snapshot: true }, async (client) => {
      await client.query(ordersSql, [account]);
      return work(pagesOf(client));
    }),
  recordReport: async (account, path) => {
    await pool.query(
      `insert into account_states (account, report_path, report_written_at) values ($1, $2, now())
       on conflict (account) do update set report_path = excluded.report_path, report_written_at = excluded.report_written_at`,
      [account, path],
    );
    noteChange(pool, { topics: ['reports', 'accounts'], account });
  },
});

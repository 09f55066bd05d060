import type pg from 'pg';
import type { PurchaseOrderState } from '../placing/types.ts';
import { type LiveWorker, listWorkers } from './workers.ts';

/** Where an account stands. */
export interface AccountOverview {
  account: string;
  /** POs by state. */
  states: Partial<Record<PurchaseOrderState, number>>;
  /** Held POs by reason code. */
  heldFor: Record<string, number>;
  /** Orders by the service's word for their status; orders that no poll has shown yet under `''`. */
  orderStatuses: Record<string, number>;
  /** Files that were taken and are not read yet. */
  unread: number;
  /** POs whose order does not have the file's quantities, or about which a person must know something else. */
  alarms: number;
  paused: { until: Date; code: string; reason: string } | undefined;
  polledAt: Date | undefined;
  /** Why the last poll failed. */
  pollNote: string | undefined;
  reportPath: string | undefined;
}

export interface Overview {
  accounts: AccountOverview[];
  workers: LiveWorker[];
}

const overviewSql = `
  with names as (select unnest($1::text[]) as account)
  select n.account,
    (select coalesce(jsonb_object_agg(state, c), '{}') from (
      select state, count(*) as c from purchase_orders where account = n.account group by state) s) as states,
    (select coalesce(jsonb_object_agg(code, c), '{}') from (
      select coalesce(reason_code, 'unknown') as code, count(*) as c from purchase_orders
      where account = n.account and state = 'held' group by 1) s) as "heldFor",
    (select coalesce(jsonb_object_agg(status, c), '{}') from (
      select coalesce(order_status, '') as status, count(*) as c from orders
      where account = n.account group by 1) s) as "orderStatuses",
    (select count(*)::int from imports where account = n.account and state = 'taken') as unread,
    (select count(*)::int from purchase_orders where account = n.account and alarm is not null) as alarms,
    a.paused_until as until, a.pause_code as code, a.pause_reason as reason,
    a.paused_until > clock_timestamp() as paused,
    a.polled_at as "polledAt", a.poll_note as "pollNote", a.report_path as "reportPath"
  from names n left join account_states a on a.account = n.account
  order by n.account`;

/** What a person wants to know first: each account's POs and orders, what keeps it back, and who works. */
export const readOverview = async (pool: pg.Pool, accounts: readonly string[]): Promise<Overview> => {
  const { rows } = await pool.query({ name: 'overview', text: overviewSql, values: [accounts] });
  return {
    accounts: rows.map(({ until, code, reason, paused, ...row }) => ({
      ...row,
      paused: paused ? { until, code: code ?? 'paused', reason: reason ?? '' } : undefined,
      polledAt: row.polledAt ?? undefined,
      pollNote: row.pollNote ?? undefined,
      reportPath: row.reportPath ?? undefined,
    })),
    workers: await listWorkers(pool),
  };
};

/** One PO with everything that was done for it. */
export interface PurchaseOrderHistory {
  id: string;
  account: string;
  poNumber: string;
  importId: string;
  fileName: string;
  firstRow: number;
  state: PurchaseOrderState;
  reasonCode: string | null;
  reasonText: string | null;
  alarm: string | null;
  cartNumber: string | null;
  changedAt: string;
  options: Record<string, string | boolean>;
  lines: {
    rowNumber: number;
    item: string;
    quantity: number | null;
    available: number | null;
    backorder: number | null;
    price: string | null;
    refusal: string | null;
  }[];
  orders: {
    orderNumber: string;
    status: string | null;
    warehouse: string | null;
    total: string | null;
    shipDate: string | null;
    trackingNumbers: string[];
  }[];
  issues: { rowNumber: number; column: string; message: string; found: string | null }[];
  /** Steps, steering and status changes in the order in which they happened. */
  events: { at: string; what: string; detail: string | null }[];
}

const historySql = `
  select p.id, p.account, p.po_number as "poNumber", p.import_id as "importId", i.file_name as "fileName",
    p.first_row as "firstRow", p.state, p.reason_code as "reasonCode", p.reason_text as "reasonText", p.alarm,
    p.cart_number as "cartNumber", p.changed_at as "changedAt", p.options,
    (select coalesce(json_agg(json_build_object('rowNumber', l.row_number, 'item', coalesce(l.item_sku, l.item_id),
        'quantity', l.quantity, 'available', l.available_quantity, 'backorder', l.backorder_quantity,
        'price', l.dealer_price::text, 'refusal', l.refusal) order by l.row_number), '[]')
     from lines l where l.import_id = p.import_id and l.po_number = p.po_number) as lines,
    (select coalesce(json_agg(json_build_object('orderNumber', o.order_number, 'status', o.order_status,
        'warehouse', o.warehouse, 'total', o.order_total::text, 'shipDate', o.ship_date,
        'trackingNumbers', o.tracking_numbers) order by o.order_number), '[]')
     from orders o where o.purchase_order_id = p.id) as orders,
    (select coalesce(json_agg(json_build_object('rowNumber', r.row_number, 'column', r.column_name,
        'message', r.message, 'found', r.found) order by r.row_number), '[]')
     from row_issues r where r.import_id = p.import_id and r.po_number = p.po_number and r.severity = 'issue') as issues,
    (select coalesce(json_agg(e order by e.at), '[]') from (
      select begun_at as at, step || ': ' || coalesce(outcome, 'no answer yet') as what, detail
        from intents where purchase_order_id = p.id
      union all
      select at, action || ' by ' || who, note from operator_actions where purchase_order_id = p.id
      union all
      select c.seen_at, o.order_number || ' ' || c.field || ': ' || coalesce(c.was || ' → ', '') || coalesce(c.became, ''), null
        from status_changes c join orders o on o.id = c.order_id where o.purchase_order_id = p.id
    ) e) as events
  from purchase_orders p join imports i on i.id = p.import_id
  where p.po_number = $1 and ($2::text is null or p.account = $2)
  order by p.id`;

/** Every PO of this number, in whatever account, file and state it stands. */
export const findPurchaseOrders = async (
  pool: pg.Pool,
  poNumber: string,
  account?: string,
): Promise<PurchaseOrderHistory[]> => {
  const { rows } = await pool.query({
    name: 'purchase-order-history',
    text: historySql,
    values: [poNumber, account ?? null],
  });
  return rows;
};

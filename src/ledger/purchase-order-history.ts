import type pg from 'pg';
import type { PurchaseOrderState } from '../placing/types.ts';
import { reasonTextOf } from './conflict-reason.ts';
import { poKeyOf } from './po-key.ts';
import { actionNote, shownOfPo } from './purchase-order-sql.ts';
import { rowsOf } from './query.ts';

/** One PO with everything that happened to it, in the shape of the JSON output. */
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
  /** When a person settled the present alarm; null: nobody has. */
  alarmSettledAt: Date | null;
  cartNumber: string | null;
  changedAt: string;
  /** When its lines and issues were removed by age. */
  rowsPrunedAt: Date | undefined;
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
    /** With freight and charges. */
    total: string | null;
    freight: string | null;
    miscCharges: string | null;
    shipDate: string | null;
    trackingNumbers: string[];
    /** As the service returned them; null until a poll has read them. */
    items: unknown;
  }[];
  issues: {
    rowNumber: number;
    severity: 'issue' | 'note';
    column: string;
    message: string;
    found: string | null;
  }[];
  /** Steps, operator actions and status changes, in order. */
  events: { at: string; what: string; detail: string | null }[];
}

const historySql = (which: string) => `
  select p.id, p.account, p.po_number as "poNumber", p.import_id as "importId", i.file_name as "fileName",
    p.first_row as "firstRow", p.state, p.reason_code as "reasonCode", ${reasonTextOf('p')} as "reasonText", p.alarm, p.alarm_settled_at as "alarmSettledAt",
    p.cart_number as "cartNumber", p.changed_at as "changedAt", i.rows_pruned_at as "rowsPrunedAt", p.options,
    (select coalesce(json_agg(json_build_object('rowNumber', l.row_number, 'item', coalesce(l.item_sku, l.item_id),
        'quantity', l.quantity, 'available', l.available_quantity, 'backorder', l.backorder_quantity,
        'price', l.dealer_price::text, 'refusal', l.refusal) order by l.row_number), '[]')
     from lines l where l.import_id = p.import_id and l.po_number = p.po_number) as lines,
    (select coalesce(json_agg(json_build_object('orderNumber', o.order_number, 'status', o.order_status,
        'warehouse', o.warehouse, 'total', o.order_total::text,
        'freight', o.freight::text, 'miscCharges', o.misc_charges::text, 'shipDate', o.ship_date,
        'trackingNumbers', o.tracking_numbers, 'items', o.items)
        order by o.order_number), '[]')
     from orders o where o.purchase_order_id = p.id) as orders,
    (select coalesce(json_agg(json_build_object('rowNumber', r.row_number, 'severity', r.severity, 'column', r.column_name,
        'message', r.message, 'found', r.found) order by r.row_number), '[]')
     from row_issues r where r.import_id = p.import_id and r.po_number = p.po_number and ${shownOfPo('r')}) as issues,
    (select coalesce(json_agg(e order by e.at), '[]') from (
      select begun_at as at, step || ': ' || coalesce(outcome, 'no answer yet') as what, detail
        from intents where purchase_order_id = p.id
      union all
      select a.at, a.action || ' by ' || a.who, ${actionNote('a')} from operator_actions a where a.purchase_order_id = p.id
      union all
      select c.seen_at, o.order_number || ' ' || c.field || ': ' || coalesce(c.was || ' → ', '') || coalesce(c.became, 'none'), null
        from status_changes c join orders o on o.id = c.order_id where o.purchase_order_id = p.id
    ) e) as events
  from purchase_orders p join imports i on i.id = p.import_id
  where ${which}
  order by p.id`;

/** Every PO with this number, in any account, file and state. */
export const findPurchaseOrders = (
  pool: pg.Pool,
  poNumber: string,
  account?: string,
): Promise<PurchaseOrderHistory[]> =>
  rowsOf(pool, {
    name: 'purchase-order-history',
    text: historySql('p.po_key = $3 and p.po_number = $1 and ($2::text is null or p.account = $2)'),
    values: [poNumber, account ?? null, poKeyOf(poNumber)],
  });

/** Every PO of these imports, in the files' order. Only for small imports: it returns all of them at once. */
export const purchaseOrdersOf = (
  pool: pg.Pool,
  importIds: readonly string[],
): Promise<PurchaseOrderHistory[]> =>
  rowsOf(pool, {
    name: 'purchase-orders-of-imports',
    text: historySql('p.import_id = any($1::bigint[])'),
    values: [importIds],
  });

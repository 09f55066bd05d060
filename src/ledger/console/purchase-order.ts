import type pg from 'pg';
import type { PoOrder } from '../../api-contract/po-order.ts';
import type { PoDetail, PoEvent } from '../../api-contract/purchase-orders.ts';
import type { ChangingStep, Intent } from '../../placing/types.ts';
import { reasonTextOf } from '../conflict-reason.ts';
import { poKeyOf } from '../po-key.ts';
import { actedOn, actionNote, isPaused, isSettled, shownOfPo } from '../purchase-order-sql.ts';
import { columnOf, firstRow } from '../query.ts';
import { mayHaveCart } from '../submissions.ts';
import { placedAccounts } from '../workers.ts';
import { linesSql } from './purchase-order-lines.ts';
import { type ListedPurchaseOrder, listedColumns } from './purchase-orders.ts';
import { iso } from './sql-parts.ts';

export type ShownOrder = Omit<
  PoOrder,
  'statusMeaning' | 'stillToCome' | 'items' | 'itemCount' | 'trackingNumbers' | 'steps'
> & { trackingNumbers: string[]; items: unknown; steps: PoOrder['steps'] };

/** An event of a PO; `code` is the step, the field or the action. */
export type PurchaseOrderEvent = Omit<PoEvent, 'what' | 'failed'> & { code: string };

export interface ShownPurchaseOrder
  extends ListedPurchaseOrder,
    Pick<PoDetail, 'asOf' | 'epoch' | 'rebuilds' | 'cartNumber' | 'closedAt' | 'rowsPrunedAt' | 'options'>,
    Pick<PoDetail, 'lines' | 'lineTotal' | 'priceDifference' | 'issues' | 'others'> {
  failures: number;
  failingSince: string | null;
  lookups: number;
  nextAt: string;
  pause: { code: string; reason: string | null; until: string | null } | null;
  /** A running worker can place the account's POs. */
  served: boolean;
  /** The service has, or may have, a cart that was created for it. */
  mayHaveCart: boolean;
  dispatch: 'backlog' | 'window' | 'waiting';
  /** The last call of each changing step, over all attempts. No outcome: it may be in progress. */
  lastCalls: Partial<Record<ChangingStep, LastCall>>;
  orders: ShownOrder[];
  events: PurchaseOrderEvent[];
}

export interface LastCall extends Pick<Intent, 'epoch'> {
  outcome: Intent['outcome'] | null;
  detail: string | null;
}

const shownEvents = 1000;

const ordersSql = `
  select coalesce(json_agg(json_build_object('orderNumber', o.order_number, 'status', o.order_status,
      'warehouse', o.warehouse, 'total', o.order_total::text, 'freight', o.freight::text,
      'miscCharges', o.misc_charges::text, 'invoiceNumber', o.invoice_number, 'orderDate', o.order_date,
      'shipDate', o.ship_date, 'invoiceDate', o.invoice_date, 'shipVia', o.ship_via,
      'trackingNumbers', o.tracking_numbers,
      'shipTo', json_build_object('name', o.ship_name, 'address', o.ship_address, 'city', o.ship_city,
        'state', o.ship_state, 'zip', o.ship_zip),
      'items', o.items, 'goneAt', ${iso('o.gone_at')}, 'changedAt', ${iso('o.changed_at')},
      'steps', (select coalesce(json_agg(json_build_object('field', c.field, 'was', c.was, 'became', c.became,
          'at', ${iso('c.seen_at')}) order by c.id), '[]')
        from (select * from status_changes c where c.order_id = o.id order by c.id limit 500) c)) order by o.id), '[]')
  from orders o where o.purchase_order_id = p.id`;

/** SQL: a value of a status change as text: amounts with cents, long values truncated. */
const shownValue = (value: string): string => `case
    when c.field in ('order_total', 'freight', 'misc_charges') and ${value} ~ '^-?[0-9]{1,15}([.][0-9])?$'
      then (${value})::numeric(20, 2)::text
    when length(${value}) > 60 then left(${value}, 60) || '…' else ${value} end`;

const eventsSql = `
  select coalesce(json_agg(json_build_object('at', ${iso('e.at')}, 'kind', e.kind, 'code', e.code, 'detail', e.detail,
      'who', e.who, 'outcome', e.outcome, 'endedAt', ${iso('e.ended_at')},
      'durationMs', round(extract(epoch from e.ended_at - e.at) * 1000)::float8, 'epoch', e.epoch) order by e.at, e.rank), '[]')
  from (
    select * from (
      select p.created_at as at, 0 as rank, 'read' as kind, 'read' as code, null as detail, null as who, null as outcome,
        null::timestamptz as ended_at, null::int as epoch
      union all
      select n.begun_at, 1, 'intent', n.step, n.detail, null, n.outcome, n.ended_at, n.epoch
        from intents n where n.purchase_order_id = p.id
      union all
      select a.at, 2, 'action', a.action, case when a.action = 'assign'
          then concat_ws(' · ', 'to ' || coalesce(a.detail ->> 'assignee', 'nobody in particular'), a.note) when a.detail ? 'since' and not a.detail ? 'alarm' then a.note else ${actionNote('a')} end, a.who, null, null, null
        from operator_actions a where a.purchase_order_id = p.id
      union all
      -- An earlier submission became this PO's order when a person adopted it.
      select greatest(p.ordered_at, (select max(a.at) from operator_actions a where a.purchase_order_id = p.id and a.action = 'adopt')),
        3, 'state', 'ordered', null, null, null, null, null where p.ordered_at is not null
      union all
      select c.seen_at, 4, 'status', c.field, o.order_number || ': ' || coalesce(${shownValue('c.was')} || ' → ', '') || coalesce(${shownValue('c.became')}, 'none'),
        null, null, null, null
        from status_changes c join orders o on o.id = c.order_id where o.purchase_order_id = p.id
      union all
      select p.closed_at, 5, 'state', 'closed', null, null, null, null, null where p.closed_at is not null
      union all
      select case p.state when 'rejected' then p.created_at else p.changed_at end, 5, 'state',
          case when p.reason_code = 'quoted' then 'quoted' else p.state end, ${reasonTextOf('p')}, null, null, null, null
        where p.state in ('held', 'failed', 'rejected', 'cancelled')
      union all
      select past.at, 1, 'state', past.state, past.reason, null, null, null, null from ${actedOn('a.purchase_order_id = p.id')} past
    ) every_event order by at, rank limit ${shownEvents}) e`;

const sql = `
  select ${listedColumns}, ${iso('clock_timestamp()')} as "asOf", p.epoch, p.rebuilds, p.failures, p.lookups, p.dispatch,
    ${iso('p.failing_since')} as "failingSince", ${iso('p.next_at')} as "nextAt", p.cart_number as "cartNumber",
    ${iso('p.closed_at')} as "closedAt", ${iso('i.rows_pruned_at')} as "rowsPrunedAt", p.options,
    (select json_build_object('code', s.pause_code, 'reason', s.pause_reason,
        'until', case when s.operator_paused_at is null then ${iso('s.paused_until')} end)
      from account_states s where s.account = p.account and ${isPaused('s')}) as pause,
    p.account in (${placedAccounts}) as served, ${mayHaveCart('p')} as "mayHaveCart",
    (select coalesce(json_object_agg(n.step, json_build_object('epoch', n.epoch, 'outcome', n.outcome, 'detail', n.detail)), '{}')
      from (select distinct on (n.step) n.* from intents n where n.purchase_order_id = p.id order by n.step, n.id desc) n) as "lastCalls",
    (${linesSql}) as lines,
    (select case when count(*) = count(l.dealer_price) then sum(l.dealer_price * l.quantity)::text end
      from lines l where l.import_id = p.import_id and l.po_number = p.po_number) as "lineTotal",
    (select json_build_object('amount', (sum(l.quantity * (l.dealer_price - l.expected_price)))::text,
        'percent', round(100 * sum(l.quantity * (l.dealer_price - l.expected_price)) / nullif(sum(l.quantity * l.expected_price), 0), 1)::float8)
      from lines l where l.import_id = p.import_id and l.po_number = p.po_number and l.dealer_price is not null and l.expected_price is not null
      having count(*) > 0) as "priceDifference",
    (${ordersSql}) as orders,
    (select coalesce(json_agg(json_build_object('rowNumber', r.row_number, 'severity', r.severity, 'column', r.column_name, 'code', r.code,
        'message', r.message, 'found', r.found, 'expected', r.expected) order by r.row_number), '[]')
      from (select * from row_issues r where r.import_id = p.import_id and r.po_number = p.po_number
        and ${shownOfPo('r')} order by r.row_number limit 500) r) as issues,
    (${eventsSql}) as events,
    (select coalesce(json_agg(json_build_object('id', q.id::text, 'importId', q.import_id::text, 'fileName', f.file_name,
        'state', q.state, 'reasonCode', q.reason_code, 'settled', ${isSettled('q')}, 'quoteOnly', q.quote_only, 'createdAt', ${iso('q.created_at')}) order by q.id desc), '[]')
      from (select * from purchase_orders q where q.account = p.account and q.po_key = p.po_key and q.id <> p.id
        order by q.id desc limit 50) q join imports f on f.id = q.import_id) as others
  from purchase_orders p join imports i on i.id = p.import_id
  where p.id = $1 and ($2::text[] is null or p.account = any($2))`;

/** A PO with everything that the ledger has about it; undefined if the reader may not see it, or it does not exist. */
export const readPurchaseOrder = (
  pool: pg.Pool,
  id: string,
  allowed: readonly string[] | null,
): Promise<ShownPurchaseOrder | undefined> =>
  firstRow(pool, {
    name: 'console-purchase-order',
    text: sql,
    values: [id, allowed],
  });

/** Every PO with this number, in any account, file and state. */
export const readPurchaseOrdersNamed = async (
  pool: pg.Pool,
  poNumber: string,
  account?: string,
): Promise<ShownPurchaseOrder[]> =>
  readAll(
    pool,
    await columnOf(
      pool,
      `select p.id::text from purchase_orders p
       where p.po_key = $3 and p.po_number = $1 and ($2::text is null or p.account = $2) order by p.id`,
      [poNumber, account ?? null, poKeyOf(poNumber)],
    ),
  );

/** Every PO of these imports, in the files' order. Only for small imports: it returns all of them at once. */
export const readPurchaseOrdersOf = async (
  pool: pg.Pool,
  importIds: readonly string[],
): Promise<ShownPurchaseOrder[]> =>
  readAll(
    pool,
    await columnOf(
      pool,
      'select p.id::text from purchase_orders p where p.import_id = any($1::bigint[]) order by p.id',
      [importIds],
    ),
  );

const readAll = async (pool: pg.Pool, ids: readonly string[]): Promise<ShownPurchaseOrder[]> => {
  const found = await Promise.all(ids.map((id) => readPurchaseOrder(pool, id, null)));
  return found.filter((po) => po !== undefined);
};

/** Where the rows of a PO are: its import's private copy, how it was read, and the rows' numbers. */
export interface RowsOfPurchaseOrder {
  /** When retention removed the private copy or the row numbers; null: they exist. */
  prunedAt: string | null;
  account: string;
  fileName: string;
  filePath: string;
  detection: unknown;
  rowNumbers: number[];
}

const rawRowsShown = 200;

export const findRowsOf = (
  pool: pg.Pool,
  id: string,
  allowed: readonly string[] | null,
): Promise<RowsOfPurchaseOrder | undefined> =>
  firstRow(pool, {
    name: 'console-rows-of',
    text: `select p.account, i.file_name as "fileName", i.file_path as "filePath", i.detection,
        ${iso('coalesce(i.copy_pruned_at, i.rows_pruned_at)')} as "prunedAt",
        array(select n from (
          select l.row_number as n from lines l where l.import_id = p.import_id and l.po_number = p.po_number
          union select r.row_number from row_issues r where r.import_id = p.import_id and r.po_number = p.po_number
        ) found order by n limit ${rawRowsShown}) as "rowNumbers"
      from purchase_orders p join imports i on i.id = p.import_id
      where p.id = $1 and ($2::text[] is null or p.account = any($2))`,
    values: [id, allowed],
  });

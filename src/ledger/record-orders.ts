import type pg from 'pg';
import type { PoAnswer } from '../dealer-api/answers.ts';
import { noteChange } from './changes.ts';
import { makeResultsDue } from './po/result-due.ts';
import { updatePos } from './po/write.ts';
import { poKeyOf } from './po-key.ts';

// The fields whose changes are recorded.
const followed = `values
  ('order_status', b.order_status, w.order_status),
  ('tracking_numbers', nullif(array_to_string(b.tracking_numbers, ' '), ''), nullif(array_to_string(w.tracking_numbers, ' '), '')),
  ('invoice_number', b.invoice_number, w.invoice_number),
  ('ship_date', b.ship_date, w.ship_date),
  ('order_total', b.order_total::text, w.order_total::text)`;

const columns = [
  'ship_name',
  'ship_address',
  'ship_city',
  'ship_state',
  'ship_zip',
  'order_status',
  'invoice_number',
  'freight',
  'misc_charges',
  'order_total',
  'warehouse',
  'order_date',
  'ship_date',
  'invoice_date',
  'ship_via',
  'tracking_numbers',
  'items',
];
/** The columns that the comparison of the order with the file uses. */
const compared = ['items', 'ship_name', 'ship_address', 'ship_city', 'ship_state', 'ship_zip'];
const comparedOf = (order: string) => `(${compared.map((name) => `${order}.${name}`).join(', ')})`;
const prefixed = (prefix: string) => columns.map((name) => `${prefix}.${name}`).join(', ');

/** SQL: the service has shown the order. One that has only been placed does not count as missing yet. */
export const wasShown = (order: string): string =>
  `(${order}.order_status is not null or ${order}.order_date is not null or ${order}.items is not null)`;

// `orders b` is each order before the change, because a CTE does not see what another one writes. It is joined by its key, because the
// planner cannot estimate how many rows the parts have.
const recordSql = `
  with incoming as (
    select distinct on (p.id, r.order_number) p.id as po_id, p.account, p.po_number, r.order_number,
      ${columns.map((name) => (name === 'tracking_numbers' ? `coalesce(r.${name}, '{}') as ${name}` : `r.${name}`)).join(', ')}
    from jsonb_to_recordset($2::jsonb) as r(
      asked_po text, asked_key text, order_number text, ship_name text, ship_address text, ship_city text, ship_state text, ship_zip text,
      order_status text, invoice_number text, freight numeric, misc_charges numeric, order_total numeric, warehouse text,
      order_date text, ship_date text, invoice_date text, ship_via text, tracking_numbers text[], items jsonb)
    join purchase_orders p on p.account = $1 and p.po_key = r.asked_key and p.po_number = r.asked_po
      and p.state in ('ordered', 'closed')
    where r.order_number <> all(coalesce(p.baseline, '{}'))
  ), written as (
    insert into orders as o (purchase_order_id, account, po_number, order_number, ${columns.join(', ')})
    select i.po_id, i.account, i.po_number, i.order_number, ${prefixed('i')} from incoming i
    on conflict (purchase_order_id, order_number) do update
      set (${columns.join(', ')}, changed_at, gone_at) = row(${prefixed('excluded')}, clock_timestamp(), null)
      where (${prefixed('o')}) is distinct from (${prefixed('excluded')}) or o.gone_at is not null
    returning o.*
  ), gone as (
    -- The answers have all orders of the PO, and this one is no longer among them.
    update orders g set gone_at = clock_timestamp(), changed_at = clock_timestamp()
    from purchase_orders p
    where p.id in (select po_id from incoming) and ($3::timestamptz is null or p.ordered_at >= $3)
      and g.purchase_order_id = p.id and g.gone_at is null and ${wasShown('g')}
      and not exists (select from incoming i where i.po_id = p.id and i.order_number = g.order_number)
    returning g.purchase_order_id
  ), changed as (
    insert into status_changes (order_id, field, was, became)
    select w.id, c.field, c.was, c.became
    from written w left join orders b on b.id = w.id
    cross join lateral (${followed}) as c(field, was, became)
    where c.was is distinct from c.became
    returning 1
  ), shown as (
    select p.id, p.import_id from (select purchase_order_id from written union select purchase_order_id from gone) w
    join purchase_orders p on p.id = w.purchase_order_id
  ), due as (${makeResultsDue('shown')}
  ), unchecked as (
    -- The order is new or has changed, so it has to be compared again, even if the PO is closed.
    ${updatePos({
      by: 'compare',
      from: 'written w left join orders b on b.id = w.id',
      set: { quantities_checked: 'false' },
      where: `(b.id is null or ${comparedOf('b')} is distinct from ${comparedOf('w')})
        and p.id = w.purchase_order_id and p.quantities_checked`,
    })}
  )
  select coalesce(array_agg(distinct po_id), '{}') as seen, (select count(*)::int from changed) + (select count(*)::int from gone) as changes from incoming`;

const toRows = (pos: readonly PoAnswer[]): unknown[] =>
  pos.flatMap((po) =>
    po.orders.map((order) => ({
      asked_po: po.poNumber,
      asked_key: po.poNumber === undefined ? undefined : poKeyOf(po.poNumber),
      order_number: order.orderNumber,
      ship_name: po.shipName,
      ship_address: po.shipAddress,
      ship_city: po.shipCity,
      ship_state: po.shipState,
      ship_zip: po.shipZip,
      order_status: order.orderStatus,
      invoice_number: order.invoiceNumber,
      freight: order.freight,
      misc_charges: order.miscCharges,
      order_total: order.orderTotal,
      warehouse: order.warehouse,
      order_date: order.orderDate,
      ship_date: order.shipDate,
      invoice_date: order.invoiceDate,
      ship_via: order.shipVia,
      tracking_numbers: order.trackingNumbers,
      items: order.items,
    })),
  );

/**
 * Records the orders that a poll has read (`TrackingLedger.recordOrders`), in one statement.
 *
 * @param allSince the answers may lack orders of POs ordered before it; undefined: they have all orders of every PO
 */
export const recordOrders = async (
  pool: pg.Pool,
  account: string,
  pos: readonly PoAnswer[],
  allSince: Date | undefined,
): Promise<{ seenIds: string[]; changes: number }> => {
  const values = [account, JSON.stringify(toRows(pos)), allSince ?? null];
  const { rows } = await pool.query({ name: 'record-orders', text: recordSql, values });
  if (rows[0].changes > 0) noteChange(pool, { topics: ['purchase-orders', 'imports'], account });
  return { seenIds: rows[0].seen, changes: rows[0].changes };
};

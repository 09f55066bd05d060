import { createBinder } from '../console/sql-parts.ts';
import { hasOpenAlarm } from '../purchase-order-sql.ts';
import { isNumbered, ordersNumbered } from './order-numbers.ts';

export const orderSorts = ['ordered', 'shipped', 'invoiced', 'total'] as const;
export type OrderSort = (typeof orderSorts)[number];

/** Which orders; every given condition must hold. Days are YYYY-MM-DD, as the service names them, both inclusive. */
export interface OrderFilter {
  status?: readonly string[] | undefined;
  importId?: string | undefined;
  /** True: neither shipped nor final for longer than the account's `lateAfter`. */
  late?: boolean | undefined;
  backordered?: boolean | undefined;
  /** True: shipped, without a tracking number. */
  untracked?: boolean | undefined;
  /** True: its PO has an unsettled alarm. */
  alarm?: boolean | undefined;
  /** Prefix of a PO, order, invoice or tracking number, ignoring case. */
  q?: string | undefined;
  orderedFrom?: string | undefined;
  orderedTo?: string | undefined;
  shippedFrom?: string | undefined;
  shippedTo?: string | undefined;
  invoicedFrom?: string | undefined;
  invoicedTo?: string | undefined;
}

/** An account whose orders are read, with its rule for late orders. */
export interface OrderAccount {
  account: string;
  /** Infinity: none is ever late. */
  lateAfterMs: number;
  finalStatuses: readonly string[];
}

/** SQL: sort keys of orders; always the same text, to match the indexes. An order without a value sorts as the oldest. */
export const keys: Record<OrderSort, string> = {
  ordered: 'o.order_day',
  shipped: `coalesce(o.ship_day, '-infinity'::date)`,
  invoiced: `coalesce(o.invoice_day, '-infinity'::date)`,
  total: `coalesce(o.order_total, '-Infinity'::numeric)`,
};
// The same text as in the partial indexes. An order that the service no longer shows counts nowhere.
const backordered = `(o.gone_at is null and (o.pieces_backordered > 0 or o.order_status = 'B/O'))`;
const untracked = `(o.gone_at is null and o.is_shipped and o.tracking_numbers = '{}')`;
/** SQL: since when an order waits to be shipped. An order older than its PO's submission waits since its own day, as in the statistics. */
export const waitingSince = `least(p.ordered_at, (o.order_day + 1)::timestamp at time zone 'UTC')`;
// `a` is the account with its rule.
const late = `(o.gone_at is null and not o.is_shipped and not coalesce(o.order_status = any(a.finals), false) and exists (
  select from purchase_orders p where p.id = o.purchase_order_id and p.state = 'ordered'
    and ${waitingSince} <= clock_timestamp() - a.late_ms * interval '1 millisecond'))`;
const alarmed = `exists (select from purchase_orders p where p.id = o.purchase_order_id and ${hasOpenAlarm('p')})`;

/** SQL: the flags of an order, each with the same text as its index. */
export const orderFlags = { late, backordered, untracked, alarm: alarmed };

type Bind = (value: unknown) => string;

const between = (key: string, from: string | undefined, to: string | undefined, bind: Bind): string[] => [
  ...(from === undefined ? [] : [`${key} >= ${bind(from)}::date`]),
  ...(to === undefined ? [] : [`${key} <= ${bind(to)}::date`]),
];

/** SQL: the conditions of the filter. */
export const conditions = (filter: OrderFilter, bind: Bind): string[] => {
  const { status, importId, q } = filter;
  const flags = (['late', 'backordered', 'untracked', 'alarm'] as const).flatMap((name) => {
    const wanted = filter[name];
    return wanted === undefined
      ? []
      : [wanted ? orderFlags[name] : `not coalesce(${orderFlags[name]}, false)`];
  });
  return [
    ...(status === undefined ? [] : [`o.order_status = any(${bind(status)}::text[])`]),
    ...(importId === undefined
      ? []
      : [
          `o.purchase_order_id in (select p.id from purchase_orders p where p.import_id = ${bind(importId)}::bigint)`,
        ]),
    ...flags,
    ...(q === undefined ? [] : [isNumbered(q, bind)]),
    ...between(keys.ordered, filter.orderedFrom, filter.orderedTo, bind),
    ...between(keys.shipped, filter.shippedFrom, filter.shippedTo, bind),
    ...between(keys.invoiced, filter.invoicedFrom, filter.invoicedTo, bind),
  ];
};

/** SQL: the accounts as `a`, with their rules. */
export const accountRows = (accounts: readonly OrderAccount[], bind: Bind): string => {
  // JSON has no infinity, so it becomes null.
  const rules = accounts.map(({ account, lateAfterMs, finalStatuses }) => ({
    account,
    late_ms: lateAfterMs,
    finals: finalStatuses,
  }));
  return `jsonb_to_recordset(${bind(JSON.stringify(rules))}::jsonb) as a(account text, late_ms bigint, finals text[])`;
};

/**
 * SQL: the number of orders that match, the sum of the totals of those that the service still shows, and how many of these have none; over
 * at most `most` orders in no particular order, and if `q` is given, of at most `most` orders that match it.
 */
export const totalsOfOrders = (
  { q, ...filter }: OrderFilter,
  most: number,
  accounts: readonly OrderAccount[],
): { text: string; values: unknown[] } => {
  const { values, bind } = createBinder();
  const rows = accountRows(accounts, bind);
  const numbered = q === undefined ? 'select null::tid as ctid where false' : ordersNumbered(q, most, bind);
  const all = [
    'o.account = a.account',
    ...conditions(filter, bind),
    // By ctid: ten thousand index lookups would take most of the time.
    ...(q === undefined ? [] : ['o.ctid = any(array(select ctid from numbered))']),
  ];
  return {
    text: `with numbered as materialized (${numbered}),
      those as (select o.order_total, o.gone_at from ${rows} join orders o on ${all.join(' and ')} limit ${most})
      select count(*)::int as n, (sum(order_total) filter (where gone_at is null))::text as sum,
        (count(*) filter (where order_total is null and gone_at is null))::int as missing,
        (select count(*) from numbered) >= ${most} as "isCut" from those`,
    values,
  };
};

import type pg from 'pg';
import type { PoSum } from '../../api-contract/basics.ts';
import type { PoSummary } from '../../api-contract/purchase-orders.ts';
import { assigneeOf } from '../assigned.ts';
import { reasonTextOf } from '../conflict-reason.ts';
import { isLeased } from '../po/lease.ts';
import { hasOpenAlarm, isSettled } from '../purchase-order-sql.ts';
import { columnOf, firstRow, onlyValue, rowsOf } from '../query.ts';
import { mayHaveOrdered } from '../submissions.ts';
import { orderOf, type PoFilter, type PoPage, pageOfIds } from './po-filter.ts';
import { countedAtMost, iso } from './sql-parts.ts';

/** A PO in a list, without its possible actions. */
export type ListedPurchaseOrder = Omit<PoSummary, 'statusMeaning' | 'actions' | 'advised' | 'unlikely'> & {
  /** A worker holds it now. */
  leased: boolean;
  /** A submission may have created an order. */
  mayHaveOrdered: boolean;
};

/** SQL: the columns of a `ListedPurchaseOrder`. */
export const listedColumns = `p.id::text, p.account, p.po_number as "poNumber", p.import_id::text as "importId",
  i.file_name as "fileName", p.first_row as "firstRow", p.line_count as "lineCount", p.state, p.quote_only as "quoteOnly",
  p.cancelling, p.holding, p.reason_code as "reasonCode", ${reasonTextOf('p')} as "reasonText", case when ${hasOpenAlarm('p')} then p.alarm end as alarm,
  ${isSettled('p')} as settled, ${assigneeOf('po', 'p.id')} as assignee, ${iso('p.created_at')} as "createdAt",
  ${iso('p.changed_at')} as "changedAt", ${iso('p.ordered_at')} as "orderedAt", ${isLeased('p')} as leased,
  (select coalesce(array_agg(o.order_number order by o.id), '{}') from orders o where o.purchase_order_id = p.id and o.gone_at is null) as "orderNumbers",
  (select coalesce(array_agg(o.order_status order by o.id), '{}') from orders o where o.purchase_order_id = p.id and o.gone_at is null) as "orderStatuses",
  ${mayHaveOrdered('p')} as "mayHaveOrdered"`;

/** The accounts that the ledger knows, by its indexes alone. */
export const listKnownAccounts = (pool: pg.Pool): Promise<string[]> =>
  columnOf(pool, {
    name: 'console-known-accounts',
    text: `
      with recursive pos(account) as (
        (select account from purchase_orders order by account limit 1)
        union all
        select (select p.account from purchase_orders p where p.account > k.account order by p.account limit 1)
        from pos k where k.account is not null
      ), files(account) as (
        (select account from imports order by account limit 1)
        union all
        select (select i.account from imports i where i.account > k.account order by i.account limit 1)
        from files k where k.account is not null
      )
      select account from pos where account is not null
      union select account from files where account is not null
      union select account from served_accounts
      order by account`,
  });

/** The accounts of the ledger that a reader may see. `allowed`: null for all. */
export const visibleAccounts = async (
  pool: pg.Pool,
  allowed: readonly string[] | null,
): Promise<string[]> => {
  const known = await listKnownAccounts(pool);
  return allowed === null ? known : known.filter((one) => allowed.includes(one));
};

/** A page of POs. */
export const listPurchaseOrders = async (
  pool: pg.Pool,
  filter: PoFilter,
  page: PoPage,
  allowed: readonly string[] | null,
): Promise<ListedPurchaseOrder[]> => {
  const accounts = await visibleAccounts(pool, allowed);
  const ids = pageOfIds(filter, page, accounts, allowed === null);
  return rowsOf(
    pool,
    `select ${listedColumns} from (${ids.text}) page
     join purchase_orders p on p.id = page.id join imports i on i.id = p.import_id
     ${orderOf(page, 'p')}`,
    ids.values,
  );
};

/** How many POs match; counting ends at `most`, by default at 10,000. */
export const countPurchaseOrders = async (
  pool: pg.Pool,
  filter: PoFilter,
  allowed: readonly string[] | null,
  most = countedAtMost,
): Promise<number> => {
  const accounts = await visibleAccounts(pool, allowed);
  const ids = pageOfIds(filter, { order: 'any', limit: most + 1 }, accounts, allowed === null);
  return onlyValue(pool, `select count(*)::int as n from (${ids.text}) page`, ids.values);
};

type Sum = NonNullable<PoSum>;

/** The total cost of the matching POs; undefined if more than `most` match, because all their lines are read. */
export const sumPurchaseOrders = async (
  pool: pg.Pool,
  filter: PoFilter,
  allowed: readonly string[] | null,
  most: number,
): Promise<Sum | undefined> => {
  const accounts = await visibleAccounts(pool, allowed);
  const ids = pageOfIds(filter, { order: 'any', limit: most + 1 }, accounts, allowed === null);
  const { n, goods, unpriced, above, percent } = (await firstRow<
    Omit<Sum, 'above'> & { n: number; above: string; percent: number | null }
  >(
    pool,
    `with those as materialized (${ids.text})
     select (select count(*)::int from those) as n, sum(l.quantity * coalesce(l.dealer_price, l.expected_price))::text as goods,
       (count(l.row_number) filter (where l.quantity is not null and l.dealer_price is null and l.expected_price is null))::int as unpriced,
       coalesce(sum(l.quantity * (l.dealer_price - l.expected_price)), 0)::text as above,
       round(100 * sum(l.quantity * (l.dealer_price - l.expected_price))
         / nullif(sum(l.quantity * l.expected_price) filter (where l.dealer_price is not null), 0), 2)::float8 as percent
     from (select id from those where (select count(*) from those) <= ${most}) t
     join purchase_orders p on p.id = t.id join lines l on l.import_id = p.import_id and l.po_number = p.po_number`,
    ids.values,
  ))!;
  if (n > most) return undefined;
  const isAbove = percent !== null && percent > 0;
  return { goods, unpriced, above: isAbove ? { amount: above, percent } : null };
};

import type pg from 'pg';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { reasonTextOf } from '../conflict-reason.ts';
import { isLeased } from '../po/lease.ts';
import { hasOpenAlarm } from '../purchase-order-sql.ts';
import { mayHaveOrdered } from '../submissions.ts';
import { everyState, type PoFilter, type PoPage, pageOfIds } from './po-filter.ts';
import { type CappedCount, capped, countedAtMost, iso } from './sql-parts.ts';

/** A PO in a list, in the shape of the API but for what a person can do. */
export interface ListedPurchaseOrder {
  id: string;
  account: string;
  poNumber: string;
  importId: string;
  fileName: string;
  firstRow: number;
  lineCount: number;
  state: PurchaseOrderState;
  quoteOnly: boolean;
  cancelling: boolean;
  /** A person wants it held. */
  holding: boolean;
  reasonCode: string | null;
  reasonText: string | null;
  alarm: string | null;
  createdAt: string;
  changedAt: string;
  orderedAt: string | null;
  orderNumbers: string[];
  /** Of these orders, as the service names them; null: not shown yet. */
  orderStatuses: (string | null)[];
  /** A worker has it now. */
  leased: boolean;
  /** A submission may have made an order. */
  mayHaveOrdered: boolean;
}

/** SQL: the columns of a `ListedPurchaseOrder`. */
export const listedColumns = `p.id::text, p.account, p.po_number as "poNumber", p.import_id::text as "importId",
  i.file_name as "fileName", p.first_row as "firstRow", p.line_count as "lineCount", p.state, p.quote_only as "quoteOnly",
  p.cancelling, p.holding, p.reason_code as "reasonCode", ${reasonTextOf('p')} as "reasonText", case when ${hasOpenAlarm('p')} then p.alarm end as alarm, ${iso('p.created_at')} as "createdAt",
  ${iso('p.changed_at')} as "changedAt", ${iso('p.ordered_at')} as "orderedAt", ${isLeased('p')} as leased,
  (select coalesce(array_agg(o.order_number order by o.id), '{}') from orders o where o.purchase_order_id = p.id and o.gone_at is null) as "orderNumbers",
  (select coalesce(array_agg(o.order_status order by o.id), '{}') from orders o where o.purchase_order_id = p.id and o.gone_at is null) as "orderStatuses",
  ${mayHaveOrdered('p')} as "mayHaveOrdered"`;

/** The accounts that the ledger knows, by its indexes alone. */
export const listKnownAccounts = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ account: string }>({
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
  return rows.map(({ account }) => account);
};

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
  const { rows } = await pool.query<ListedPurchaseOrder>(
    `select ${listedColumns} from (${ids.text}) page
     join purchase_orders p on p.id = page.id join imports i on i.id = p.import_id
     order by p.id ${page.order === 'newest' ? 'desc' : 'asc'}`,
    ids.values,
  );
  return rows;
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
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from (${ids.text}) page`,
    ids.values,
  );
  return rows[0]!.n;
};

/** What POs cost, as far as it is known. */
export interface PoSum {
  /** Decimal text: quantities times the service's prices, otherwise those that the file expects; null: no line has either. */
  goods: string | null;
  /** Lines with neither. */
  unpriced: number;
}

/** What the POs that match cost together; undefined where more than `most` match, because all their lines are read. */
export const sumPurchaseOrders = async (
  pool: pg.Pool,
  filter: PoFilter,
  allowed: readonly string[] | null,
  most: number,
): Promise<PoSum | undefined> => {
  const accounts = await visibleAccounts(pool, allowed);
  const ids = pageOfIds(filter, { order: 'any', limit: most + 1 }, accounts, allowed === null);
  const { rows } = await pool.query<PoSum & { n: number }>(
    `with those as materialized (${ids.text})
     select (select count(*)::int from those) as n, sum(l.quantity * coalesce(l.dealer_price, l.expected_price))::text as goods,
       (count(l.row_number) filter (where l.quantity is not null and l.dealer_price is null and l.expected_price is null))::int as unpriced
     from (select id from those where (select count(*) from those) <= ${most}) t
     join purchase_orders p on p.id = t.id join lines l on l.import_id = p.import_id and l.po_number = p.po_number`,
    ids.values,
  );
  const { n, goods, unpriced } = rows[0]!;
  return n > most ? undefined : { goods, unpriced };
};

/** POs of these accounts by state, and held ones by reason; each is counted up to 10,001. */
export const countFacets = async (
  pool: pg.Pool,
  accounts: readonly string[],
  importId: string | undefined,
): Promise<{
  states: { state: PurchaseOrderState; count: CappedCount }[];
  reasons: { reasonCode: string; count: CappedCount }[];
}> => {
  const states = await pool.query<{ state: PurchaseOrderState; n: number }>(
    importId === undefined
      ? { name: 'console-states', text: statesSql, values: [accounts, everyState] }
      : { name: 'console-states-of-import', text: statesOfImportSql, values: [accounts, importId] },
  );
  const reasons = await pool.query<{ reasonCode: string; n: number }>(
    importId === undefined
      ? { name: 'console-held-for', text: heldForSql, values: [accounts] }
      : { name: 'console-held-for-of-import', text: heldForOfImportSql, values: [accounts, importId] },
  );
  return {
    states: states.rows.map(({ state, n }) => ({ state, count: capped(n) })),
    reasons: reasons.rows.map(({ reasonCode, n }) => ({ reasonCode, count: capped(n) })),
  };
};

// Over all accounts together, counting ends at the limit: a tenth of what counting each account up to it would read.
const statesSql = `
  select s.state, counted.n::int as n
  from unnest($2::text[]) s(state)
  cross join lateral (select count(*) as n from (select from unnest($1::text[]) a(account)
    cross join lateral (select from purchase_orders p
      where p.account = a.account and p.state = s.state limit ${countedAtMost + 1}) one
    limit ${countedAtMost + 1}) those) counted
  where counted.n > 0`;

/** SQL: the pairs of account and reason of held POs, each by one step into the index `purchase_orders_held`. */
const heldGroups = `
  groups(account, code) as (
    (select a.account, f.code from unnest($1::text[]) a(account) cross join lateral (
      select p.reason_code as code from purchase_orders p
      where p.account = a.account and p.state = 'held' order by p.reason_code limit 1) f)
    union all
    select g.account, (select p.reason_code from purchase_orders p
      where p.account = g.account and p.state = 'held' and p.reason_code > g.code order by p.reason_code limit 1)
    from groups g where g.code is not null
  )`;

const heldForSql = `
  with recursive ${heldGroups}
  select c.code as "reasonCode", counted.n::int as n
  from (select distinct code from groups where code is not null) c
  cross join lateral (select count(*) as n from (select from groups g
    cross join lateral (select from purchase_orders p
      where p.account = g.account and p.reason_code = g.code and p.state = 'held' limit ${countedAtMost + 1}) one
    where g.code = c.code limit ${countedAtMost + 1}) those) counted
  order by n desc, 1`;

const heldForOfImportSql = `
  select p.reason_code as "reasonCode", count(*)::int as n from purchase_orders p
  where p.import_id = $2::bigint and p.account = any($1::text[]) and p.state = 'held' and p.reason_code is not null
  group by 1 order by n desc, 1`;

const statesOfImportSql = `
  select p.state, count(*)::int as n from purchase_orders p
  where p.import_id = $2::bigint and p.account = any($1::text[]) group by 1`;

/**
 * Held POs of these accounts by reason, each counted up to 10,001, with the PO that came first: the one that is held longest
 * would be found by reading all of them, for no index contains `changed_at`.
 */
export const countHeld = async (
  pool: pg.Pool,
  accounts: readonly string[],
): Promise<
  { account: string; reasonCode: string; n: number; heldSince: string; id: string; poNumber: string }[]
> => {
  const { rows } = await pool.query({
    name: 'console-held',
    text: `
      with recursive ${heldGroups}
      select g.account, g.code as "reasonCode", counted.n::int, ${iso('first.changed_at')} as "heldSince",
        first.id::text, first.po_number as "poNumber"
      from groups g
      cross join lateral (select count(*) as n from (select from purchase_orders p
        where p.account = g.account and p.reason_code = g.code and p.state = 'held' limit ${countedAtMost + 1}) those) counted
      cross join lateral (select p.changed_at, p.id, p.po_number from purchase_orders p
        where p.account = g.account and p.reason_code = g.code and p.state = 'held'
        order by p.id limit 1) first
      where g.code is not null
      order by counted.n desc, 1, 2`,
    values: [accounts],
  });
  return rows;
};

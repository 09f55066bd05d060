import type pg from 'pg';

/** What a reset removes: everything, or what belongs to one dealer, one PO number, or both. */
export interface ResetScope {
  dealer?: string | undefined;
  poNumber?: string | undefined;
}

/** Whether a reset of the scope applies to something of this dealer and PO number. */
export const isInScope = (
  of: { dealer: string | null; poNumber: string | null },
  { dealer, poNumber }: ResetScope,
): boolean =>
  (dealer === undefined || of.dealer === dealer) && (poNumber === undefined || of.poNumber === poNumber);

/** How many carts and orders a reset removed. */
export interface ResetCounts {
  carts: number;
  orders: number;
}

const countsSql = `select (select count(*)::integer from dealer_service.carts) as carts,
  (select count(*)::integer from dealer_service.orders) as orders`;

/** Removes all carts, orders, rate limits and audit rows. Cart and order numbers start again. */
const removeAll = async (pool: pg.Pool): Promise<ResetCounts> => {
  const { rows } = await pool.query<ResetCounts>(countsSql);
  await pool.query(
    `truncate dealer_service.carts, dealer_service.cart_items, dealer_service.submissions, dealer_service.orders,
       dealer_service.audit, dealer_service.po_versions, dealer_service.rate_buckets restart identity`,
  );
  return rows[0]!;
};

const removeSql = `
  with gone_carts as (
    delete from dealer_service.carts
    where ($1::text is null or dealer = $1) and ($2::text is null or po_number = $2) returning cart_id),
  gone_items as (delete from dealer_service.cart_items where cart_id in (select cart_id from gone_carts)),
  gone_submissions as (
    delete from dealer_service.submissions
    where ($1::text is null or dealer = $1) and ($2::text is null or po_number = $2) returning submission_id),
  gone_orders as (
    delete from dealer_service.orders where submission_id in (select submission_id from gone_submissions) returning 1),
  gone_audit as (
    delete from dealer_service.audit
    where ($1::text is null or dealer = $1) and ($2::text is null or po_number = $2)),
  gone_buckets as (delete from dealer_service.rate_buckets where dealer = $1 and $2::text is null),
  -- A call that another process has decided on the old state must not be written.
  moved as (
    update dealer_service.po_versions set version = version + 1
    where ($1::text is null or dealer = $1) and ($2::text is null or po_number = $2))
  select (select count(*)::integer from gone_carts) as carts, (select count(*)::integer from gone_orders) as orders`;

/** Removes what belongs to the scope, in one statement. */
export const removeData = async (
  pool: pg.Pool,
  { dealer, poNumber }: ResetScope = {},
): Promise<ResetCounts> => {
  if (dealer === undefined && poNumber === undefined) return removeAll(pool);
  const { rows } = await pool.query<ResetCounts>(removeSql, [dealer ?? null, poNumber ?? null]);
  return rows[0]!;
};

import type { EndedStep, Move, TakenPurchaseOrder } from '../placing/types.ts';
import { firstSubmittedAt } from './submissions.ts';

/**
 * One statement that writes everything a step leads to: the PO's move (guarded by id, lease, epoch and
 * state), the outcome of its intent, the service's answers to its lines, its orders, and that the result
 * file is due. Without the guarded row nothing of it is written. Answers `moved` = 1 or 0.
 */
export const moveSql = ({ keepLease }: { keepLease: boolean }): string => `
  with moved as (
    update purchase_orders p set
      state = $5, epoch = p.epoch + $6::int,
      ${
        keepLease
          ? ''
          : `lease_owner = null, lease_until = null,
      next_at = clock_timestamp() + $7::float8 * interval '1 millisecond',`
      }
      reason_code = $8, reason_text = $9,
      cart_number = case $10 when 'gone' then null when 'new' then $11 else p.cart_number end,
      cart_epoch = case $10 when 'gone' then null when 'new' then p.epoch else p.cart_epoch end,
      rebuilds = p.rebuilds + $12::int, looks = $13,
      failures = case when $14 then p.failures + 1 else 0 end,
      failing_since = case when $14 then coalesce(p.failing_since, clock_timestamp()) end,
      alarm = coalesce($15, p.alarm),
      cancelling = p.cancelling and $5 not in ('cancelled', 'failed', 'ordered'),
      ordered_at = case when $5 = 'ordered' then coalesce(p.ordered_at, ${firstSubmittedAt('p')}) else p.ordered_at end,
      changed_at = clock_timestamp()
    where p.id = $1 and p.lease_owner = $2 and p.epoch = $3 and p.state = $4
      ${keepLease ? 'and $7::float8 is not null' : ''}
    returning p.id, p.import_id, p.account, p.po_number, p.cart_epoch
  ), ended as (
    update intents set outcome = $17, detail = $18, ended_at = clock_timestamp()
    where id = $16 and exists (select from moved)
  ), answered as (
    update lines l set answered_epoch = m.cart_epoch, sku = a.sku, name = a.name,
      available_quantity = a."availableQuantity", backorder_quantity = a."backorderQuantity",
      dealer_price = a."dealerPrice", refusal = null
    from moved m, jsonb_to_recordset($19::jsonb) as a("rowNumber" int, sku text, name text,
      "availableQuantity" int, "backorderQuantity" int, "dealerPrice" numeric)
    -- The PO number is said for the plan: without it every line of the import is read.
    where l.import_id = m.import_id and l.po_number = m.po_number and l.row_number = a."rowNumber"
  ), refused as (
    update lines l set refusal = $21 from moved m where l.import_id = m.import_id and l.row_number = $20::int
  ), placed as (
    insert into orders (purchase_order_id, account, po_number, order_number)
    select m.id, m.account, m.po_number, n from moved m, unnest($22::text[]) n
    on conflict (purchase_order_id, order_number) do nothing
  ), due as (
    update imports i set result_due = true from moved m where i.id = m.import_id and not i.result_due
  )
  select count(*)::int as moved from moved`;

/** The parameters of `moveSql`. */
export const moveParameters = (
  po: TakenPurchaseOrder,
  owner: string,
  move: Move,
  ended?: EndedStep,
): unknown[] => [
  po.id,
  owner,
  po.epoch,
  po.state,
  move.state,
  move.epoch === 'next' ? 1 : 0,
  move.waitMs,
  move.reason?.code ?? null,
  move.reason?.text ?? null,
  move.cart === undefined ? 'same' : move.cart === 'gone' ? 'gone' : 'new',
  move.cart === undefined || move.cart === 'gone' ? null : move.cart.number,
  move.rebuilt ? 1 : 0,
  move.looks ?? po.looks,
  move.failed ?? false,
  move.alarm ?? null,
  ended?.intentId ?? null,
  ended?.outcome ?? null,
  ended?.detail ?? null,
  JSON.stringify((ended?.answers ?? []).map(({ rowNumber, answer }) => ({ rowNumber, ...answer }))),
  ended?.refusal?.rowNumber ?? null,
  ended?.refusal?.message ?? null,
  move.orderNumber !== undefined ? [move.orderNumber] : (move.orders ?? []).map((order) => order.orderNumber),
];

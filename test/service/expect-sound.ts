import type pg from 'pg';
import { expect } from 'vitest';

/** Queries for the traces of a partial change. Each must return no row. */
const unsound: Record<string, string> = {
  'a submission without orders': `
    select po_number from dealer_service.submissions s
    where not exists (select from dealer_service.orders o where o.submission_id = s.submission_id)`,
  'a submission whose quantities are not those of its cart': `
    with ordered as (
      select s.submission_id, item->>'sku' as sku, sum((item->>'quantity')::integer) as quantity
      from dealer_service.submissions s join dealer_service.orders o using (submission_id)
      cross join jsonb_array_elements(o.items) as item group by 1, 2),
    expected as (
      select s.submission_id, i.sku, sum(i.quantity) as quantity
      from dealer_service.submissions s join dealer_service.cart_items i using (cart_id) group by 1, 2)
    select * from ordered full join expected using (submission_id, sku)
    where ordered.quantity is distinct from expected.quantity`,
  'an ordered cart that is still open, or the other way round': `
    select c.cart_number from dealer_service.carts c
    where (c.removed_by = 'submitted') is distinct from true
      and exists (select from dealer_service.submissions s where s.cart_id = c.cart_id)
    union all
    select c.cart_number from dealer_service.carts c
    where c.removed_by = 'submitted'
      and not exists (select from dealer_service.submissions s where s.cart_id = c.cart_id)`,
  'a PO that was ordered twice': `
    select dealer, po_number from dealer_service.submissions group by 1, 2 having count(*) > 1`,
  'an order that the audit log does not have, or the other way round': `
    with logged as (
      select made->>'order_number' as order_number from dealer_service.audit
      cross join jsonb_array_elements(detail->'orders') as made where outcome = 'acted')
    select order_number from logged full join dealer_service.orders o using (order_number)
    where o.order_id is null or not exists (select from logged l where l.order_number = o.order_number)`,
  'a cart that the audit log does not have': `
    select cart_number from dealer_service.carts c where not exists (
      select from dealer_service.audit a
      where a.endpoint = 'createCart' and a.outcome = 'acted' and a.detail->>'cart_number' = c.cart_number)`,
  'items of a cart that are not those of the audit log': `
    with logged as (
      select detail->>'cart_number' as cart_number, count(*) as items, sum((detail->>'quantity')::integer) as pieces
      from dealer_service.audit where endpoint = 'addItem' and outcome = 'acted' group by 1),
    held as (
      select cart_number, count(*) as items, sum(quantity) as pieces
      from dealer_service.cart_items join dealer_service.carts using (cart_id) group by 1)
    select * from logged full join held using (cart_number)
    where (logged.items, logged.pieces) is distinct from (held.items, held.pieces)`,
};

/** Asserts that the service's tables have no partial change and that the audit log contains every change. */
export const expectSound = async (pool: pg.Pool): Promise<void> => {
  for (const [what, sql] of Object.entries(unsound)) {
    const { rows } = await pool.query(sql);
    expect(rows, what).toEqual([]);
  }
};

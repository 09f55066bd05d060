import type pg from 'pg';

export interface StoredOrders {
  /** The number of the first order, and the number after the last. */
  from: number;
  to: number;
  /** Day of order 0, as YYYY-MM-DD. */
  firstDay: string;
  perDay: number;
}

/**
 * Stores past orders at the service, with two pieces of A each, `perDay` per day, under the PO numbers `stored-N` of
 * the dealer of a service without tokens. Cart 1 must exist, because they refer to it.
 */
export const storeOrders = async (pool: pg.Pool, orders: StoredOrders): Promise<void> => {
  const { from, to, firstDay, perDay } = orders;
  await pool.query(
    `with made as (
       insert into dealer_service.submissions (cart_id, dealer, po_number, order_date, ship)
       select 1, 'dealer', 'stored-' || n, $4::date + (n / $3::integer),
         '{"ship_name":"Ann","ship_address":"1 Elm St","ship_city":"Boise","ship_state":"ID","ship_zip":"01234"}'
       from generate_series($1::integer, $2::integer - 1) as n returning submission_id)
     insert into dealer_service.orders
       (submission_id, warehouse, ship_via, freight_cents, misc_cents, total_cents, items, steps)
     select submission_id, 'GA', 'BEST', 995, 0, 5995,
       '[{"sku":"A","name":"Item A","quantity":2,"available":2,"price_cents":2500}]',
       '{"Picking":1,"Checking":2,"Shipped":3,"Invoiced":4}' from made`,
    [from, to, perDay, firstDay],
  );
  await pool.query('vacuum analyze dealer_service.submissions, dealer_service.orders');
};

import type pg from 'pg';
import { noteItems } from '../../src/ledger/item-numbers.ts';

export const posInFile = 500;
export const linesInPo = 5;

/** Half a year of ten accounts: most POs are closed, a few per cent wait for a person or ended without an order. */
export const fillConsoleLedger = async (pool: pg.Pool, pos: number): Promise<void> => {
  await pool.query(
    `insert into imports (account, file_name, sha256, size_bytes, file_path, state, format, row_count, po_count, taken_at, read_at,
       result_path, result_written_at)
     select 'dealer-' || n % 10, 'orders-' || n || '.csv', md5(n::text), 40000, 'files/' || n || '.csv',
       case when n % 97 = 0 then 'refused' else 'read' end, 'csv', $2::int, $3::int, at, at + interval '3 seconds', 'results/' || n || '.csv', at + interval '1 minute'
     from (select n, now() - interval '180 days' * (1 - n::float8 / $1::int) as at from generate_series(1, $1::int) n) f`,
    [pos / posInFile, posInFile * linesInPo, posInFile],
  );
  await pool.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, reason_code,
       reason_text, cart_epoch, created_at, changed_at, ordered_at, closed_at, alarm)
     select 'dealer-' || f.import % 10, 'PO-' || n, 'po-' || n, f.import, 2 + (n % $2::int) * $3::int, $3, md5(n::text), f.state,
       case f.state when 'held' then (array['price_above', 'backorder', 'unusual_quantity', 'foreign_cart'])[1 + n % 4]
         when 'rejected' then 'row_issues' when 'failed' then 'refused_by_service' when 'cancelled' then 'cancelled' end,
       case when f.state in ('held', 'failed') then 'Row 7 costs 12.00, the file expects 10.00.' end, 0, at, at + interval '1 minute',
       case when f.state in ('ordered', 'closed') then at + interval '1 minute' end,
       case when f.state = 'closed' then at + interval '5 days' end, case when n % 9973 = 0 then 'Two ordered, one asked.' end
     from (select n, 1 + (n - 1) / $2::int as import, now() - interval '180 days' * (1 - n::float8 / $1::int) as at,
         case when n > $1::int - 800 then 'ready' when n % 40 = 0 then 'held' when n % 50 = 1 then 'failed'
           when n % 100 = 3 then 'rejected' when n % 50 = 7 then 'cancelled'
           when n > $1::int * 0.95 then 'ordered' else 'closed' end as state
       from generate_series(1, $1::int) n) f`,
    [pos, posInFile, linesInPo],
  );
  await pool.query(
    `insert into lines (import_id, row_number, po_number, item_sku, quantity, expected_price, answered_epoch, sku, dealer_price, available_quantity)
     select 1 + (n - 1) / $2::int, 2 + (n % $2::int) * $3::int + l, 'PO-' || n, sku, 1 + l, 10, 0, sku, 10.5, 40
     from (select n, l, 'SKU-' || (n * 7 + l * 1013) % 20011 as sku
       from generate_series(1, $1::int) n cross join generate_series(0, $3::int - 1) l) f`,
    [pos, posInFile, linesInPo],
  );
  await pool.query(
    `insert into orders (purchase_order_id, account, po_number, order_number, ship_name, ship_zip, order_status, invoice_number, order_total,
       tracking_numbers, first_seen_at, order_date, ship_date, invoice_date, items)
     select id, account, po_number, 'SO' || 7000000 + id, 'Garden Shop ' || id % 5003, lpad((id % 99991)::text, 5, '0'),
       case when state = 'closed' then 'Invoiced' when is_open then (array['In O/E', 'B/O', 'Picking'])[1 + id % 3] else 'Shipped' end,
       case when not is_open then 'INV' || id end, 50 + id % 1000,
       case when is_open or id % 211 = 0 then '{}' else array['1Z' || lpad(id::text, 16, '0')] end, ordered_at, to_char(ordered_at, 'YYYY-MM-DD'),
       case when not is_open then to_char(ordered_at + interval '1 day', 'YYYY-MM-DD') end,
       case when state = 'closed' then to_char(ordered_at + interval '2 days', 'YYYY-MM-DD') end,
       jsonb_build_array(jsonb_build_object('sku', 'SKU-1', 'order_quantity', 5, 'ship_quantity', 4, 'backorder_quantity', case when id % 53 = 0 then 1 else 0 end))
     from (select *, state = 'ordered' and id % 5 = 0 as is_open from purchase_orders where state in ('ordered', 'closed')) p`,
  );
  await pool.query(
    `insert into intents (purchase_order_id, epoch, step, begun_at, outcome, ended_at)
     select p.id, 0, s, p.changed_at, 'done', p.changed_at + interval '80 milliseconds'
     from purchase_orders p cross join unnest(array['create_cart', 'add_items', 'submit_order']) s
     where p.id > $1::int * 0.9 and p.state <> 'ready' order by p.id`,
    [pos],
  );
  await pool.query(
    `insert into operator_actions (at, who, via, action, account, purchase_order_id, note)
     select p.changed_at, 'person ' || p.id % 7, 'console', 'release', p.account, p.id, 'agreed with the dealer'
     from purchase_orders p where p.id % 10 = 0 order by p.id`,
  );
  await pool.query(
    `insert into row_issues (import_id, row_number, po_number, column_name, code, message, found)
     select import_id, first_row, po_number, 'Qty', 'not_a_number', 'Quantity must be a whole number of at least 1.', 'two'
     from purchase_orders where state = 'rejected'`,
  );
  await noteItems(pool, () => false);
  await pool.query('vacuum analyze');
};

import type pg from 'pg';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';

/** 900 orders of an account over nearly a year, which 13 months cover on any day of a month, and POs that were held or failed on many days. */
export const fillStatistics = async (pool: pg.Pool, account: string): Promise<void> => {
  const importId = await insertImport(pool, { account });
  await pool.query(
    `with d as (select n, current_date - (n * 7 % 360) as day from generate_series(1, 900) n),
     p as (
       insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, ordered_at)
       select $2, 'ST-' || n, 'st-' || n, $1, 2, 1, 's' || n, case when n % 3 > 0 then 'closed' else 'ordered' end, day from d returning *)
     insert into orders (purchase_order_id, account, po_number, order_number, order_status, order_date, ship_date, order_total, items)
     select p.id, p.account, p.po_number, 'S' || p.po_number, case when n % 9 = 0 then 'B/O' when n % 5 > 0 then 'Invoiced' else 'Picking' end, day::text,
       case when n % 5 > 0 then (day + n % 6)::text end, 20 + n % 400 + 0.25,
       jsonb_build_array(jsonb_build_object('sku', 'A', 'order_quantity', 1 + n % 40))
     from d join p on p.po_number = 'ST-' || n`,
    [importId, account],
  );
  for (let n = 0; n < 12; n += 1)
    await insertPurchaseOrder(pool, importId, `HE-${n}`, {
      account,
      state: n % 4 === 3 ? 'failed' : 'held',
      reason_code: n % 4 === 3 ? 'refused_by_service' : n % 2 ? 'price_above' : 'backorder',
    });
  await pool.query(`update feed set at = at - id % 50 * interval '1 day' where account = $1`, [account]);
};

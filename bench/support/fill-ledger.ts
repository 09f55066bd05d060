import type pg from 'pg';

/** Closed POs of one account, like those of a year of files. */
export interface History {
  account: string;
  imports: number;
  posOfImport: number;
  linesOfPo: number;
  /** Days since the last change. */
  ageDays: number;
}

/** How many lines one statement adds. */
const linesOfPart = 500_000;

const importsSql = `
  insert into imports (account, file_name, sha256, size_bytes, file_path, state, format, row_count, po_count, result_due,
    result_written_at, taken_at, read_at)
  select $1, $1 || '-' || n || '.csv', md5($1 || n) || md5(n::text), 50000, 'files/' || $1 || '-' || n || '.csv', 'read', 'csv',
    $3::int * $4::int, $3::int, false, now(), now() - $5::int * interval '1 day', now() - $5::int * interval '1 day'
  from generate_series(1, $2::int) n returning id`;

// The number of the PO's import, and of the PO within it.
const posSql = `
  insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, options, content_hash, state, cart_epoch,
    cart_number, baseline, quantities_checked, changed_at, ordered_at, closed_at)
  select $1, $1 || '-' || i || '-' || n, $1 || '-' || i || '-' || n, i, 2 + (n - 1) * $4::int, $4,
    '{"ship_name":"Elm Street Parts","ship_city":"Boise","ship_state":"ID","ship_zip":"83702"}',
    encode(sha256((i || ' ' || n)::bytea), 'hex'), 'closed', 0, 'C' || i || '-' || n, '{}', true,
    now() - $5::int * interval '1 day', now() - $5::int * interval '1 day', now() - $5::int * interval '1 day'
  from unnest($2::bigint[]) i, generate_series(1, $3::int) n`;

const linesSql = `
  insert into lines (import_id, row_number, po_number, item_sku, quantity, answered_epoch, sku, name, available_quantity,
    backorder_quantity, dealer_price)
  select i, r + 1, $1 || '-' || i || '-' || (1 + (r - 1) / $3::int), 'SKU-' || (i * 7 + r * 13) % 99991, 1 + r % 9, 0,
    'SKU-' || (i * 7 + r * 13) % 99991, 'An item of the catalogue', 100, 0, 12.5
  from unnest($2::bigint[]) i, generate_series(1, $4::int) r`;

const intentsSql = `
  insert into intents (purchase_order_id, epoch, step, begun_at, ended_at, outcome, detail)
  select p.id, 0, s.step, p.ordered_at, p.ordered_at, 'done', 'created' from purchase_orders p,
    unnest(array['create_cart', 'add_items', 'submit_order']) s(step) where p.import_id = any($1)`;

const ordersSql = `
  with placed as (
    insert into orders (purchase_order_id, account, po_number, order_number, ship_name, ship_address, ship_city, ship_state,
      ship_zip, order_status, invoice_number, freight, misc_charges, order_total, warehouse, order_date, ship_date, invoice_date,
      ship_via, tracking_numbers, items, changed_at)
    select p.id, p.account, p.po_number, 'SO' || p.id, 'Elm Street Parts', '1 Elm Street', 'Boise', 'ID', '83702', 'Invoiced', 'INV' || p.id,
      12.5, 0, 100 + p.id % 1000, 'ID', p.ordered_at::date::text, p.ordered_at::date::text, p.ordered_at::date::text, 'UPS',
      array['1Z' || p.id],
      '[{"sku":"SKU-1","name":"Item","order_quantity":5,"ship_quantity":5,"backorder_quantity":0,"price":12.5}]', p.changed_at
    from purchase_orders p where p.import_id = any($1) returning id, changed_at)
  insert into status_changes (order_id, field, was, became, seen_at)
  select placed.id, 'order_status', c.was, c.became, placed.changed_at
  from placed, (values (null, 'Picking'), ('Picking', 'Shipped'), ('Shipped', 'Invoiced')) c(was, became)`;

/**
 * Adds closed POs with their lines, intents, orders and status changes, in parts. Without triggers and checks of keys: the rows
 * are consistent by construction.
 */
export const fillLedger = async (pool: pg.Pool, history: History): Promise<void> => {
  const { account, imports, posOfImport, linesOfPo, ageDays } = history;
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query('set synchronous_commit = off');
    const values = [account, imports, posOfImport, linesOfPo, ageDays];
    const { rows } = await client.query<{ id: string }>(importsSql, values);
    const ids = rows.map(({ id }) => id);
    const ofPart = Math.max(1, Math.floor(linesOfPart / (posOfImport * linesOfPo)));
    for (let from = 0; from < ids.length; from += ofPart) {
      const part = ids.slice(from, from + ofPart);
      await client.query(posSql, [account, part, posOfImport, linesOfPo, ageDays]);
      await client.query(linesSql, [account, part, linesOfPo, posOfImport * linesOfPo]);
      await client.query(intentsSql, [part]);
      await client.query(ordersSql, [part]);
    }
  } finally {
    await client.query('reset session_replication_role');
    await client.query('reset synchronous_commit');
    client.release();
  }
};

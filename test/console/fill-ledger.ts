import type pg from 'pg';

interface GivenPo {
  account?: string;
  poNumber: string;
  importId: string;
  state?: string;
  reasonCode?: string | null;
  reasonText?: string | null;
  lines?: { sku: string; quantity: number; price?: string; expected?: string }[];
  order?: {
    number: string;
    status?: string;
    tracking?: string[];
    invoice?: string;
    shipName?: string;
    zip?: string;
  };
  alarm?: string;
  firstRow?: number;
}

/** Puts an import into the ledger. */
export const addImport = async (
  pool: pg.Pool,
  {
    account = 'north',
    fileName = 'orders.csv',
    state = 'read',
    reasonText = null as string | null,
    sha256 = 'a',
    detection = null as object | null,
    filePath = 'files/x.csv',
  } = {},
): Promise<string> => {
  const { rows } = await pool.query(
    `insert into imports (account, file_name, sha256, size_bytes, file_path, state, reason_text, row_count, read_at, detection, format)
     values ($1, $2, $3, 10, $4, $5, $6, 3, now(), $7, 'csv') returning id`,
    [account, fileName, sha256, filePath, state, reasonText, detection && JSON.stringify(detection)],
  );
  return rows[0].id;
};

/** Puts a PO with its lines, and its order, into the ledger. */
export const addPo = async (pool: pg.Pool, given: GivenPo): Promise<string> => {
  const { account = 'north', poNumber, importId, state = 'ready', lines = [], order, firstRow = 2 } = given;
  const { rows } = await pool.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state,
       reason_code, reason_text, alarm, ordered_at)
     values ($1, $2, lower($2), $3, $4, $5, 'x', $6, $7, $8, $9, case when $6 in ('ordered', 'closed') then now() end) returning id`,
    [
      account,
      poNumber,
      importId,
      firstRow,
      lines.length,
      state,
      given.reasonCode ?? null,
      given.reasonText ?? null,
      given.alarm ?? null,
    ],
  );
  const id = rows[0].id as string;
  for (const [at, { sku, quantity, price, expected }] of lines.entries())
    await pool.query(
      `insert into lines (import_id, row_number, po_number, item_sku, quantity, expected_price, dealer_price, sku, available_quantity)
       values ($1, $2, $3, $4, $5, $6, $7, $4, 9)`,
      [importId, firstRow + at, poNumber, sku, quantity, expected ?? null, price ?? null],
    );
  if (order)
    await pool.query(
      `insert into orders (purchase_order_id, account, po_number, order_number, order_status, tracking_numbers, invoice_number, ship_name, ship_zip)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        account,
        poNumber,
        order.number,
        order.status ?? null,
        order.tracking ?? [],
        order.invoice ?? null,
        order.shipName ?? null,
        order.zip ?? null,
      ],
    );
  return id;
};

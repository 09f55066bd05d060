import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { specCodeLists } from '../src/contract/carts.ts';
import { importPurchaseFile } from '../src/intake/import-purchase-file.ts';
import { ledgerSchema, migrateLedger } from '../src/ledger/migrate.ts';
import { createPool } from '../src/ledger/pool.ts';
import { stageImport } from '../src/ledger/staging.ts';
import { silentLogger } from '../src/logger.ts';
import { defaultIntakeOptions } from '../test/support/default-intake-options.ts';
import type { Figure } from './support/figures.ts';
import { startBenchPostgres } from './support/postgres.ts';
import type { ReportCost, ReportTask } from './support/report-process.ts';
import { forkSibling, writePurchaseFile } from './support/system.ts';

/** Stores `count` orders with two items each, for POs of one import. */
const storeOrders = async (url: string, count: number): Promise<void> => {
  const pool = new pg.Pool({ connectionString: url, max: 2, options: `-c search_path=${ledgerSchema}` });
  await migrateLedger(pool);
  await pool.query('truncate imports, purchase_orders restart identity cascade');
  await pool.query(
    `insert into imports (account, file_name, sha256, size_bytes, file_path, state) values ('default', 'orders.csv', '', 0, '', 'read')`,
  );
  await pool.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, ordered_at)
     select 'default', 'PO-' || n, 'po-' || n, 1, n, 2, '', 'ordered', now() from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    `insert into orders (purchase_order_id, account, po_number, order_number, ship_name, ship_address, ship_city, ship_state,
       ship_zip, order_status, invoice_number, freight, misc_charges, order_total, warehouse, order_date, ship_date, ship_via,
       tracking_numbers, items)
     select p.id, 'default', p.po_number, 'SO' || p.id, 'Elm Street Parts', '1 Elm Street', 'Boise', 'ID', '83702',
       'Shipped', p.id::text, 12.5, 0, 100 + p.id % 1000, 'ID', '2026-11-01', '2026-11-02', 'UPS', array['1Z' || p.id],
       jsonb_build_array(
         jsonb_build_object('sku', 'SKU-' || p.id % 997, 'name', 'Item', 'order_quantity', 5, 'ship_quantity', 5, 'backorder_quantity', 0, 'price', 12.5),
         jsonb_build_object('sku', 'SKU-' || p.id % 499, 'name', 'Item', 'order_quantity', 2, 'ship_quantity', 1, 'backorder_quantity', 1, 'price', 3))
     from purchase_orders p`,
  );
  await pool.query('analyze');
  await pool.end();
};

/** Imports a CSV file of `pos` POs with five lines each, and marks all of them as ordered. */
const storeImport = async (url: string, folder: string, pos: number): Promise<void> => {
  const pool = createPool(url, { max: 2, logger: silentLogger });
  const path = join(folder, 'bench.csv');
  await writePurchaseFile(path, pos, 5);
  const { rows } = await pool.query<{ id: string }>(
    `insert into imports (account, file_name, sha256, size_bytes, file_path) values ($1, 'bench.csv', '', 0, 'bench.csv') returning id`,
    [`result-${pos}`],
  );
  const importId = rows[0]!.id;
  const options = defaultIntakeOptions;
  await stageImport(pool, importId, (stage) =>
    importPurchaseFile({ path, fileName: 'bench.csv', options, codeLists: specCodeLists, stage }),
  );
  await pool.query(
    `with ordered as (update purchase_orders set state = 'ordered', cart_number = 'C' || id where import_id = $1 returning *)
     insert into orders (purchase_order_id, account, po_number, order_number) select id, account, po_number, 'S' || id from ordered`,
    [importId],
  );
  await pool.query(
    'update lines set answered_epoch = 1, available_quantity = 9, dealer_price = 12.5 where import_id = $1',
    [importId],
  );
  // Not analysed, like a file that has just been staged.
  await pool.end();
};

/** Measures one way of writing the report, in its own process. */
const costOf = async (task: ReportTask, url: string, folder: string): Promise<ReportCost> => {
  const child = forkSibling('report-process', [task, url, folder]);
  const [cost] = (await once(child, 'message')) as [ReportCost];
  await once(child, 'exit');
  return cost;
};

const mib = (bytes: number) => bytes / 1024 / 1024;

/** @param options.orders orders in the status report */
export const run = async (options: { orders?: number } = {}): Promise<Figure[]> => {
  const { orders = 100_000 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-bench-'));
  // As root, the database runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const postgres = await startBenchPostgres(join(folder, 'data'));
  try {
    await storeOrders(postgres.url, orders / 4);
    const few = await costOf('csv', postgres.url, folder);
    await storeOrders(postgres.url, orders);
    const csv = await costOf('csv', postgres.url, folder);
    const sheet = await costOf('xlsx', postgres.url, folder);
    const peer = await costOf('sheetjs', postgres.url, folder);
    await storeImport(postgres.url, folder, orders / 20);
    const fewRows = await costOf('result', postgres.url, folder);
    await storeImport(postgres.url, folder, orders / 5);
    const rows = await costOf('result', postgres.url, folder);
    const result = `result file of ${orders} CSV rows`;
    const report = `status report of ${orders} orders`;
    return [
      { name: `${report} as CSV, read from the ledger`, value: csv.ms / 1000, unit: 's' },
      { name: `${report} as CSV: resident`, value: mib(csv.peakBytes), unit: 'MB' },
      {
        name: `${report} as CSV: resident / resident with a quarter of them`,
        value: csv.peakBytes / few.peakBytes,
        target: '<= 1.25',
      },
      { name: `${report} as XLSX, read from the ledger`, value: sheet.ms / 1000, unit: 's' },
      { name: `${report} as XLSX: time / SheetJS alone`, value: sheet.ms / peer.ms, target: '<= 1.2' },
      { name: `${report} as XLSX: CPU time / SheetJS alone`, value: sheet.cpuMs / peer.cpuMs },
      { name: `${report} as XLSX: resident`, value: mib(sheet.peakBytes), unit: 'MB' },
      { name: `${report} as XLSX: resident / SheetJS alone`, value: sheet.peakBytes / peer.peakBytes },
      { name: `${report} as XLSX: longest block of the event loop`, value: sheet.heldMs, unit: 'ms' },
      { name: `${result}`, value: rows.ms / 1000, unit: 's' },
      { name: `${result}: resident`, value: mib(rows.peakBytes), unit: 'MB' },
      {
        name: `${result}: resident / resident with a quarter of them`,
        value: rows.peakBytes / fewRows.peakBytes,
        target: '<= 1.25',
      },
      { name: `${result}: longest block of the event loop`, value: rows.heldMs, unit: 'ms' },
    ];
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

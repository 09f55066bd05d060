import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from './database.ts';

interface TestLedger {
  pool: pg.Pool;
  url: string;
  drop(): Promise<void>;
}

/** A separate, empty, migrated ledger. */
export const createTestLedger = async (): Promise<TestLedger> => {
  const database = await createTestDatabase({ migrated: true });
  const pool = createPool(database.url, { max: 6, logger: silentLogger });
  await migrateLedger(pool);
  return {
    pool,
    url: database.url,
    async drop() {
      await pool.end();
      await database.drop();
    },
  };
};

/** One such ledger for all tests of a file. */
export const useTestLedger = (): Readonly<Pick<TestLedger, 'pool' | 'url'>> => {
  let ledger: TestLedger;
  beforeAll(async () => {
    ledger = await createTestLedger();
  });
  afterAll(() => ledger.drop());
  return {
    get pool() {
      return ledger.pool;
    },
    get url() {
      return ledger.url;
    },
  };
};

/** Inserts one row and returns its id, if the table has one. */
export const insertRow = async (
  pool: pg.Pool,
  table: string,
  row: Record<string, unknown>,
): Promise<string> => {
  const names = Object.keys(row);
  const { rows } = await pool.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning *`,
    Object.values(row),
  );
  return rows[0].id;
};

/** Inserts an import that was read. */
export const insertImport = (pool: pg.Pool, row: Record<string, unknown> = {}): Promise<string> =>
  insertRow(pool, 'imports', {
    account: 'default',
    file_name: 'orders.csv',
    sha256: '0'.repeat(64),
    size_bytes: 1,
    file_path: 'files/one.csv',
    state: 'read',
    format: 'csv',
    ...row,
  });

/** Inserts a purchase order of an import, ready unless `row` says otherwise. */
export const insertPurchaseOrder = (
  pool: pg.Pool,
  importId: string,
  poNumber: string,
  row: Record<string, unknown> = {},
): Promise<string> =>
  insertRow(pool, 'purchase_orders', {
    account: 'default',
    po_number: poNumber,
    po_key: poNumber.toLowerCase(),
    import_id: importId,
    first_row: 2,
    line_count: 1,
    content_hash: `hash of ${poNumber}`,
    state: 'ready',
    ...row,
  });

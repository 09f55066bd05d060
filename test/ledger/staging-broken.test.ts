import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckedRow, Detection, Stage } from '../../src/intake/types.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { stageImport } from '../../src/ledger/staging.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertRow } from '../support/ledger-rows.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 6, logger: silentLogger });
  await migrateLedger(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const row: CheckedRow = {
  rowNumber: 2,
  poNumber: 'PO-1',
  itemSku: 'SKU-1',
  itemId: undefined,
  quantity: 1,
  note: undefined,
  expectedPrice: undefined,
  options: '{}',
};
const detection: Detection = { format: 'csv', headerRow: 1, columns: [], decisions: [] };
const stageOneRow = (importId: string) =>
  stageImport(pool, importId, async (stage: Stage) => {
    await stage.add([row], []);
    return {
      kind: 'read' as const,
      detection,
      rowCount: 1,
      optionDefaults: {},
      columnNames: {} as never,
      asLayout: { headerKey: '', header: [], settings: {} },
      seen: [],
      news: [],
      unsaid: [],
    };
  });

it('a connection that is lost before the rows were taken ends the staging, and the next one stages them', async () => {
  const importId = await insertRow(pool, 'imports', {
    account: 'default',
    file_name: 'orders.csv',
    sha256: '',
    size_bytes: 0,
    file_path: 'files/broken.csv',
  });
  // The copy and its writer wait for this lock.
  const other = await pool.connect();
  await other.query('begin');
  await other.query('lock table lines in access exclusive mode');
  const broken = expect(stageOneRow(importId)).rejects.toThrow();
  for (let killed = 0; killed === 0; ) {
    const { rows } = await pool.query(
      `select count(pg_terminate_backend(pid))::int as killed from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like 'copy lines%'`,
    );
    killed = rows[0].killed;
  }
  await broken;
  await other.query('rollback');
  other.release();
  expect(await stageOneRow(importId)).toMatchObject({ kind: 'staged', counts: { ready: 1, lines: 1 } });
});

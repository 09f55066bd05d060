// COPY of rows into the ledger, with its keys and indexes, compared with COPY into a table without them in the same run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { CheckedRow } from '../src/intake/types.ts';
import { createRowCopy } from '../src/ledger/copy-rows.ts';
import { migrateLedger } from '../src/ledger/migrate.ts';
import { createPool } from '../src/ledger/pool.ts';
import { silentLogger } from '../src/logger.ts';
import type { Figure } from './support/figures.ts';
import { startBenchPostgres } from './support/postgres.ts';

const batch = 500;

const rowsFrom = (from: number): CheckedRow[] =>
  Array.from({ length: batch }, (_, at) => ({
    rowNumber: from + at + 2,
    poNumber: `PO-${100_000 + Math.floor((from + at) / 5)}`,
    itemSku: `015-${(from + at) % 99_991}`,
    itemId: undefined,
    quantity: 1 + (at % 9),
    note: `dock ${at % 50}`,
    expectedPrice: undefined,
    options: `{"ship_city":"Holtsville","ship_name":"Dealer Number ${Math.floor((from + at) / 5)}","ship_state":"NY","ship_to":"0012345","ship_zip":"00501"}`,
  }));

const measure = async (client: pg.PoolClient, rows: number): Promise<number> => {
  await client.query('begin');
  const { rows: found } = await client.query<{ id: string }>(
    `insert into imports (account, file_name, sha256, size_bytes, file_path) values ('bench', '', '', 0, '') returning id`,
  );
  const copy = createRowCopy(client, found[0]!.id);
  const startedAt = performance.now();
  for (let from = 0; from < rows; from += batch) await copy.add(rowsFrom(from), []);
  await copy.finish();
  const seconds = (performance.now() - startedAt) / 1000;
  await client.query('rollback');
  return seconds;
};

export const run = async (options: { rows?: number } = {}): Promise<Figure[]> => {
  const rows = options.rows ?? 300_000;
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-bench-'));
  const server = await startBenchPostgres(path.join(folder, 'pg'));
  const pool = createPool(server.url, { max: 1, logger: silentLogger });
  try {
    await migrateLedger(pool);
    const client = await pool.connect();
    const kept = await measure(client, rows);
    // The same rows by the same code, without keys and indexes.
    await client.query('create temp table lines (like lines)');
    const bare = await measure(client, rows);
    client.release();
    return [
      { name: 'COPY into a bare table', value: Math.round(rows / bare), unit: 'rows/s' },
      { name: 'COPY into the ledger: time / bare table', value: kept / bare },
      { name: 'COPY into the ledger (rows/s)', value: Math.round(rows / kept), target: '>= 100000' },
    ];
  } finally {
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

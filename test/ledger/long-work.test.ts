import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeBackup } from '../../src/ledger/backup/write-backup.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { createResultRegister } from '../../src/ledger/result-register.ts';
import { stageImport } from '../../src/ledger/staging.ts';
import { createStatusLedger } from '../../src/ledger/status-ledger.ts';
import { inTransaction } from '../../src/ledger/transaction.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport } from '../support/ledger-rows.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-long-'));
  database = await createTestDatabase();
  // One connection for statements, one for long work.
  pool = createPool(database.url, { max: 2, longWork: true, logger: silentLogger });
  await migrateLedger(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Waits until it is released, like a slow disk. */
const slowDisk = () => {
  let goOn: () => void = () => {};
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return { waiting, goOn };
};

type Way = (waiting: Promise<void>) => Promise<unknown>;

/** Every operation that keeps a connection while it waits for something other than Postgres. */
const ways: Record<string, Way> = {
  'a result file that is written': async (waiting) => {
    const importId = await insertImport(pool, { result_due: true });
    return createResultRegister(pool).write(importId, { force: true }, async () => {
      await waiting;
      return { path: 'x.csv' };
    });
  },
  'a status report': (waiting) =>
    createStatusLedger(pool).readReport(
      { account: 'default', timeZone: 'UTC', filter: {}, replaces: undefined } as never,
      () => waiting,
    ),
  'a purchase file that is read': async (waiting) => {
    const importId = await insertImport(pool, { state: 'taken' });
    return stageImport(pool, importId, async () => {
      await waiting;
      return { kind: 'refused', code: 'x', message: 'x' } as never;
    });
  },
};

describe.each(Object.entries(ways))('%s', (_, way) => {
  test('keeps no connection from statements, however many wait', async () => {
    const { waiting, goOn } = slowDisk();
    const all = Promise.all(Array.from({ length: 5 }, () => way(waiting)));
    // Wait until they have begun and are waiting.
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
        );
        return rows[0].n;
      })
      .toBe(1);
    for (let nth = 0; nth < 20; nth += 1) await pool.query('select 1');
    goOn();
    await all;
  });
});

test('long work that fails gives its connection back', async () => {
  const failing = () => inTransaction(pool, { long: true }, () => Promise.reject(new Error('disk full')));
  for (let nth = 0; nth < 5; nth += 1) await expect(failing()).rejects.toThrow('disk full');
  await expect(inTransaction(pool, { long: true }, async () => 'done')).resolves.toBe('done');
});

test('a backup takes its turn among long work, and keeps no connection from statements', async () => {
  const { waiting, goOn } = slowDisk();
  const slow = inTransaction(pool, { long: true }, () => waiting);
  const path = join(folder, 'ledger.backup');
  const backup = writeBackup(pool, path, { version: '1', configuration: undefined } as never);
  for (let nth = 0; nth < 20; nth += 1) await pool.query('select 1');
  await expect(access(path)).rejects.toThrow();
  goOn();
  await slow;
  expect((await backup).purchaseOrders).toBe(0);
  await access(path);
});

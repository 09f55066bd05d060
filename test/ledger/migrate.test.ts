import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inspectLedger, migrateLedger } from '../../src/ledger/migrate.ts';
import { readLastNumber } from '../../src/ledger/migration-files.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { beat, leave } from '../../src/ledger/workers.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';

const own = new URL('../../src/ledger/migrations/', import.meta.url);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let folder: string;
let last: string;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 4, logger: silentLogger });
  folder = await mkdtemp(join(tmpdir(), 'cartwright-migrations-'));
  last = await readLastNumber();
  await migrateLedger(pool);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** This version's migrations plus one. */
const laterVersion = async (firstLine: string): Promise<URL> => {
  await cp(own, folder, { recursive: true });
  await writeFile(join(folder, '900-later.sql'), `${firstLine}\ncreate table later (id int);\n`);
  return pathToFileURL(`${folder}/`);
};
const worker = (nth: number, knows: string) => ({
  ...{ id: `00000000-0000-4000-8000-00000000000${nth}`, host: 'north', pid: nth, knows },
  ...{ places: [], reads: [], troubles: {} },
});
const isLater = async (): Promise<boolean> =>
  (await pool.query(`select from migrations where name = '900-later.sql'`)).rowCount === 1;

describe('a migration of a later version', () => {
  test('that only adds is applied beside workers of this version, which may start anew', async () => {
    await beat(pool, worker(1, last));
    await migrateLedger(pool, { from: await laterVersion(`-- beside: ${last}`) });
    expect(await isLater()).toBe(true);
    expect(await inspectLedger(pool)).toBe('current');
    await migrateLedger(pool);
  });

  test('that takes something away waits until the workers that use it have ended', async () => {
    await beat(pool, worker(1, last));
    await beat(pool, worker(2, '900'));
    const other = createPool(database.url, { max: 1, logger: silentLogger });
    const attempts = vi.spyOn(other, 'connect');
    const migrating = migrateLedger(other, {
      from: await laterVersion('-- Drops what nobody uses any more.'),
    });
    await expect.poll(() => attempts.mock.calls.length).toBeGreaterThan(1);
    expect(await isLater()).toBe(false);
    await leave(pool, worker(1, last).id);
    await migrating;
    await other.end();
    expect(await isLater()).toBe(true);
    const refused = { code: 'ledger_newer', message: expect.stringContaining('900-later.sql') };
    await expect(migrateLedger(pool)).rejects.toMatchObject(refused);
    await expect(inspectLedger(pool)).rejects.toMatchObject(refused);
  });

  test('that needs more than one version before waits for older workers only', async () => {
    await beat(pool, worker(1, '899'));
    await migrateLedger(pool, { from: await laterVersion('-- beside: 899') });
    expect(await isLater()).toBe(true);
    await expect(migrateLedger(pool)).rejects.toMatchObject({ code: 'ledger_newer' });
  });

  test.each([
    ['a table', 'begin; lock table workers in access share mode'],
    ['another process that migrates', `begin; select pg_advisory_xact_lock(${0x63617274})`],
  ])('that waits for %s says which session it waits for, until that one ends', async (_, lock) => {
    const from = await laterVersion(`-- beside: ${last}`);
    await writeFile(
      join(folder, '900-later.sql'),
      `-- beside: ${last}\nalter table workers add column later text;\n`,
    );
    const other = createPool(database.url, {
      max: 1,
      logger: silentLogger,
      applicationName: 'a-long-report',
    });
    const holder = await other.connect();
    await holder.query(lock);
    const { rows } = await holder.query('select pg_backend_pid() as pid');
    const told: string[] = [];
    const tell = (sentence: string) => told.push(sentence);
    const migrating = migrateLedger(pool, { from, telling: { tell, afterMs: 0, everyMs: 0 } });
    await expect.poll(() => told.length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(told[0]).toMatch(new RegExp(`process ${rows[0].pid} \\(a-long-report, .*idle in transaction`));
    expect(await isLater()).toBe(false);
    await holder.query('commit');
    holder.release();
    await other.end();
    await migrating;
    expect(await isLater()).toBe(true);
  });

  test('does not make others wait behind it for a table that a backup reads', async () => {
    const from = await laterVersion(`-- beside: ${last}`);
    await writeFile(
      join(folder, '900-later.sql'),
      `-- beside: ${last}\nalter table workers add column later text;\n`,
    );
    const reader = await pool.connect();
    await reader.query('begin');
    await reader.query('select count(*) from workers');
    const migrating = migrateLedger(pool, { from });
    const isWaiting = () =>
      pool.query(
        `select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
    await expect.poll(async () => (await isWaiting()).rowCount).toBe(1);
    // It waits only for the migration, which gives up soon, and not for the reader.
    await beat(pool, worker(1, last));
    expect(await isLater()).toBe(false);
    await reader.query('commit');
    reader.release();
    await migrating;
    expect(await isLater()).toBe(true);
  });
});

test('workers that do not end are named, with what to do', async () => {
  await beat(pool, worker(1, last));
  const from = await laterVersion('');
  await expect(migrateLedger(pool, { from, waitMs: 0 })).rejects.toMatchObject({
    code: 'workers_older',
    message: expect.stringMatching(/900-later\.sql .*earlier version run: north \(pid 1\)\. Stop them/),
  });
});

import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { assertDatabase } from '../../src/ledger/assert-database.ts';
import { ledgerSchema, migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { withLock } from '../../src/ledger/with-lock.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pools: pg.Pool[];
beforeEach(async () => {
  database = await createTestDatabase();
  pools = [];
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});

const open = (max = 4): pg.Pool => {
  const pool = createPool(database.url, { max, logger: silentLogger });
  pools.push(pool);
  return pool;
};

/** Cuts every other connection to the database, like a restart of the server. */
const cutAll = async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
};

describe('the ledger’s connections', () => {
  test('that break, idle or lent out, are replaced and end nothing', async () => {
    const pool = open();
    const lent = await pool.connect();
    await pool.query('select 1');
    const broken = new Promise((resolve) => lent.once('end', resolve));
    await cutAll();
    await broken;
    await expect(lent.query('select 1')).rejects.toThrow();
    lent.release(true);
    await expect
      .poll(() => pool.query('select 2 as two').then(({ rows }) => rows, String))
      .toEqual([{ two: 2 }]);
  });

  test('to an unreachable database give one sentence that names the host and hides the password', async () => {
    const url = `postgresql://me:secret@127.0.0.1:${await findFreePort()}/orders`;
    const pool = createPool(url, { max: 1, logger: silentLogger });
    const failure = await assertDatabase(pool, url).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'database_down' });
    const { message } = failure as Error;
    expect(message).toMatch(/127\.0\.0\.1:\d+\/orders cannot be used: .*connection refused/);
    expect(message).not.toContain('secret');
    await pool.end();
  });
});

describe('migrations', () => {
  test('are applied once, no matter how many processes start together', async () => {
    const many = Array.from({ length: 5 }, () => open(1));
    await Promise.all(many.map((one) => migrateLedger(one)));
    const { rows } = await many[0]!.query(
      'select count(*)::int as n, count(distinct name)::int as names from migrations',
    );
    expect(rows[0].n).toBeGreaterThan(3);
    expect(rows[0].n).toBe(rows[0].names);
    await migrateLedger(many[1]!);
    expect((await many[0]!.query('select 1 from purchase_orders')).rowCount).toBe(0);
  });

  test('of a later version are not worked on', async () => {
    const pool = open();
    await migrateLedger(pool);
    await pool.query(`insert into migrations (name, sha256) values ('999-later.sql', 'x')`);
    await expect(migrateLedger(pool)).rejects.toMatchObject({
      code: 'ledger_newer',
      message: expect.stringContaining('999-later.sql'),
    });
  });

  test('that were changed after they had been applied are reported', async () => {
    const pool = open();
    await migrateLedger(pool);
    await pool.query(`update migrations set sha256 = 'x' where name = '001-ledger.sql'`);
    await expect(migrateLedger(pool)).rejects.toMatchObject({ code: 'migration_changed' });
    // The lock is free again, so no process waits forever.
    await pool.query(`delete from migrations where name = '001-ledger.sql'`);
    await expect(migrateLedger(pool)).rejects.toMatchObject({ code: '42P07' });
    const locks = async () =>
      (
        await pool.query(`select 1 from pg_locks where locktype = 'advisory'
         and database = (select oid from pg_database where datname = current_database())`)
      ).rows;
    // A connection that is closed instead of returned to the pool releases its lock a moment later.
    await expect.poll(locks).toEqual([]);
  });

  test('leave everything else in the database alone', async () => {
    const pool = open();
    await migrateLedger(pool);
    const { rows } = await pool.query(
      `select distinct schemaname from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(rows).toEqual([{ schemaname: ledgerSchema }]);
  });
});

describe('a lock of the ledger', () => {
  test('lets one work at a time under a name, others are answered at once', async () => {
    const pool = open();
    await migrateLedger(pool);
    const other = open();
    const answers = await withLock(pool, 'one', async () => [
      await withLock(other, 'one', async () => 'worked'),
      await withLock(other, 'another', async () => 'worked'),
    ]);
    expect(answers).toEqual([undefined, 'worked']);
    expect(await withLock(other, 'one', async () => 'worked')).toBe('worked');
  });

  test('is given back when the work throws, and when all connections break', async () => {
    const pool = open();
    await migrateLedger(pool);
    await expect(
      withLock(pool, 'one', async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await withLock(pool, 'one', async () => 'worked')).toBe('worked');
    expect(await withLock(pool, 'one', () => cutAll().then(() => 'worked'))).toBe('worked');
    await expect.poll(() => withLock(pool, 'one', async () => 'again')).toBe('again');
  });
});

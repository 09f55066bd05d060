import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const folder = new URL('./migrations/', import.meta.url);

/** Advisory lock key of this schema's migrations; nothing else in the database uses it. */
const migrationLock = 7_236_415_501;

/**
 * Migrates the schema `dealer_service`: applies every missing `migrations/NNN-*.sql` in order, each in its own
 * transaction, under a lock that makes other starting processes wait. Idempotent.
 */
export const migrate = async (pool: pg.Pool): Promise<void> => {
  const files = (await readdir(folder)).filter((name) => /^\d{3}-.+\.sql$/.test(name)).sort();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query('create schema if not exists dealer_service');
    await client.query(
      `create table if not exists dealer_service.migrations
         (name text primary key, applied_at timestamptz not null default clock_timestamp())`,
    );
    const applied = await client.query<{ name: string }>('select name from dealer_service.migrations');
    const known = new Set(applied.rows.map((row) => row.name));
    for (const name of files.filter((file) => !known.has(file))) {
      await client.query('begin');
      await client.query(await readFile(new URL(name, folder), 'utf8'));
      await client.query('insert into dealer_service.migrations (name) values ($1)', [name]);
      await client.query('commit');
    }
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    client.release();
  } catch (thrown) {
    // Closing the connection releases the lock and rolls back the open transaction.
    client.release(true);
    throw thrown;
  }
};

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { UserError } from '../errors.ts';

/** The Postgres schema of the ledger; every connection of the worker has it as its search_path. */
export const ledgerSchema = 'cartwright';

const folder = new URL('./migrations/', import.meta.url);
const lockKey = 0x63617274;

/**
 * Applies the migrations that this ledger has not seen, in the order of their names, each in a
 * transaction. Safe to call from any number of processes at once: an advisory lock lets one work.
 *
 * @throws UserError `ledger_newer` when the ledger was migrated by a later version of this program,
 *   `migration_changed` when an applied migration was edited afterwards
 */
export const migrateLedger = async (pool: pg.Pool): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(`create schema if not exists ${ledgerSchema}`);
    await client.query(`set search_path = ${ledgerSchema}`);
    await client.query(
      `create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    const unknown = [...applied.keys()].find((name) => !names.includes(name));
    if (unknown) {
      throw new UserError(
        'ledger_newer',
        `The ledger was written by a later version of Cartwright (it knows ${unknown}). Install that version or a later one.`,
      );
    }
    for (const name of names) {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      const before = applied.get(name);
      if (before === sha256) continue;
      if (before !== undefined) {
        throw new UserError(
          'migration_changed',
          `Migration ${name} was changed after it had been applied to this ledger.`,
        );
      }
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
      await client.query('commit');
    }
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {});
    client.release();
  }
};

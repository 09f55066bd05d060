import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

import pg from 'pg';
import { UserError } from '../errors.ts';
import { inTransaction } from './transaction.ts';

/** The Postgres schema of the ledger; it is the search_path of every connection of the worker. */
export const ledgerSchema = 'cartwright';

const folder = new URL('./migrations/', import.meta.url);
const lockKey = 0x63617274;

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
};

/** @throws UserError `ledger_newer`, `migration_changed` */
const listMissing = async (
  client: Pick<pg.PoolClient, 'query'>,
  migrations: readonly Migration[],
): Promise<Migration[]> => {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    `select name, sha256 from ${ledgerSchema}.migrations`,
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const unknown = [...applied.keys()].find(
    (name) => !migrations.some((migration) => migration.name === name),
  );
  if (unknown) {
    throw new UserError(
      'ledger_newer',
      `The ledger was written by a later version of Cartwright (it has the migration ${unknown}). Install that version or a later one.`,
    );
  }
  return migrations.filter(({ name, sha256 }) => {
    const before = applied.get(name);
    if (before === undefined || before === sha256) return before === undefined;
    throw new UserError(
      'migration_changed',
      `The file of migration ${name} differs from the one that was applied to this ledger. Install Cartwright again.`,
    );
  });
};

/** Within a transaction. */
const createSchema = async (client: Pick<pg.PoolClient, 'query'>): Promise<void> => {
  await client.query(`create schema if not exists ${ledgerSchema}`);
  await client.query(`set local search_path = ${ledgerSchema}`);
  await client.query(
    `create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
  );
};

/**
 * Applies the missing migrations in the order of their names, each in a transaction. Safe to call from any number of
 * processes at once: each transaction has an advisory lock, so that one process works at a time.
 *
 * @throws UserError `ledger_newer` if a later version of Cartwright migrated the ledger, `migration_changed` if an
 *   applied migration was edited afterwards
 */
export const migrateLedger = async (pool: pg.Pool): Promise<void> => {
  const migrations = await readMigrations();
  const applyNext = () =>
    inTransaction(pool, {}, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
      await createSchema(client);
      const [next] = await listMissing(client, migrations);
      if (!next) return false;
      await client.query(next.sql);
      await client.query('insert into migrations (name, sha256) values ($1, $2)', [next.name, next.sha256]);
      return true;
    });
  while (await applyNext());
};

/** Creates a ledger within the caller's transaction, which must roll back. */
export const createTemporaryLedger = async (client: pg.PoolClient): Promise<void> => {
  const migrations = await readMigrations();
  await createSchema(client);
  for (const { sql } of await listMissing(client, migrations)) await client.query(sql);
};

/**
 * Creates the ledger anew with these migrations, within the caller's transaction. What the database has in the ledger's
 * schema is dropped; the caller has made sure that it is nothing that matters.
 *
 * @param source what has these migrations, for messages
 * @throws UserError `backup_newer`, `migration_changed`
 */
export const createLedgerOf = async (
  client: pg.PoolClient,
  wanted: readonly Pick<Migration, 'name' | 'sha256'>[],
  source: string,
): Promise<void> => {
  const known = new Map((await readMigrations()).map((migration) => [migration.name, migration]));
  const migrations = wanted.map(({ name, sha256 }) => {
    const migration = known.get(name);
    if (!migration) {
      throw new UserError(
        'backup_newer',
        `${source} was written by a later version of Cartwright (it has the migration ${name}). Install that version or a later one.`,
      );
    }
    if (migration.sha256 === sha256) return migration;
    throw new UserError(
      'migration_changed',
      `The file of migration ${name} differs from the one in ${source}. Install Cartwright again.`,
    );
  });
  await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
  await client.query(`drop schema if exists ${ledgerSchema} cascade`);
  await createSchema(client);
  for (const { name, sql, sha256 } of migrations) {
    await client.query(sql);
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
  }
};

/**
 * Whether the database has a ledger of this version; changes nothing.
 *
 * @throws UserError `ledger_older` if migrations are missing, `ledger_newer`, `migration_changed`
 */
export const inspectLedger = async (pool: pg.Pool): Promise<'current' | 'missing'> => {
  const { rows } = await pool.query<{ made: boolean }>(
    `select to_regclass('${ledgerSchema}.migrations') is not null as made`,
  );
  if (!rows[0]!.made) return 'missing';
  const missing = await listMissing(pool, await readMigrations());
  if (missing.length === 0) return 'current';
  throw new UserError(
    'ledger_older',
    `The ledger was written by an earlier version of Cartwright (it does not have ${missing.map(({ name }) => name).join(', ')}). Stop all workers of that version, then start one of this version with \`cartwright up\` or \`cartwright work\`: it migrates the ledger.`,
  );
};

/** Drops schemas with all their tables, irrevocably: for the demo, which starts with an empty database each time. */
export const dropSchemas = async (url: string, schemas: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    for (const schema of schemas) {
      await client.query(`drop schema if exists ${pg.escapeIdentifier(schema)} cascade`);
    }
  } finally {
    await client.end();
  }
};

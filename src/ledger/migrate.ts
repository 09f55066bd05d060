import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { UserError } from '../errors.ts';
import { type Migration, migrationsFolder, readMigrations } from './migration-files.ts';
import {
  listOlderWorkers,
  numberOf,
  type OlderWorker,
  olderWorkersRun,
  patienceMs,
} from './older-workers.ts';
import { changesOne } from './query.ts';
import { createWaitTeller, type WaitTelling } from './say-what-waits-for-locks.ts';
import { inTransaction } from './transaction.ts';

/** The Postgres schema of the ledger; it is the search_path of every connection of the worker. */
export const ledgerSchema = 'cartwright';

const lockKey = 0x63617274;

const hasColumn = (client: Pick<pg.PoolClient, 'query'>, column: string): Promise<boolean> =>
  changesOne(
    client,
    'select from information_schema.columns where table_schema = $1 and table_name = $2 and column_name = $3',
    [ledgerSchema, 'migrations', column],
  );

/**
 * A later version may have migrated the ledger compatibly, keeping everything that this version uses.
 *
 * @throws UserError `ledger_newer` if it has not
 */
const assertUsable = async (
  client: Pick<pg.PoolClient, 'query'>,
  unknown: readonly string[],
  last: string,
): Promise<void> => {
  if (unknown.length === 0) return;
  const { rows } = (await hasColumn(client, 'beside'))
    ? await client.query<{ name: string }>(
        `select name from ${ledgerSchema}.migrations where name = any($1) and (beside is null or beside > $2) order by name`,
        [unknown, last],
      )
    : { rows: unknown.map((name) => ({ name })) };
  if (rows[0]) {
    throw new UserError(
      'ledger_newer',
      `The ledger was written by a later version of Cartwright (it has the migration ${rows[0].name}). Install that version or a later one.`,
    );
  }
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
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  await assertUsable(client, unknown, numberOf(migrations.at(-1)!.name));
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

/** Records an applied migration, within a transaction. A column added by a later migration is filled in by that migration. */
const noteApplied = async (
  client: Pick<pg.PoolClient, 'query'>,
  { name, sha256 }: Pick<Migration, 'name' | 'sha256'>,
  migrations: readonly Migration[],
): Promise<void> => {
  await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
  if (!(await hasColumn(client, 'beside'))) return;
  await client.query(
    `update migrations m set beside = known.beside from unnest($1::text[], $2::text[]) known (name, beside)
     where m.name = known.name and m.beside is distinct from known.beside`,
    [migrations.map((one) => one.name), migrations.map((one) => one.beside)],
  );
};

/** While a migration waits for a table lock, everyone queues behind it, so it uses short timeouts and retries often. */
const lockTimeout = '2s';
/** A lock was not available in time, or waiting for it was a deadlock. */
const notNow: ReadonlySet<unknown> = new Set(['55P03', '40P01']);
const tryAgainMs = 1000;

interface MigrateOptions {
  /** The folder of the migrations. */
  from?: URL;
  /** How long to wait for workers of an earlier version. */
  waitMs?: number;
  /** How to report the sessions that a migration waits for. */
  telling?: WaitTelling;
}

/**
 * Applies the missing migrations in the order of their names, each in a transaction. Safe to call from any number of processes at once:
 * each transaction has an advisory lock, so that one process works at a time. Waits for workers of an earlier version to end if a migration
 * removes something that they use (docs/decisions/048), and indefinitely for locks that others hold.
 *
 * @throws UserError `ledger_newer` if a later version of Cartwright migrated the ledger, `migration_changed` if an
 *   applied migration was edited afterwards, `workers_older` if workers of an earlier version do not end
 */
export const migrateLedger = async (
  pool: pg.Pool,
  { from = migrationsFolder, waitMs = patienceMs, telling }: MigrateOptions = {},
): Promise<void> => {
  const waits = createWaitTeller(pool, telling);
  const migrations = await readMigrations(from);
  const giveUpAt = performance.now() + waitMs;
  type Attempt = { kind: 'current' | 'applied' } | { kind: 'waits'; name: string; older: OlderWorker[] };
  const applyNext = async (client: pg.PoolClient): Promise<Attempt> => {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    await createSchema(client);
    const [next] = await listMissing(client, migrations);
    if (!next) return { kind: 'current' };
    const { name, sql, beside } = next;
    const older = await listOlderWorkers(client, beside ?? numberOf(name));
    if (older.length > 0) return { kind: 'waits', name, older };
    await client.query(`set local lock_timeout = '${lockTimeout}'`);
    await client.query(sql);
    await noteApplied(client, next, migrations);
    return { kind: 'applied' };
  };
  const attemptNext = () =>
    inTransaction(pool, {}, (client) => waits.during(client, () => applyNext(client)));
  for (;;) {
    const attempt = await attemptNext().catch((thrown: unknown) => {
      if (notNow.has((thrown as { code?: unknown }).code)) return undefined;
      throw thrown;
    });
    if (attempt?.kind === 'current') return;
    if (attempt?.kind === 'waits' && performance.now() >= giveUpAt)
      throw olderWorkersRun(attempt.name, attempt.older);
    if (attempt?.kind === 'applied') waits.reset();
    else await sleep(tryAgainMs);
  }
};

/** Creates a ledger within the caller's transaction, which must roll back. */
export const createTemporaryLedger = async (client: pg.PoolClient): Promise<void> => {
  const migrations = await readMigrations();
  await createSchema(client);
  for (const { sql } of await listMissing(client, migrations)) await client.query(sql);
};

/**
 * Recreates the ledger with these migrations, within the caller's transaction. Drops the ledger's schema; the caller must make sure that
 * nothing in it matters.
 *
 * @param source where the migrations come from, for messages
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
    await noteApplied(client, { name, sha256 }, [...known.values()]);
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
    `The ledger was written by an earlier version of Cartwright (it does not have ${missing.map(({ name }) => name).join(', ')}). Start a worker of this version with \`cartwright up\` or \`cartwright work\`: it migrates the ledger.`,
  );
};

/** Drops schemas with all their tables, irrevocably. For the demo, which starts with an empty database each time. */
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

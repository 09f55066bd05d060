import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { UserError } from '../../errors.ts';
import { beginFeedEra } from '../feed.ts';
import { createLedgerOf, ledgerSchema, migrateLedger } from '../migrate.ts';
import { isActive } from '../purchase-order-sql.ts';
import { changesOne } from '../query.ts';
import { inTransaction } from '../transaction.ts';
import { altered, type BackupHead, type BackupPart, openBackupFile } from './backup-file.ts';

type Client = Pick<pg.PoolClient, 'query'>;

const quote = (name: string): string => pg.escapeIdentifier(name);

/** Tables with rows only in a ledger in use, with the word for their rows. */
const tracesOfUse = {
  imports: 'imported files',
  purchase_orders: 'purchase orders',
  console_users: 'users of the console',
  operator_actions: 'recorded actions',
};

/** @throws UserError `ledger_in_use`, `ledger_not_empty` */
const assertEmpty = async (client: Client, where: string): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = to_regnamespace('${ledgerSchema}')::oid and relkind = 'r'`,
  );
  const tables = new Set(rows.map(({ name }) => name));
  const has = async (table: string, condition = 'true'): Promise<boolean> => {
    if (!tables.has(table)) return false;
    return changesOne(client, `select from ${ledgerSchema}.${table} where ${condition} limit 1`);
  };
  for (const [table, what] of Object.entries(tracesOfUse)) {
    if (!(await has(table))) continue;
    throw new UserError(
      'ledger_not_empty',
      `The ledger in ${where} is not empty: it has ${what}. Nothing was restored. Restore into an empty database (DATABASE_URL) or an empty data folder (CARTWRIGHT_DATA).`,
    );
  }
  if (await has('workers', `left_at is null and seen_at > clock_timestamp() - interval '1 minute'`)) {
    throw new UserError(
      'ledger_in_use',
      `A worker is running on the ledger in ${where}. Nothing was restored. Stop all workers, and restore a minute later.`,
    );
  }
};

/** Foreign keys are checked once for all rows, because the tables are not filled in the order of their references. */
const dropReferences = async (client: Client): Promise<string[]> => {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = '${ledgerSchema}'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${quote(name)}`);
  return rows.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${quote(name)} ${definition}`,
  );
};

/** Restored rows happened in the past, so no trigger may record them again. */
const disableTriggers = async (client: pg.PoolClient): Promise<string[]> => {
  const { rows } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = '${ledgerSchema}'::regnamespace order by 1`,
  );
  for (const { table } of rows) await client.query(`alter table ${table} disable trigger user`);
  return rows.map(({ table }) => `alter table ${table} enable trigger user`);
};

const copyPart = async (client: pg.PoolClient, part: BackupPart): Promise<void> => {
  if (part.kind === 'sequences') {
    for (const { name, value } of part.sequences)
      await client.query('select setval($1::regclass, $2::bigint)', [quote(name), value]);
    return;
  }
  const { table, columns, rows } = part;
  // A migration may have inserted rows.
  await client.query(`delete from ${quote(table)}`);
  const copy = `copy ${quote(table)} (${columns.map(quote).join(', ')}) from stdin`;
  await pipeline(Readable.from(rows), client.query(copyFrom(copy)));
};

/** SQLSTATE classes caused by rows and names that no backup contains: the file was altered, before its checksum could show it. */
const impossible = /^(?:22|23|42)/;

const copyParts = async (
  client: pg.PoolClient,
  parts: AsyncIterable<BackupPart>,
  path: string,
): Promise<void> => {
  for await (const part of parts) {
    await copyPart(client, part).catch((cause: unknown) => {
      throw impossible.test(String((cause as { code?: unknown }).code)) ? altered(path, cause) : cause;
    });
  }
};

/** How long to send nothing, in milliseconds by account name; `others` for accounts that are not configured. */
export interface SettleTimes {
  byAccount: Readonly<Record<string, number>>;
  others: number;
}

// The last calls of the lost ledger's workers may still take effect, unknown to the restored ledger.
const pauseSql = `
  insert into account_states as a (account, paused_until, pause_code, pause_reason)
  select account, clock_timestamp() + coalesce(($1::jsonb ->> account)::float8, $2) * interval '1 millisecond', 'restored',
    'the ledger was restored from a backup, and a call from before may still take effect'
  from (
    select account from account_states union select account from purchase_orders
    union select account from imports union select jsonb_object_keys($1::jsonb)
  ) known
  on conflict (account) do update set paused_until = excluded.paused_until, pause_code = excluded.pause_code,
    pause_reason = excluded.pause_reason
  where a.paused_until is null or a.paused_until < excluded.paused_until`;

export interface Restored {
  head: BackupHead;
  purchaseOrders: number;
  /** POs with a next step, which the workers continue. */
  open: number;
  imports: number;
}

/**
 * Restores a backup into an empty ledger, in one transaction: a truncated or altered file changes nothing. Then migrates the ledger to this
 * version. Pauses each account until no call from before the restore can still take effect.
 *
 * @param where the database, for messages
 * @throws UserError of the file (`openBackupFile`), `backup_newer`, `ledger_not_empty`, `ledger_in_use`
 */
export const restoreBackup = async (
  pool: pg.Pool,
  path: string,
  { where, settle }: { where: string; settle: SettleTimes },
): Promise<Restored> => {
  const { head, parts } = await openBackupFile(path);
  const restored = await inTransaction(pool, {}, async (client) => {
    await assertEmpty(client, where);
    await createLedgerOf(client, head.migrations, path);
    const references = await dropReferences(client);
    const triggers = await disableTriggers(client);
    await copyParts(client, parts, path);
    for (const statement of [...references, ...triggers]) await client.query(statement);
    await client.query(pauseSql, [JSON.stringify(settle.byAccount), settle.others]);
    const { rows } = await client.query<Omit<Restored, 'head'>>(
      `select (select count(*)::int from imports) as imports, count(*)::int as "purchaseOrders",
         count(*) filter (where ${isActive('o')})::int as open
       from purchase_orders o`,
    );
    return { head, ...rows[0]! };
  });
  await migrateLedger(pool);
  await beginFeedEra(pool);
  await pool.query('analyze');
  return restored;
};

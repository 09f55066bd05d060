import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ledgerSchema } from '../migrate.ts';
import { inTransaction } from '../transaction.ts';
import { type BackupHead, type BackupPart, writeBackupFile } from './backup-file.ts';

/** Tables about running processes and open sessions, which a restored ledger starts without. `migrations` is in the header of the file. */
const leftOut = [
  ...['call_shares', 'console_sessions', 'console_sign_ins', 'locks', 'migrations', 'workers'],
  // Without wanted kinds, restoring rows creates no events.
  'notification_kinds',
];

// Generated columns are computed again when the rows are restored.
const tablesSql = `
  select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = '${ledgerSchema}'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and c.relname <> all($1)
  group by c.relname order by c.relname`;

const sequencesSql = `
  select sequencename as name, last_value::text as value from pg_sequences
  where schemaname = '${ledgerSchema}' and last_value is not null order by 1`;

const quote = (name: string): string => pg.escapeIdentifier(name);

/** Counts the copied bytes, and throws the signal's reason when aborted. */
async function* counted(
  rows: AsyncIterable<Buffer>,
  add: (bytes: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    signal?.throwIfAborted();
    add(chunk.length);
    yield chunk;
  }
}

async function* partsOf(
  client: pg.PoolClient,
  tables: readonly { table: string; columns: string[] }[],
  add: (bytes: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<BackupPart> {
  for (const { table, columns } of tables) {
    signal?.throwIfAborted();
    const copy = `copy ${quote(table)} (${columns.map(quote).join(', ')}) to stdout`;
    yield { kind: 'table', table, columns, rows: counted(client.query(copyTo(copy)), add, signal) };
  }
  // Sequences ignore snapshots: read last, the value is at least that of every row.
  const { rows } = await client.query<{ name: string; value: string }>(sequencesSql);
  yield { kind: 'sequences', sequences: rows };
}

/**
 * Writes a consistent snapshot of the whole ledger to `path`, without blocking workers or needing another program. The caller removes the
 * file if this throws.
 *
 * @param signal aborts the backup soon, with the signal's reason
 */
export const writeBackup = (
  pool: pg.Pool,
  path: string,
  about: Pick<BackupHead, 'version' | 'configuration'>,
  signal?: AbortSignal,
): Promise<{ createdAt: Date; purchaseOrders: number; tableBytes: number }> =>
  inTransaction(pool, { snapshot: true, long: true }, async (client) => {
    const { rows: tables } = await client.query<{ table: string; columns: string[] }>(tablesSql, [leftOut]);
    signal?.throwIfAborted();
    // Makes migrations wait: one could drop a table that is not copied yet.
    await client.query(
      `lock table ${tables.map(({ table }) => quote(table)).join(', ')} in access share mode`,
    );
    const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from migrations order by name',
    );
    const { rows: counts } = await client.query<{ at: Date; pos: number }>(
      'select transaction_timestamp() as at, (select count(*)::int from purchase_orders) as pos',
    );
    const { at: createdAt, pos: purchaseOrders } = counts[0]!;
    let tableBytes = 0;
    const add = (bytes: number): void => {
      tableBytes += bytes;
    };
    const parts = partsOf(client, tables, add, signal);
    await writeBackupFile(path, { ...about, createdAt: createdAt.toISOString(), migrations }, parts);
    return { createdAt, purchaseOrders, tableBytes };
  });

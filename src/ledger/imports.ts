import type pg from 'pg';
import type { ClaimedFile, ImportRegister, RegisteredImport } from '../intake/claim-register.ts';
import { createFolderPositions } from './folder-positions.ts';
import { createWatchRegister, insertWatchedFile } from './watched-files.ts';

interface ImportRow {
  id: string;
  state: RegisteredImport['state'];
  file_name: string;
  file_path: string;
  size_bytes: string;
  quote_only: boolean;
  reason_text: string | null;
}

const columns = 'id, state, file_name, file_path, size_bytes, quote_only, reason_text';

const toRegistered = (row: ImportRow): RegisteredImport => ({
  importId: row.id,
  state: row.state,
  fileName: row.file_name,
  filePath: row.file_path,
  sizeBytes: Number(row.size_bytes),
  quoteOnly: row.quote_only,
  reasonText: row.reason_text ?? undefined,
});

type IsReadable = Parameters<ImportRegister['register']>[1];

/**
 * Records a purchase file as an import in one transaction, under a lock of its account: of two claims of
 * the same bytes at the same moment one becomes the import, the other its repetition.
 * Idempotent by `filePath`.
 */
const registerImport = async (
  pool: pg.Pool,
  file: ClaimedFile,
  isReadable: IsReadable,
): Promise<RegisteredImport> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('register ' || $1, 0))`, [
      file.account,
    ]);
    const registered = await insertImport(client, file, isReadable);
    await client.query('commit');
    client.release();
    return registered;
  } catch (error) {
    // A connection whose transaction did not end by itself goes back to nobody.
    client.release(error instanceof Error ? error : true);
    throw error;
  }
};

// The latest import of these bytes that still answers for all they ask for. Which of its POs come again, and what
// becomes of them, is decided PO by PO where one was rejected, cancelled or (in a ledger of an earlier version) taken
// for its quote.
const earlierSql = `
  select i.id, i.file_path, i.state from imports i
  where i.account = $1 and i.sha256 = $2 and not i.quote_only and i.state in ('taken', 'read')
    and not exists (
      select from purchase_orders p where p.import_id = i.id and p.state in ('rejected', 'cancelled'))
    and not exists (
      select from repeated_purchase_orders r join purchase_orders p on p.id = r.purchase_order_id
      where r.import_id = i.id and (p.quote_only or p.state in ('rejected', 'cancelled')))
  order by i.id desc limit 1`;

// Skipped where a worker is reading it at this moment.
const lostSql = `
  update imports set state = 'refused', reason_code = 'copy_lost', read_at = now(), result_due = true,
    reason_text = 'The private copy of this file can no longer be read, and nothing of it was ordered. The same file was sent again and is taken in its place.'
  where id = (select id from imports where id = $1 and state = 'taken' for update skip locked)`;

/** The import that makes these bytes a repetition, if any. */
const findEarlier = async (
  client: pg.PoolClient,
  { account, sha256 }: ClaimedFile,
  isReadable: IsReadable,
): Promise<string | undefined> => {
  for (;;) {
    const { rows } = await client.query<Pick<ImportRow, 'id' | 'file_path' | 'state'>>(earlierSql, [
      account,
      sha256,
    ]);
    const earlier = rows[0];
    if (earlier?.state !== 'taken' || (await isReadable(earlier.file_path))) return earlier?.id;
    const { rowCount } = await client.query(lostSql, [earlier.id]);
    if (rowCount !== 1) return earlier.id;
  }
};

const insertImport = async (
  client: pg.PoolClient,
  file: ClaimedFile,
  isReadable: IsReadable,
): Promise<RegisteredImport> => {
  const again = await client.query<ImportRow>(
    `select ${columns} from imports where account = $1 and sha256 = $2 and file_path = $3`,
    [file.account, file.sha256, file.filePath],
  );
  if (again.rows[0]) return toRegistered(again.rows[0]);

  const earlierId = file.quoteOnly ? undefined : await findEarlier(client, file, isReadable);
  const { rows } = await client.query<ImportRow>(
    `insert into imports (account, file_name, sha256, size_bytes, file_path, quote_only, restored,
                          state, reason_code, reason_text, result_due, repeats_import_id)
     select $1, $2, $3, $4, $5, $6, $7,
            case when e.id is null then 'taken' else 'repeated' end,
            case when e.id is not null then 'same_bytes' end,
            'The same file, byte for byte, as import ' || e.id || ' (' || e.file_name || ', taken '
              || to_char(e.taken_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC). Nothing was ordered again.',
            e.id is null, e.id
     from (select) one left join imports e on e.id = $8
     returning ${columns}`,
    [
      file.account,
      file.fileName,
      file.sha256,
      file.sizeBytes,
      file.filePath,
      file.quoteOnly,
      file.restored,
      earlierId ?? null,
    ],
  );
  const registered = toRegistered(rows[0]!);
  if (file.original) await insertWatchedFile(client, registered.importId, file.original);
  return registered;
};

/** The import of this id, or of this private copy; undefined when the ledger has none. */
export const findImport = async (
  pool: pg.Pool,
  by: { importId: string } | { account: string; filePath: string },
): Promise<RegisteredImport | undefined> => {
  const { rows } =
    'importId' in by
      ? await pool.query<ImportRow>(`select ${columns} from imports where id = $1`, [by.importId])
      : await pool.query<ImportRow>(`select ${columns} from imports where account = $1 and file_path = $2`, [
          by.account,
          by.filePath,
        ]);
  return rows[0] && toRegistered(rows[0]);
};

/** Whether the account has an import of these bytes that was not refused and is not a quote. */
const knowsBytes = async (pool: pg.Pool, account: string, sha256: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `select from imports where account = $1 and sha256 = $2 and not quote_only and state <> 'refused' limit 1`,
    [account, sha256],
  );
  return rowCount === 1;
};

/** The ledger as a claim sees it. */
export const createImportRegister = (pool: pg.Pool): ImportRegister => ({
  register: (file, isReadable) => registerImport(pool, file, isReadable),
  find: (by) => findImport(pool, by),
  knowsBytes: (account, sha256) => knowsBytes(pool, account, sha256),
  watched: createWatchRegister(pool),
  ...createFolderPositions(pool),
});

/** Imports of these accounts whose file was taken and not yet read, oldest first: what the sweep enqueues. */
export const listTakenImports = async (
  pool: pg.Pool,
  limit: number,
  accounts: readonly string[],
): Promise<{ id: string; waitedMs: number }[]> => {
  const { rows } = await pool.query(
    `select id, extract(epoch from clock_timestamp() - taken_at)::float8 * 1000 as "waitedMs"
     from imports where state = 'taken' and account = any($2) order by id limit $1`,
    [limit, accounts],
  );
  return rows;
};

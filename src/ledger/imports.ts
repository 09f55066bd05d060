import type pg from 'pg';
import type { ClaimedFile, ImportRegister, RegisteredImport } from '../intake/claim-register.ts';
import { createWatchRegister, insertWatchedFile } from './watched-files.ts';

interface ImportRow {
  id: string;
  state: RegisteredImport['state'];
  file_name: string;
  file_path: string;
  size_bytes: string;
  reason_text: string | null;
}

const columns = 'id, state, file_name, file_path, size_bytes, reason_text';

const toRegistered = (row: ImportRow): RegisteredImport => ({
  importId: row.id,
  state: row.state,
  fileName: row.file_name,
  filePath: row.file_path,
  sizeBytes: Number(row.size_bytes),
  reasonText: row.reason_text ?? undefined,
});

/**
 * Records a purchase file as an import in one transaction, under a lock of its account: of two claims of
 * the same bytes at the same moment one becomes the import, the other its repetition.
 * Idempotent by `filePath`.
 */
const registerImport = async (pool: pg.Pool, file: ClaimedFile): Promise<RegisteredImport> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('register ' || $1, 0))`, [
      file.account,
    ]);
    const registered = await insertImport(client, file);
    await client.query('commit');
    client.release();
    return registered;
  } catch (error) {
    // A connection whose transaction did not end by itself goes back to nobody.
    client.release(error instanceof Error ? error : true);
    throw error;
  }
};

const insertImport = async (client: pg.PoolClient, file: ClaimedFile): Promise<RegisteredImport> => {
  const again = await client.query<ImportRow>(
    `select ${columns} from imports where account = $1 and sha256 = $2 and file_path = $3`,
    [file.account, file.sha256, file.filePath],
  );
  if (again.rows[0]) return toRegistered(again.rows[0]);

  const { rows } = await client.query<ImportRow>(
    `with earlier as (
       select id, file_name, taken_at
       from imports i
       where account = $1 and sha256 = $3 and not quote_only and not $6 and state in ('taken', 'read')
         and not exists (select from purchase_orders p where p.import_id = i.id and p.state = 'rejected')
       order by id desc limit 1
     )
     insert into imports (account, file_name, sha256, size_bytes, file_path, quote_only,
                          state, reason_code, reason_text, result_due)
     select $1, $2, $3, $4, $5, $6,
            case when e.id is null then 'taken' else 'repeated' end,
            case when e.id is not null then 'same_bytes' end,
            'The same file, byte for byte, as import ' || e.id || ' (' || e.file_name || ', taken '
              || to_char(e.taken_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC). Nothing was ordered again.',
            e.id is null
     from (select) one left join earlier e on true
     returning ${columns}`,
    [file.account, file.fileName, file.sha256, file.sizeBytes, file.filePath, file.quoteOnly],
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

/** Whether any import of the account, in whatever state, has these bytes. */
const knowsBytes = async (pool: pg.Pool, account: string, sha256: string): Promise<boolean> => {
  const { rowCount } = await pool.query('select from imports where account = $1 and sha256 = $2 limit 1', [
    account,
    sha256,
  ]);
  return rowCount === 1;
};

/** The ledger as a claim sees it. */
export const createImportRegister = (pool: pg.Pool): ImportRegister => ({
  register: (file) => registerImport(pool, file),
  find: (by) => findImport(pool, by),
  knowsBytes: (account, sha256) => knowsBytes(pool, account, sha256),
  watched: createWatchRegister(pool),
});

/** Imports whose file was taken and not yet read, oldest first: what the sweep enqueues. */
export const listTakenImports = async (
  pool: pg.Pool,
  limit: number,
): Promise<{ id: string; waitedMs: number }[]> => {
  const { rows } = await pool.query(
    `select id, extract(epoch from clock_timestamp() - taken_at)::float8 * 1000 as "waitedMs"
     from imports where state = 'taken' order by id limit $1`,
    [limit],
  );
  return rows;
};

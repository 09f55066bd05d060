import type pg from 'pg';
import type {
  ClaimedFile,
  ImportRegister,
  RegisteredImport,
  UnreadImport,
} from '../intake/inbox/import-register.ts';
import type { FileIdentity } from '../intake/made-po-number.ts';
import { inFileName } from '../intake/po-number-source.ts';
import { isInReplacedFolder } from './account-folders.ts';
import { noteChange } from './changes.ts';
import { linkUpload } from './console/confirm-uploads.ts';
import { createFolderPositions } from './folder-positions.ts';
import { rowPoKey } from './po-key.ts';
import { isReadAgain, isUnsubmitted } from './purchase-order-sql.ts';
import { changesOne, columnOf, firstRow, onlyValue, rowsOf } from './query.ts';
import { inTransaction } from './transaction.ts';
import { createWatchRegister, insertWatchedFile } from './watched-files.ts';

interface ImportRow {
  id: string;
  state: RegisteredImport['state'];
  file_name: string;
  file_path: string;
  size_bytes: string;
  sha256: string;
  quote_only: boolean;
  reason_text: string | null;
}

const columns = 'id, state, file_name, file_path, size_bytes, sha256, quote_only, reason_text';

const toRegistered = (row: ImportRow): RegisteredImport => ({
  importId: row.id,
  state: row.state,
  fileName: row.file_name,
  filePath: row.file_path,
  sizeBytes: Number(row.size_bytes),
  sha256: row.sha256,
  quoteOnly: row.quote_only,
  reasonText: row.reason_text ?? undefined,
});

type IsReadable = Parameters<ImportRegister['register']>[1];

/**
 * Records a purchase file as an import in one transaction, under a lock of its account: of two concurrent claims of the
 * same bytes one becomes the import and the other is recorded as repeated. Idempotent by `filePath`.
 */
const registerImport = (
  pool: pg.Pool,
  file: ClaimedFile,
  folderId: string | undefined,
  isReadable: IsReadable,
): Promise<RegisteredImport> =>
  // Long work: it may check an earlier copy on disk.
  inTransaction(pool, { long: true }, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('register ' || $1, 0))`, [
      file.account,
    ]);
    return insertImport(client, file, folderId, isReadable);
  });

// The latest import of these bytes, if every PO in it still counts. If one was rejected, cancelled or (in a ledger of an earlier version)
// recorded as a repetition of its quote, the file is imported again and each PO is decided separately. An import whose file a person has
// read again with another mapping is replaced by the later one. If one of its rows was skipped or questioned and a later file has that PO,
// the same bytes again mean that it should not be ordered. A PO number that was typed or taken from the file name may differ now.
const isNamed = `jsonb_path_exists(i.detection, '$.decisions[*] ? (@.what == "po_number" && @.why starts with $named)', '${JSON.stringify({ named: inFileName }).replaceAll("'", "''")}')`;
const earlierSql = `
  select i.id, i.file_path, i.state from imports i
  where i.account = $1 and i.sha256 = $2 and not i.quote_only and i.state in ('taken', 'waiting', 'read')
    and (i.file_name = $3 or i.state = 'read' and not coalesce(${isNamed}, false))
    and not exists (select from uploads u where u.mapping -> 'constants' ? 'po_number'
      and (u.import_id = i.id or u.account = i.account and u.copy_path = $4))
    and not exists (
      select from purchase_orders p where p.import_id = i.id and p.state in ('rejected', 'cancelled'))
    and not exists (
      select from repeated_purchase_orders r join purchase_orders p on p.id = r.purchase_order_id
      where r.import_id = i.id and (p.quote_only or p.state in ('rejected', 'cancelled')))
    and not ${isReadAgain('i')}
    and not exists (
      select from row_issues r join purchase_orders p on p.account = i.account and p.po_key = ${rowPoKey('r')}
      where r.import_id = i.id and (r.question is not null or r.code = 'left_out') and p.import_id > i.id
        and ${isUnsubmitted('p')} and not p.quote_only)
  order by i.id desc limit 1`;

// Skipped if a worker is reading the file.
const lostSql = `
  update imports set state = 'refused', reason_code = 'copy_lost', read_at = now(), result_due = true,
    reason_text = 'The private copy of this file can no longer be read. Nothing in it was ordered. The same file was sent again and is imported instead.'
  where id = (select id from imports where id = $1 and state in ('taken', 'waiting') for update skip locked)`;

/** The earlier import of the same bytes, if they need not be imported again. */
const findEarlier = async (
  client: pg.PoolClient,
  { account, sha256, fileName, filePath }: ClaimedFile,
  isReadable: IsReadable,
): Promise<string | undefined> => {
  for (;;) {
    const earlier = await firstRow<Pick<ImportRow, 'id' | 'file_path' | 'state'>>(client, earlierSql, [
      account,
      sha256,
      fileName,
      filePath,
    ]);
    if (!earlier || earlier.state === 'read' || (await isReadable(earlier.file_path))) return earlier?.id;
    const { rowCount } = await client.query(lostSql, [earlier.id]);
    if (rowCount !== 1) return earlier.id;
  }
};

const insertImport = async (
  client: pg.PoolClient,
  file: ClaimedFile,
  folderId: string | undefined,
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
                          state, reason_code, reason_text, result_due, repeats_import_id, folder_id)
     select $1, $2, $3, $4, $5, $6, $7,
            case when e.id is null then 'taken' else 'repeated' end,
            case when e.id is not null then 'same_bytes' end,
            'This file is identical to import ' || e.id || ' (' || e.file_name || ', imported '
              || to_char(e.taken_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC). '
              || case e.state when 'waiting' then 'That one waits for somebody to say what it means, which counts for both.' else 'Nothing was ordered again.' end,
            e.id is null, e.id, $9
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
      folderId ?? null,
    ],
  );
  const registered = toRegistered(rows[0]!);
  if (file.original) await insertWatchedFile(client, registered.importId, file.original);
  await linkUpload(client, {
    importId: registered.importId,
    account: file.account,
    copyPath: file.filePath,
  });
  return registered;
};

/** Finds an import by its id or its private copy. */
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

/** Whether the import's file was never read, not even by a read that left it waiting. */
export const isNeverRead = (pool: pg.Pool, importId: string): Promise<boolean> =>
  changesOne(pool, `select from imports where id = $1 and state = 'taken' and times_waited = 0`, [importId]);

/** Whether the account has an import of these bytes that was not refused and is not a quote. */
const knowsBytes = (pool: pg.Pool, account: string, sha256: string): Promise<boolean> =>
  changesOne(
    pool,
    `select from imports where account = $1 and sha256 = $2 and not quote_only and state <> 'refused' limit 1`,
    [account, sha256],
  );

/** The import register of claims. `folderId`: the identity of the folder with the private copies, if known. */
export const createImportRegister = (
  pool: pg.Pool,
  folderId: () => string | undefined = () => undefined,
): ImportRegister => ({
  register: async (file, isReadable) => {
    const registered = await registerImport(pool, file, folderId(), isReadable);
    noteChange(pool, { topics: ['imports'], account: file.account, importId: registered.importId });
    return registered;
  },
  find: (by) => findImport(pool, by),
  knowsBytes: (account, sha256) => knowsBytes(pool, account, sha256),
  watched: createWatchRegister(pool),
  ...createFolderPositions(pool),
});

/** The identity of an account's file: its bytes and the day on which they first arrived. */
export const identityOf = async (pool: pg.Pool, account: string, sha256: string): Promise<FileIdentity> => {
  const { rows } = await pool.query<{ day: string }>({
    name: 'first-day-of-bytes',
    text: `select to_char(coalesce(min(taken_at), now()) at time zone 'UTC', 'YYYY-MM-DD') as day
      from imports where account = $1 and sha256 = $2`,
    values: [account, sha256],
  });
  return { account, sha256, day: rows[0]!.day };
};

/** The account of an import; undefined if the ledger does not have the import, or its folder is no longer in use. */
export const accountOfImport = (pool: pg.Pool, importId: string): Promise<string | undefined> =>
  onlyValue(pool, {
    name: 'account-of-import',
    text: `select account from imports i where id = $1 and not ${isInReplacedFolder('i')}`,
    values: [importId],
  });

/** Imports of these accounts that are not read yet, oldest first: the sweep enqueues them. */
export const listTakenImports = (
  pool: pg.Pool,
  limit: number,
  accounts: readonly string[],
): Promise<UnreadImport[]> =>
  rowsOf(
    pool,
    `select id, times_waited as "timesWaited", extract(epoch from clock_timestamp() - taken_at)::float8 * 1000 as "waitedMs"
     from imports i where state = 'taken' and account = any($2) and not ${isInReplacedFolder('i')} order by id limit $1`,
    [limit, accounts],
  );

/** Imports of these accounts that are not read yet and that no process is reading. */
export const listUnreadImports = (pool: pg.Pool, accounts: readonly string[]): Promise<string[]> =>
  columnOf(
    pool,
    `select id from imports i where state = 'taken' and account = any($1) and not ${isInReplacedFolder('i')}
     order by id limit 500 for update skip locked`,
    [accounts],
  );

import type pg from 'pg';
import type { ImportState } from '../intake/inbox/import-register.ts';
import { columnOf, execute, filledRows, rowsOf } from './query.ts';
import { inTransaction } from './transaction.ts';

/** A folder of an account, by its identity. */
export interface AccountFolder {
  id: string;
  account: string;
  /** The machine that last used it, and its path there. */
  host: string;
  path: string;
}

export interface KnownFolder extends AccountFolder {
  seenAt: Date;
}

/** A folder with unread files or results due; only a process with access to it can handle them. */
export interface FolderBacklog extends KnownFolder {
  /** The account now uses another folder. */
  replaced: boolean;
  /** Unread files that were picked up there; `unreadSince` is when the oldest was picked up. */
  unread: number;
  unreadSince: Date | undefined;
  /** Result files that are missing or out of date. */
  results: number;
}

/** SQL: the import's files are in a folder that is no longer in use, so no process works on it. */
export const isInReplacedFolder = (i: string): string =>
  `exists (select from account_folders f where f.id = ${i}.folder_id and f.replaced_at is not null)`;

const columns = 'id, account, host, path, seen_at as "seenAt"';

/** The folder in use of each of these accounts. */
export const listFoldersInUse = async (
  pool: pg.Pool,
  accounts: readonly string[],
): Promise<Map<string, KnownFolder>> => {
  const { rows } = await pool.query<KnownFolder>(
    `select ${columns} from account_folders where account = any($1) and replaced_at is null`,
    [accounts],
  );
  return new Map(rows.map((row) => [row.account, row]));
};

/**
 * Records the first folders of accounts, unless another process has already recorded one.
 * @returns the folders in use, by account; none where the folder belongs to another account
 */
export const recordFolders = async (
  pool: pg.Pool,
  folders: readonly AccountFolder[],
): Promise<Map<string, KnownFolder>> => {
  if (folders.length === 0) return new Map();
  await pool.query(
    `insert into account_folders (id, account, host, path)
     select * from jsonb_to_recordset($1::jsonb) as f(id uuid, account text, host text, path text) on conflict do nothing`,
    [JSON.stringify(folders)],
  );
  return listFoldersInUse(
    pool,
    folders.map(({ account }) => account),
  );
};

/** Records that a process of this machine uses these folders. */
export const noteFoldersUsed = async (
  pool: pg.Pool,
  host: string,
  used: readonly { id: string; path: string }[],
): Promise<void> => {
  if (used.length === 0) return;
  await pool.query(
    `update account_folders f set seen_at = clock_timestamp(), host = $1, path = u.path
     from unnest($2::uuid[], $3::text[]) as u(id, path)
     where f.id = u.id and f.seen_at < clock_timestamp() - interval '20 seconds'`,
    [host, used.map(({ id }) => id), used.map(({ path }) => path)],
  );
};

/** Makes this the folder that its account uses from now on. */
export const useFolder = (pool: pg.Pool, { id, account, host, path }: AccountFolder): Promise<void> =>
  inTransaction(pool, {}, async (client) => {
    await client.query(
      'update account_folders set replaced_at = clock_timestamp() where account = $1 and id <> $2 and replaced_at is null',
      [account, id],
    );
    await client.query(
      `insert into account_folders (id, account, host, path) values ($1, $2, $3, $4)
       on conflict (id) do update set account = $2, host = $3, path = $4, seen_at = clock_timestamp(), replaced_at = null`,
      [id, account, host, path],
    );
  });

/** An import whose private copy is in another folder of the account. */
export interface ImportElsewhere {
  importId: string;
  fileName: string;
  filePath: string;
  state: Exclude<ImportState, 'repeated'>;
}

/** The account's imports in other folders that are not read yet or whose result file is due. */
export const listImportsElsewhere = (
  pool: pg.Pool,
  account: string,
  folderId: string,
): Promise<ImportElsewhere[]> =>
  rowsOf(
    pool,
    `select id as "importId", file_name as "fileName", file_path as "filePath", state from imports
     where account = $1 and folder_id <> $2 and (state in ('taken', 'waiting')
       or state in ('read', 'refused') and (result_due or result_written_at is null)) order by id`,
    [account, folderId],
  );

/** Records that the private copies of these imports are in this folder now. */
export const moveImports = (pool: pg.Pool, importIds: readonly string[], folderId: string): Promise<void> =>
  execute(pool, 'update imports set folder_id = $2 where id = any($1)', [importIds, folderId]);

/**
 * Gives up those of these imports that were not read: nothing in them is ordered, and the same file is imported if it is sent again. Skips
 * imports that a process is reading. Returns the ones given up.
 */
export const giveUpImports = (pool: pg.Pool, importIds: readonly string[]): Promise<string[]> =>
  columnOf(
    pool,
    `update imports i set state = 'refused', reason_code = 'given_up', read_at = now(), result_due = false,
       result_written_at = now(), reason_text = 'This file was picked up in a folder that is no longer in use'
         || coalesce((select ', on ' || f.host from account_folders f where f.id = i.folder_id), '')
         || ', and was given up before it was read. Nothing in it was ordered. Send the same file again to order it.'
     where id in (select id from imports where id = any($1) and state in ('taken', 'waiting') for update skip locked)
     returning id`,
    [importIds],
  );

/** The folders of these accounts in which files wait to be read or answered. */
export const listFolderBacklog = (pool: pg.Pool, accounts: readonly string[]): Promise<FolderBacklog[]> =>
  filledRows(pool, {
    name: 'folder-backlog',
    text: `select ${columns}, f.replaced_at is not null as replaced, w.* from account_folders f
      cross join lateral (
        select count(*) filter (where i.state in ('taken', 'waiting'))::int as unread,
          min(i.taken_at) filter (where i.state in ('taken', 'waiting')) as "unreadSince",
          count(*) filter (where i.state not in ('taken', 'waiting'))::int as results
        from (
          select state, taken_at from imports where state in ('taken', 'waiting') and folder_id = f.id
          union all
          select state, taken_at from imports where state in ('read', 'refused')
            and (result_due or result_written_at is null) and folder_id = f.id
        ) i) w
      where f.account = any($1) and w.unread + w.results > 0 order by f.account, f.known_since`,
    values: [accounts],
  });

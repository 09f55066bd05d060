import type pg from 'pg';
import { execute, firstRow, rowsOf } from '../query.ts';
import { inTransaction } from '../transaction.ts';
import { type Actor, recordActivity } from './activity.ts';

/** A file that a person uploaded. */
export interface Upload {
  id: string;
  account: string;
  fileName: string;
  sha256: string;
  sizeBytes: number;
  /** Relative to the account's folder. */
  path: string;
  who: string;
  uploadedAt: Date;
  state: 'draft' | 'confirmed' | 'discarded';
  /** As sent by the person; null: the account's settings. */
  mapping: unknown;
  quoteOnly: boolean;
  rereadOf: string | null;
  copyPath: string | null;
  confirmedBy: string | null;
  importId: string | null;
}

export const uploadColumns = `id::text, account, file_name as "fileName", sha256, size_bytes::float8 as "sizeBytes", path, who,
  uploaded_at as "uploadedAt", state, mapping, quote_only as "quoteOnly", reread_of::text as "rereadOf",
  copy_path as "copyPath", confirmed_by as "confirmedBy", import_id::text as "importId"`;

export type Client = Pick<pg.Pool, 'query'>;

/** Records an upload whose file is completely written. */
export const addUpload = async (
  pool: pg.Pool,
  upload: Pick<Upload, 'id' | 'account' | 'fileName' | 'sha256' | 'sizeBytes' | 'path' | 'who' | 'rereadOf'> &
    Partial<Pick<Upload, 'quoteOnly'>>,
): Promise<Upload> => {
  const { id, account, fileName, sha256, sizeBytes, path, who, rereadOf, quoteOnly = false } = upload;
  const { rows } = await pool.query<Upload>(
    `insert into uploads (id, account, file_name, sha256, size_bytes, path, who, reread_of, quote_only)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${uploadColumns}`,
    [id, account, fileName, sha256, sizeBytes, path, who, rereadOf, quoteOnly],
  );
  return rows[0]!;
};

/** @param accounts those that the reader may see; null: all */
export const findUpload = (
  pool: pg.Pool,
  id: string,
  accounts: readonly string[] | null,
): Promise<Upload | undefined> =>
  firstRow(
    pool,
    `select ${uploadColumns} from uploads where id = $1 and ($2::text[] is null or account = any($2))`,
    [id, accounts],
  );

/** The drafts, latest first. */
export const listDrafts = (
  pool: pg.Pool,
  accounts: readonly string[] | null,
  limit: number,
): Promise<Upload[]> =>
  rowsOf(
    pool,
    `select ${uploadColumns} from uploads where state = 'draft' and ($1::text[] is null or account = any($1))
     order by uploaded_at desc limit $2`,
    [accounts, limit],
  );

/** Stores the mapping of a draft. Undefined if it is no longer a draft. */
export const setMapping = (pool: pg.Pool, id: string, mapping: object | null): Promise<Upload | undefined> =>
  firstRow(
    pool,
    `update uploads set mapping = $2 where id = $1 and state = 'draft' returning ${uploadColumns}`,
    [id, mapping === null ? null : JSON.stringify(mapping)],
  );

/** Discards a draft. Undefined if it is no longer a draft. */
export const discardUpload = (pool: pg.Pool, id: string, by: Actor): Promise<Upload | undefined> =>
  inTransaction(pool, {}, async (client) => {
    const upload = await firstRow<Upload>(
      client,
      `update uploads set state = 'discarded' where id = $1 and state = 'draft' returning ${uploadColumns}`,
      [id],
    );
    if (!upload) return undefined;
    const { account, rereadOf, fileName } = upload;
    await recordActivity(client, 'upload_discarded', by, { fileName }, { account, importId: rereadOf });
    return upload;
  });

/** Discards the account's drafts that nobody confirmed within a day. */
export const discardOldDrafts = (pool: pg.Pool, account: string): Promise<void> =>
  execute(
    pool,
    `update uploads set state = 'discarded'
     where account = $1 and state = 'draft' and uploaded_at < clock_timestamp() - interval '1 day'`,
    [account],
  );

/** Confirmed uploads that did not become imports, because a process stopped or a disk was full. */
export const listUnclaimed = (pool: pg.Pool, account: string, olderThanMs: number): Promise<Upload[]> =>
  rowsOf(
    pool,
    `select ${uploadColumns} from uploads where account = $1 and state = 'confirmed' and import_id is null
       and confirmed_at < clock_timestamp() - $2::float8 * interval '1 millisecond' order by confirmed_at`,
    [account, olderThanMs],
  );

/** An import of the same bytes, which would make the upload a repetition. */
export const findSameBytes = (
  pool: pg.Pool,
  { account, sha256, rereadOf, importId }: Pick<Upload, 'account' | 'sha256' | 'rereadOf' | 'importId'>,
): Promise<{ id: string; fileName: string; takenAt: Date } | undefined> =>
  firstRow(
    pool,
    `select id::text, file_name as "fileName", taken_at as "takenAt" from imports
     where account = $1 and sha256 = $2 and not quote_only and state in ('taken', 'waiting', 'read')
       and id is distinct from $3::bigint and id is distinct from $4::bigint order by id desc limit 1`,
    [account, sha256, rereadOf, importId],
  );

/** The uploads among these whose files are still needed. */
export const listNeeded = async (pool: pg.Pool, ids: readonly string[]): Promise<Set<string>> => {
  const { rows } = await pool.query<{ id: string }>(
    `select id::text from uploads where id = any($1::uuid[]) and (state = 'draft' or state = 'confirmed' and import_id is null)`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
};

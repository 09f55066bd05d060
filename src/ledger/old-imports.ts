import type pg from 'pg';
import { execute, rowsOf } from './query.ts';

const ended = `('rejected', 'closed', 'failed', 'cancelled')`;

/**
 * SQL: nothing shown for import i can change any more or has changed since $2: its own POs, those that it repeats, and the imports that
 * repeat it.
 */
export const isOver = `i.account = $1 and i.state not in ('taken', 'waiting') and coalesce(i.read_at, i.taken_at) < $2
  and not exists (select from purchase_orders p where p.import_id = i.id
    and (p.state not in ${ended} or p.changed_at >= $2))
  and not exists (select from repeated_purchase_orders r join purchase_orders p on p.id = r.purchase_order_id
    where r.import_id = i.id and (p.state not in ${ended} or p.changed_at >= $2))
  and not exists (select from purchase_orders p join repeated_purchase_orders r on r.purchase_order_id = p.id
    join imports o on o.id = r.import_id where p.import_id = i.id and coalesce(o.read_at, o.taken_at) >= $2)`;

/** Private copies of an account that are no longer needed: nothing of their imports has changed since `before`. */
export const listOldCopies = (
  pool: pg.Pool,
  { account, before, folderId }: { account: string; before: Date; folderId: string },
): Promise<{ importId: string; path: string }[]> =>
  rowsOf(
    pool,
    `select i.id as "importId", i.file_path as path from imports i
     where ${isOver} and i.copy_pruned_at is null and (i.folder_id is null or i.folder_id = $3) order by i.id`,
    [account, before, folderId],
  );

/** An import with a PO that is open, held, or changed since. */
export interface LiveImport {
  importId: string;
  fileName: string;
  sha256: string;
  sizeBytes: number;
  /** The file changed after it was picked up, so the archived file has other bytes. */
  hasGrown: boolean;
}

/** Imports of an account read before `before` that can still change or have changed since. */
export const listLiveImports = (pool: pg.Pool, account: string, before: Date): Promise<LiveImport[]> =>
  rowsOf(
    pool,
    `select i.id::text as "importId", i.file_name as "fileName", i.sha256, i.size_bytes::float8 as "sizeBytes",
       i.file_grew is not null as "hasGrown"
     from imports i where i.account = $1 and coalesce(i.read_at, i.taken_at) < $2 and not (${isOver})`,
    [account, before],
  );

/** Records the removal of an import's private copy. Called before the removal, so that no result file is written without it. */
export const markCopyPruned = (pool: pg.Pool, importId: string): Promise<void> =>
  execute(pool, 'update imports set copy_pruned_at = clock_timestamp(), result_due = false where id = $1', [
    importId,
  ]);

import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Account, RetentionAges } from '../config/config.ts';
import { listLiveImports, listOldCopies, markCopyPruned } from '../ledger/old-imports.ts';
import { pruneFeed } from '../ledger/prune-feed.ts';
import {
  countOldActivity,
  countOldChanges,
  countOldRows,
  type Pruned,
  pruneActivity,
  pruneChanges,
  pruneRows,
} from '../ledger/retention.ts';
import type { FolderState } from './check-folders.ts';
import { type FileKind, fileKinds, pruneFiles } from './prune-files.ts';

type PrunedWhat = FileKind | 'copies' | 'rows' | 'changes' | 'activity';

/** What was removed, or would be in a dry run. */
export interface PrunedKind extends Pruned {
  /** Null: belongs to no account. */
  account: string | null;
  kind: PrunedWhat;
}

export interface PruneOptions {
  pool: pg.Pool;
  now: Date;
  dryRun: boolean;
  isStopping: () => boolean;
}

const pruneCopies = async (
  { name, folder }: Account,
  folderId: string,
  before: Date,
  { pool, dryRun, isStopping }: PruneOptions,
): Promise<Pruned> => {
  const pruned = { count: 0, bytes: 0 };
  for (const { importId, path } of await listOldCopies(pool, { account: name, before, folderId })) {
    if (isStopping()) break;
    const found = await stat(join(folder, path)).catch(() => undefined);
    if (!dryRun) {
      await markCopyPruned(pool, importId);
      await rm(join(folder, path), { force: true });
    }
    if (!found) continue;
    pruned.count += 1;
    pruned.bytes += found.size;
  }
  return pruned;
};

/**
 * Removes or counts an account's data past its retention period; files only if the account's folder is here. Works in small
 * independent steps: safe to interrupt and to repeat, and placing continues.
 */
export const pruneAccount = async (
  { account, folder }: { account: Account; folder: FolderState },
  retention: RetentionAges,
  options: PruneOptions,
): Promise<PrunedKind[]> => {
  const { pool, now, isStopping } = options;
  const { name } = account;
  const pruned: PrunedKind[] = [];
  const attempt = async (
    kind: PrunedWhat,
    age: RetentionAges[keyof RetentionAges],
    work: (before: Date) => Promise<Pruned>,
  ): Promise<void> => {
    if (age === null || isStopping()) return;
    pruned.push({ account: name, kind, ...(await work(new Date(now.getTime() - age))) });
  };
  if (folder.kind === 'usable') {
    for (const kind of fileKinds)
      await attempt(kind, retention.files, async (before) => {
        const live = kind === 'reports' ? [] : await listLiveImports(pool, name, before);
        return pruneFiles({ folder: account.folder, kind, before, live }, options);
      });
    await attempt('copies', retention.files, (before) => pruneCopies(account, folder.id, before, options));
  }
  await attempt('rows', retention.rows, async (before) =>
    options.dryRun ? countOldRows(pool, name, before) : pruneRows(pool, name, before, isStopping),
  );
  await attempt('changes', retention.rows, async (before) =>
    options.dryRun ? countOldChanges(pool, name, before) : pruneChanges(pool, name, before, isStopping),
  );
  return pruned;
};

/** The same for data that belongs to no account. */
export const pruneShared = async (ageMs: number | null, options: PruneOptions): Promise<PrunedKind[]> => {
  const { pool, now, isStopping } = options;
  if (!options.dryRun) await pruneFeed(pool, isStopping);
  if (ageMs === null) return [];
  const before = new Date(now.getTime() - ageMs);
  const pruned = await (options.dryRun
    ? countOldActivity(pool, before)
    : pruneActivity(pool, before, isStopping));
  return [{ account: null, kind: 'activity', ...pruned }];
};

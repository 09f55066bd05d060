import { open, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { candidateNames, isMissing, noteEnding } from '../intake/inbox/move-file.ts';
import { sha256Of } from '../intake/inbox/watch-originals.ts';
import type { LiveImport } from '../ledger/old-imports.ts';
import type { Pruned } from '../ledger/retention.ts';
import { resultName } from '../reports/result-name.ts';

const foldersOf = {
  files: ['done', 'quotes', 'failed'],
  results: ['results'],
  reports: ['reports'],
} as const;

export type FileKind = keyof typeof foldersOf;

/** The kinds of files of an account that are removed by their age. */
export const fileKinds = Object.keys(foldersOf) as FileKind[];

interface OldFile {
  path: string;
  bytes: number;
}

/** The regular files of a folder that were moved there and last written before a moment. */
const oldFiles = async (folder: string, before: Date): Promise<OldFile[]> => {
  const found: OldFile[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    // Names with a dot are temporary files of a writer.
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    const at = await stat(path).catch(() => undefined);
    // Moving a file keeps its mtime but not its ctime.
    if (at && Math.max(at.mtimeMs, at.ctimeMs) < before.getTime()) found.push({ path, bytes: at.size });
  }
  return found;
};

const hashOf = async (path: string): Promise<string | undefined> => {
  const file = await open(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    return await sha256Of(file);
  } finally {
    await file.close();
  }
};

/** The names that an archived file and its notes can have. */
const archivedNames = ({ fileName, importId }: LiveImport): string[] => {
  const [first, second] = candidateNames(fileName, importId);
  return [first!, second!].flatMap((name) => [name, name + noteEnding]);
};

/**
 * Recognises files of live imports: dealer files by their content, because names repeat and people rename files; result files, and
 * files that changed after they were picked up, by their names.
 */
const findLive = (live: readonly LiveImport[]): ((file: OldFile) => Promise<boolean>) => {
  const sizes = new Set(live.map(({ sizeBytes }) => sizeBytes));
  const hashes = new Set(live.map(({ sha256 }) => sha256));
  const names = new Set(
    live.flatMap((one) => [
      ...(['csv', 'xlsx', 'json'] as const).flatMap((format) => [
        resultName(one, format),
        resultName(one, format, 'not-ordered'),
      ]),
      ...(one.hasGrown ? archivedNames(one) : []),
    ]),
  );
  return async ({ path, bytes }) => {
    if (names.has(basename(path))) return true;
    if (path.endsWith(noteEnding)) {
      const noted = path.slice(0, -noteEnding.length);
      const at = await stat(noted).catch(() => undefined);
      return at !== undefined && sizes.has(at.size) && hashes.has((await hashOf(noted)) ?? '');
    }
    return sizes.has(bytes) && hashes.has((await hashOf(path)) ?? '');
  };
};

/** Removes or counts the old files of one kind, except those of live imports. Safe to interrupt and to repeat. */
export const pruneFiles = async (
  {
    folder,
    kind,
    before,
    live,
  }: { folder: string; kind: FileKind; before: Date; live: readonly LiveImport[] },
  { dryRun, isStopping }: { dryRun: boolean; isStopping: () => boolean },
): Promise<Pruned> => {
  const isLive = findLive(live);
  const pruned = { count: 0, bytes: 0 };
  for (const name of foldersOf[kind]) {
    for (const file of await oldFiles(join(folder, name), before)) {
      if (isStopping()) return pruned;
      if (await isLive(file)) continue;
      if (!dryRun) await rm(file.path, { force: true });
      pruned.count += 1;
      pruned.bytes += file.bytes;
    }
  }
  return pruned;
};

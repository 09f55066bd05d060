import { stat } from 'node:fs/promises';
import { purchaseFileEnding } from './claim-folders.ts';
import { type FilePath, pathIn } from './file-names.ts';

/** How a file looked when it was last seen, and since when it has looked so (monotonic clock). */
export interface Sighting {
  size: number;
  mtimeMs: number;
  inode: number;
  sinceMs: number;
}

const markerEndings = ['.done', '.ok'];
const unfinishedEndings = ['.tmp', '.part', '.filepart', '.crdownload'];

/** Names that uploaders, editors and Office use while they work: never touched. */
export const isLeftAlone = (name: string): boolean =>
  name.startsWith('.') ||
  name.startsWith('~$') ||
  [...unfinishedEndings, ...markerEndings].some((ending) => name.toLowerCase().endsWith(ending));

/** The names that say of `name` that it is complete: `x.csv.done`, `x.done`, and the same with `.ok`. */
const markersOf = (name: string): string[] => {
  const stem = name.slice(0, name.length - (purchaseFileEnding(name)?.length ?? 0));
  return [...new Set([name, stem])].flatMap((base) => markerEndings.map((ending) => base + ending));
};

/**
 * The marker files that vouch for a file; names are bytes written as latin1, so that each byte is a character. One that is older than the file does not: it belongs to an
 * earlier file of that name, or the file is still being written.
 */
export const findMarkers = async (
  folder: string,
  names: ReadonlySet<string>,
  name: string,
  mtimeMs: number,
): Promise<FilePath[]> => {
  const found: FilePath[] = [];
  for (const marker of markersOf(name).filter((candidate) => names.has(candidate))) {
    const path = pathIn(folder, Buffer.from(marker, 'latin1'));
    const seen = await stat(path).catch(() => undefined);
    if (seen && seen.mtimeMs >= mtimeMs) found.push(path);
  }
  return found;
};

import { stat } from 'node:fs/promises';
import { purchaseFileEnding } from '../purchase-file-ending.ts';
import { type FilePath, pathIn } from './file-names.ts';

/** A file as last seen, and since when it has not changed (monotonic milliseconds). */
export interface FileSnapshot {
  size: number;
  mtimeMs: number;
  inode: number;
  sinceMs: number;
}

const markerEndings = ['.done', '.ok'];
const unfinishedEndings = ['.tmp', '.part', '.filepart', '.crdownload'];

/** The ending that marks a file as still being written, such as `.part`; undefined: none. */
export const unfinishedEnding = (name: string): string | undefined =>
  unfinishedEndings.find((ending) => name.toLowerCase().endsWith(ending));

/** Whether this is the name of a marker, which declares another file complete. */
export const isMarkerName = (name: string): boolean =>
  markerEndings.some((ending) => name.toLowerCase().endsWith(ending));

/** Names that uploaders, editors and Office use for unfinished files. They are never touched. */
export const isIgnoredName = (name: string): boolean =>
  name.startsWith('.') || name.startsWith('~$') || unfinishedEnding(name) !== undefined || isMarkerName(name);

/** The marker names that declare `name` complete: `x.csv.done`, `x.done`, and the same with `.ok`. */
export const markersOf = (name: string): string[] => {
  const stem = name.slice(0, name.length - (purchaseFileEnding(name)?.length ?? 0));
  return [...new Set([name, stem])].flatMap((base) => markerEndings.map((ending) => base + ending));
};

/** The markers in a folder that declare only this file complete, including those of an earlier file of its name. */
export const ownMarkers = (name: string, names: Iterable<string>): string[] => {
  const others = [...names].filter((other) => other !== name);
  const there = new Set(others);
  return markersOf(name).filter(
    (marker) => there.has(marker) && !others.some((other) => markersOf(other).includes(marker)),
  );
};

const rememberedNames = 1000;

/** Files taken without waiting for a marker. It may come later, and nothing else would remove it. */
export const createTakenNames = () => {
  const taken = new Set<string>();
  return {
    add: (name: string): void => {
      taken.delete(name);
      taken.add(name);
      for (const oldest of taken) {
        if (taken.size <= rememberedNames) break;
        taken.delete(oldest);
      }
    },
    /** The markers of taken files in a folder with these names. */
    lateMarkers: (names: ReadonlySet<string>): string[] =>
      [...taken].flatMap((name) => {
        // A new file has this name now, and the marker may be its own.
        if (names.has(name)) return [];
        return markersOf(name).some((marker) => names.has(marker)) ? ownMarkers(name, names) : [];
      }),
  };
};

/**
 * The marker files that declare a file complete. A marker older than the file does not count: it belongs to an earlier
 * file of that name, or the file is still being written. Names are bytes held as latin1 text.
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

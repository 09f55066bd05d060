import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { purchaseFileEnding } from './claim-folders.ts';

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
 * The marker files that vouch for a file. One that is older than the file does not: it belongs to an
 * earlier file of that name, or the file is still being written.
 */
export const findMarkers = async (
  folder: string,
  names: ReadonlySet<string>,
  name: string,
  mtimeMs: number,
): Promise<string[]> => {
  const found: string[] = [];
  for (const marker of markersOf(name).filter((candidate) => names.has(candidate))) {
    const path = join(folder, marker);
    const seen = await stat(path).catch(() => undefined);
    if (seen && seen.mtimeMs >= mtimeMs) found.push(path);
  }
  return found;
};

const zipBased = new Set(['.xlsx', '.xlsm', '.xlsb', '.ods']);
const endRecordSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const endRecordBytes = 22;
const longestComment = 0xffff;

/**
 * Whether a file ends as its kind must end. A workbook that is a zip has its central directory last, so
 * one cut short in an upload shows; other kinds have no such mark and count as complete.
 */
export const hasCompleteEnd = async (path: string, size: number): Promise<boolean> => {
  if (!zipBased.has(purchaseFileEnding(path) ?? '')) return true;
  const length = Math.min(size, endRecordBytes + longestComment);
  const handle = await open(path, 'r');
  try {
    const start = Buffer.alloc(Math.min(size, 2));
    await handle.read(start, 0, start.length, 0);
    // Not a zip at all (an old .xls renamed, a web page): intake will say so.
    if (start.toString('latin1') !== 'PK') return size > 0;
    const tail = Buffer.alloc(length);
    await handle.read(tail, 0, length, size - length);
    const at = tail.lastIndexOf(endRecordSignature);
    if (at < 0 || at + endRecordBytes > length) return false;
    const directoryEnd = tail.readUInt32LE(at + 12) + tail.readUInt32LE(at + 16);
    return directoryEnd <= size || tail.readUInt32LE(at + 16) === 0xffffffff;
  } finally {
    await handle.close();
  }
};

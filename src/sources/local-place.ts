import { createWriteStream } from 'node:fs';
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../errors.ts';
import { explainFileError, type FileAccess, fileAccess, makeFolder } from '../file-access.ts';
import { openRegular } from '../intake/inbox/open-regular.ts';
import { placeFile } from '../place-file.ts';
import { type FilePlace, joinPath, type PlaceEntry, PlaceError, splitPath } from './file-place.ts';

const reasons: Record<string, PlaceError['reason']> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  EEXIST: 'exists',
};

const placeError = (thrown: unknown): PlaceError =>
  thrown instanceof PlaceError
    ? thrown
    : new PlaceError(
        reasons[(thrown as NodeJS.ErrnoException).code ?? ''] ?? 'failed',
        `${explainFileError(thrown) ?? messageOf(thrown)}.`,
        { cause: thrown },
      );

const kindOf = (found: { isFile(): boolean; isDirectory(): boolean }): PlaceEntry['kind'] =>
  found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';

const isMissing = (thrown: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((thrown as NodeJS.ErrnoException).code ?? '');

/** A folder of this machine as a place; used for the account's folder, from which results and reports are delivered. */
export const createLocalPlace = (root: string, access: FileAccess = fileAccess.owner): FilePlace => {
  const at = (path: string) => join(root, path);

  const find = async (path: string): Promise<PlaceEntry | undefined> => {
    const found = await lstat(at(path)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    return (
      found && {
        name: splitPath(path).name,
        kind: kindOf(found),
        sizeBytes: found.size,
        modifiedMs: Math.trunc(found.mtimeMs),
      }
    );
  };

  /** Reserves the name first, because a rename replaces silently. */
  const move = async (from: string, to: string): Promise<boolean> => {
    if ((await find(from))?.kind !== 'file') return false;
    await makeFolder(at(splitPath(to).folder), access.folder);
    await (await open(at(to), 'wx', access.file)).close();
    try {
      await rename(at(from), at(to));
      return true;
    } catch (error) {
      await rm(at(to), { force: true });
      if (isMissing(error)) return false;
      throw error;
    }
  };

  const guarded =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      try {
        return await work(...args);
      } catch (error) {
        throw placeError(error);
      }
    };

  return {
    find: guarded(find),
    move: guarded(move),

    list: guarded(async (folder) => {
      const found = await Promise.all(
        (await readdir(at(folder))).map((name) => find(joinPath(folder, name))),
      );
      // Skip entries that were removed since the folder was read.
      return found.filter((entry) => entry !== undefined);
    }),

    read: guarded(async (path) => {
      const opened = await openRegular(at(path));
      if (opened.kind === 'other')
        throw new PlaceError('failed', `${at(path)} cannot be read, because it is ${opened.what}.`);
      return opened.handle.createReadStream();
    }),

    write: guarded(async (path: string, content: Readable) => {
      const { folder } = splitPath(path);
      await makeFolder(at(folder), access.folder);
      const isFolder = await stat(at(path)).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (isFolder) throw new PlaceError('exists', `${at(path)} is a folder.`);
      await placeFile(at(path), (temporary) => pipeline(content, createWriteStream(temporary)), access.file);
    }),

    remove: guarded((path) => rm(at(path), { force: true })),

    close: async () => {},
  };
};

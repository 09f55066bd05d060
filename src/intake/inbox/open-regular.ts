import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import type { FilePath } from './file-names.ts';

export type OpenedFile =
  | { kind: 'file'; handle: FileHandle }
  /** Not a regular file. `what` says what it is, for a message. */
  | { kind: 'other'; what: string };

const otherCodes = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EOPNOTSUPP']);

const whatIs = (stats: { isSymbolicLink(): boolean; isDirectory(): boolean }): string =>
  stats.isSymbolicLink() ? 'a symbolic link' : stats.isDirectory() ? 'a folder' : 'not a regular file';

/**
 * Opens a file for reading if it is a regular file. The check uses the open descriptor, so nobody can swap the file
 * between check and opening. Links are not followed, and a pipe without a writer does not block.
 * The caller closes the handle.
 *
 * @throws errors of the file system: ENOENT, EACCES …
 */
export const openRegular = async (path: FilePath): Promise<OpenedFile> => {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (!otherCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { kind: 'other', what: whatIs(await lstat(path)) };
  }
  const stats = await handle.stat().catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  if (stats.isFile()) return { kind: 'file', handle };
  await handle.close();
  return { kind: 'other', what: whatIs(stats) };
};

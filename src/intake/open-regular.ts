import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import type { FilePath } from './file-names.ts';

export type OpenedFile =
  | { kind: 'file'; handle: FileHandle }
  /** Nothing that can be read as a file; what it is, in words. */
  | { kind: 'other'; what: string };

const otherCodes = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EOPNOTSUPP']);

const whatIs = (stats: { isSymbolicLink(): boolean; isDirectory(): boolean }): string =>
  stats.isSymbolicLink() ? 'a symbolic link' : stats.isDirectory() ? 'a folder' : 'not a regular file';

/**
 * Opens a regular file for reading and nothing else. What is opened is judged by its descriptor, so that nobody can
 * swap it between a look and the opening; a link is not followed, and a pipe without a writer does not block.
 * The caller closes the handle.
 *
 * @throws what the file system throws: ENOENT, EACCES …
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

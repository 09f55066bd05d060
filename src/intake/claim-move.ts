import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { type FileAccess, fileAccess } from '../file-access.ts';
import { flushToDisk } from '../place-file.ts';
import { type FilePath, fitName } from './file-names.ts';

export const noteEnding = '.note.txt';
const noteBytes = Buffer.byteLength(noteEnding);
/** What follows the last dot of a longer name is no ending. */
const longestEnding = 20;

/** `orders.csv`, then `orders.7.csv`, then `orders.7-2.csv` …: the dealer's name, made unique; a note fits beside it. */
const candidateNames = function* (fileName: string, mark: string): Generator<string> {
  const found = extname(fileName);
  const ending = found.length <= longestEnding ? found : '';
  const stem = fileName.slice(0, fileName.length - ending.length);
  yield fitName(stem, ending, noteBytes);
  yield fitName(stem, `.${mark}${ending}`, noteBytes);
  for (let count = 2; ; count += 1) yield fitName(stem, `.${mark}-${count}${ending}`, noteBytes);
};

/** rename() replaces silently, so the name is reserved first; unlike link() this works on every file system. */
const reserve = async (target: string, isFolder: boolean): Promise<boolean> => {
  try {
    if (isFolder) await mkdir(target);
    else await (await open(target, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
};

/** What to tell a person when a rename would cross from one file system to another. */
const otherFileSystem = (from: FilePath, to: string, cause: unknown): UserError =>
  new UserError(
    'other_file_system',
    `${from.toString()} cannot be moved to ${to}: the two folders are on different file systems (mounts). Put inbox, working, done and failed on one of them: mount the account's whole folder instead of single folders in it, or set accounts.NAME.folder to a folder on the mount.`,
    { cause },
  );

/**
 * rename(), with a sentence where it cannot work. Copying instead would tear a file from whoever still writes it: only
 * a rename keeps both at the same file.
 *
 * @throws UserError `other_file_system`; what the file system throws
 */
export const renameFile = async (source: FilePath, target: string): Promise<void> => {
  try {
    await rename(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    throw otherFileSystem(source, dirname(target), error);
  }
};

/**
 * Moves a file into a folder of the same file system without ever replacing one that is there. Names that are too long
 * to be made unique are shortened.
 * @param mark what makes the name unique where it is taken
 * @param beforeMove hears the path that the file is about to have; when it throws, nothing is moved
 * @returns the path it has now
 * @throws ENOENT when somebody else has moved it; UserError `other_file_system`
 */
export const moveInto = async (
  source: FilePath,
  folder: string,
  fileName: string,
  mark: string,
  beforeMove?: (target: string) => Promise<void>,
): Promise<string> => {
  const isFolder = (await lstat(source)).isDirectory();
  for (const name of candidateNames(fileName, mark)) {
    const target = join(folder, name);
    if (!(await reserve(target, isFolder))) continue;
    try {
      await beforeMove?.(target);
      await renameFile(source, target);
    } catch (error) {
      await (isFolder ? rmdir(target) : unlink(target)).catch(() => {});
      throw error;
    }
    await flushToDisk(folder);
    return target;
  }
  throw new Error('unreachable: names never run out');
};

/** Writes a sentence for a person beside a file that was moved; replaces an earlier one. */
export const writeNote = async (
  path: string,
  note: string,
  access: FileAccess = fileAccess.owner,
): Promise<void> => {
  const target = join(dirname(path), `${basename(path)}${noteEnding}`);
  await writeFile(target, `${note}\n`, { mode: access.file });
  // Also where the process's umask takes away what the account allows, and where an earlier note is there.
  await chmod(target, access.file);
};

/** Takes a dealer's file away from readers that the account does not name; where it is another user's it stays as it is. */
export const restrictFile = async (
  file: { chmod(mode: number): Promise<void> },
  access: FileAccess,
): Promise<void> => {
  await file.chmod(access.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM' && error.code !== 'ENOTSUP') throw error;
  });
};

/**
 * Makes sure, before any file is taken, that files can be moved from the account's working folder to these others.
 * @throws UserError `other_file_system`; what the file system throws
 */
export const assertMovable = async (working: string, folders: readonly string[]): Promise<void> => {
  const probe = join(working, `.cartwright-probe-${randomUUID()}`);
  for (const folder of folders) {
    const target = join(folder, basename(probe));
    await (await open(probe, 'w')).close();
    try {
      await renameFile(probe, target);
    } finally {
      await rm(probe, { force: true });
      await rm(target, { force: true });
    }
  }
};

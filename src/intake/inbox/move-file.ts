import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { UserError } from '../../errors.ts';
import { type FileAccess, fileAccess } from '../../file-access.ts';
import { flushToDisk } from '../../place-file.ts';
import { type FilePath, fitName } from './file-names.ts';

export const noteEnding = '.note.txt';
const noteBytes = Buffer.byteLength(noteEnding);
/** Longer text after the last dot is not a file ending. */
const longestEnding = 20;

/** `orders.csv`, `orders.7.csv`, `orders.7-2.csv` …: the dealer's name, made unique, with room for the ending of a note. */
export const candidateNames = function* (fileName: string, suffix: string): Generator<string> {
  const found = extname(fileName);
  const ending = found.length <= longestEnding ? found : '';
  const stem = fileName.slice(0, fileName.length - ending.length);
  yield fitName(stem, ending, noteBytes);
  yield fitName(stem, `.${suffix}${ending}`, noteBytes);
  for (let count = 2; ; count += 1) yield fitName(stem, `.${suffix}-${count}${ending}`, noteBytes);
};

/** rename() replaces silently, so the name is reserved first. Unlike link(), this works on every file system. */
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

const otherFileSystem = (from: FilePath, to: string, cause: unknown): UserError =>
  new UserError(
    'other_file_system',
    `${from.toString()} cannot be moved to ${to}, because the two folders are on different file systems (mounts). Put inbox, working, done and failed on the same one: mount the account's whole folder instead of single folders in it, or set accounts.NAME.folder to a folder on the mount.`,
    { cause },
  );

/** Whether an error says that a file does not exist, for example because another process moved it first. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * rename() with an explanation when it crosses file systems. It never copies: a process that still writes the file follows a rename, but
 * after a copy would keep writing to the old file.
 *
 * @throws UserError `other_file_system`; errors of the file system
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
 * Moves a file into a folder of the same file system and never replaces an existing file. Shortens names that are too
 * long to be made unique.
 * @param suffix makes the name unique if it already exists
 * @param beforeMove receives the new path before the move; when it throws, nothing is moved
 * @returns the new path
 * @throws ENOENT when another process moved it first; UserError `other_file_system`
 */
export const moveInto = async (
  source: FilePath,
  folder: string,
  fileName: string,
  suffix: string,
  beforeMove?: (target: string) => Promise<void>,
): Promise<string> => {
  const isFolder = (await lstat(source)).isDirectory();
  for (const name of candidateNames(fileName, suffix)) {
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

/** Writes a note for a person next to a moved file; replaces an earlier note. */
export const writeNote = async (
  path: string,
  note: string,
  access: FileAccess = fileAccess.owner,
): Promise<void> => {
  const target = join(dirname(path), `${basename(path)}${noteEnding}`);
  await writeFile(target, `${note}\n`, { mode: access.file });
  // The umask may have removed permissions that the account grants, and an earlier note keeps its own.
  await chmod(target, access.file);
};

/** Removes read access that the account does not grant. A file of another user is left unchanged. */
export const restrictFile = async (
  file: { chmod(mode: number): Promise<void> },
  access: FileAccess,
): Promise<void> => {
  await file.chmod(access.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM' && error.code !== 'ENOTSUP') throw error;
  });
};

/**
 * Checks, before any file is claimed, that files can be moved from the account's working folder to the others.
 * @throws UserError `other_file_system`; errors of the file system
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

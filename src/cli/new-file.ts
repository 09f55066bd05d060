import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from '../errors.ts';

const fileExists = (path: string, why = ''): UserError =>
  new UserError(
    'file_exists',
    `${path} already exists${why}, so it was not overwritten. Choose another name with --out.`,
  );

const folderMissing = (path: string): UserError =>
  new UserError(
    'folder_missing',
    `${path} cannot be written, because its folder does not exist. Create the folder, or choose another one with --out.`,
  );

/** @throws UserError `file_exists`, `folder_missing` where --out names a file that cannot be a new one */
export const assertNewFile = (path: string): void => {
  if (existsSync(path)) throw fileExists(path);
  if (!existsSync(dirname(path))) throw folderMissing(path);
};

/**
 * Writes a file that --out names; never over another one.
 *
 * @param why why an existing file is not overwritten, as a part of a sentence
 * @throws UserError `file_exists`, `folder_missing`
 */
export const writeNewFile = async (path: string, content: Buffer | string, why = ''): Promise<void> => {
  try {
    await writeFile(path, content, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST' ? fileExists(path, why) : code === 'ENOENT' ? folderMissing(path) : error;
  }
};

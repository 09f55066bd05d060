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

/** @throws UserError `file_exists`, `folder_missing` if the file of --out cannot be created */
export const assertNewFile = (path: string): void => {
  if (existsSync(path)) throw fileExists(path);
  if (!existsSync(dirname(path))) throw folderMissing(path);
};

/**
 * Writes the file of --out; never overwrites one.
 *
 * @param why the reason not to overwrite an existing file, as part of a sentence
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

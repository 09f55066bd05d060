import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UserError } from '../errors.ts';

/**
 * Looks whether a named file can be read, before anything is opened or taken.
 * @throws UserError `file_missing`, `not_a_file`, `file_unreadable`
 */
export const assertReadable = async (file: string): Promise<void> => {
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new UserError('file_missing', `There is no file ${resolve(file)}.`);
  if (!found.isFile())
    throw new UserError('not_a_file', `${resolve(file)} is not a file. Name a purchase file.`);
  await access(file, constants.R_OK).catch((cause) => {
    throw new UserError('file_unreadable', `${resolve(file)} cannot be read: this user may not.`, { cause });
  });
};

import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../errors.ts';

/**
 * Looks whether a named file can be read, before anything is opened or taken.
 * @throws UserError `file_missing`, `not_a_file`, `file_unreadable`
 */
export const assertReadable = async (file: string): Promise<void> => {
  const path = resolve(file);
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new UserError('file_missing', `There is no file ${path}.`);
  if (!found.isFile()) throw new UserError('not_a_file', `${path} is not a file. Name a purchase file.`);
  try {
    const handle = await open(file, 'r');
    // Some file systems let a file be opened that cannot be read.
    await handle.read(Buffer.alloc(1), 0, 1, 0).finally(() => handle.close());
  } catch (cause) {
    const denied = (cause as NodeJS.ErrnoException).code === 'EACCES';
    throw new UserError(
      'file_unreadable',
      `${path} cannot be read: ${denied ? 'this user may not' : messageOf(cause)}.`,
      { cause },
    );
  }
};

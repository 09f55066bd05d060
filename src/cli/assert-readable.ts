import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { hasCompleteEnd } from '../intake/inbox/complete-end.ts';

/**
 * Checks that a file named on the command line can be read, before anything is opened or imported.
 * @throws UserError `file_missing`, `not_a_file`, `file_unreadable`
 */
export const assertReadable = async (file: string): Promise<void> => {
  const path = resolve(file);
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new UserError('file_missing', `The file ${path} does not exist.`);
  if (!found.isFile()) throw new UserError('not_a_file', `${path} is not a file. Name a purchase file.`);
  try {
    const handle = await open(file, 'r');
    // Some file systems open files that cannot be read.
    await handle.read(Buffer.alloc(1), 0, 1, 0).finally(() => handle.close());
  } catch (cause) {
    const denied = (cause as NodeJS.ErrnoException).code === 'EACCES';
    throw new UserError(
      'file_unreadable',
      `Cannot read ${path}: ${denied ? 'permission denied. Give this user read access to it' : messageOf(cause)}.`,
      { cause },
    );
  }
};

/**
 * Refuses a file that another program may still be writing: one without a proper end that was changed within
 * `incompleteMs`. In the inbox such a file waits; a command would order the part that is there.
 * @throws UserError `file_incomplete`
 */
export const assertComplete = async (file: string, incompleteMs: number): Promise<void> => {
  const handle = await open(file, 'r');
  try {
    const { mtimeMs } = await handle.stat();
    if (Date.now() - mtimeMs > incompleteMs || (await hasCompleteEnd(handle))) return;
  } finally {
    await handle.close();
  }
  throw new UserError(
    'file_incomplete',
    `${resolve(file)} looks incomplete (a text file must end with a line break, a workbook with its directory) and was changed moments ago, so another program may still be writing it. Run the command again once the file is complete, or add --complete if it already is.`,
  );
};

import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { hasCompleteEnd } from '../intake/complete-end.ts';

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

/**
 * Refuses a file that may still be being written: one that does not end as its kind must, and that was changed within
 * `incompleteMs`. In the inbox such a file waits; a command would order what is there of it.
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
    `${resolve(file)} does not end as its kind must (text with a line end, a workbook with its directory) and was changed moments ago, so it may still be being written. Run the command again once it is complete, or add --complete if it is.`,
  );
};

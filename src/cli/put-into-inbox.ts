import { cp, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../file-access.ts';

/** Copies a file into the inbox of an account's folder atomically (by rename), with the marker that lets it be picked up at once. */
export const putIntoInbox = async (path: string, folder: string): Promise<void> => {
  const inbox = join(folder, 'inbox');
  const name = basename(path);
  await makeFolder(inbox);
  await cp(path, join(inbox, `${name}.part`));
  await rename(join(inbox, `${name}.part`), join(inbox, name));
  await writeFile(join(inbox, `${name}.done`), '');
};

import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileAccess, fileAccess, makeFolder } from '../../file-access.ts';

/** Files are moved between these by renaming. */
export const renamedBetween = ['inbox', 'working', 'done', 'quotes', 'failed'];

/** The folders below an account's folder. `files` holds the private copies; the others are for the dealer. */
export const accountFolders = [...renamedBetween, 'results', 'reports', 'files'];

/**
 * Creates the account's missing folders. Existing folders keep their permissions. Idempotent.
 * @param access who may use the created folders; by default only the owner
 */
export const makeAccountFolders = async (
  root: string,
  access: FileAccess = fileAccess.owner,
): Promise<void> => {
  const make = async (path: string, mode: number): Promise<void> => {
    // The umask may have removed permissions that the account grants.
    if (await makeFolder(path, mode)) await chmod(path, mode);
  };
  // Every sweep calls this for each account, and usually all folders exist. If listing fails, creating them reports why.
  const there = await readdir(root, { withFileTypes: true }).catch(() => undefined);
  if (there === undefined) await make(root, access.folder);
  const folders = new Set((there ?? []).flatMap((one) => (one.isDirectory() ? [one.name] : [])));
  for (const folder of accountFolders) {
    if (folders.has(folder)) continue;
    await make(join(root, folder), folder === 'inbox' ? access.inbox : access.folder);
  }
};

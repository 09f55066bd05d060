import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushToDisk } from '../place-file.ts';
import type { ImportRegister } from './claim-register.ts';

/** The position is the name of the empty file in it; of several, left by processes at the same moment, the highest. */
const folderOf = (root: string) => join(root, '.position');

const readNames = async (root: string): Promise<number[]> => {
  const names = await readdir(folderOf(root)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  return names.filter((name) => /^\d{1,15}$/.test(name)).map(Number);
};

export interface FolderPosition {
  /** Whether files of done/ are to be imported again: the ledger is older than the folder, or was when it was last asked. */
  restoreDue(): Promise<boolean>;
  /** To be called before a file is put into done/: the ledger and the folder remember that one more is there. */
  advance(): Promise<void>;
}

/**
 * Counts the files put into an account's done/, in the ledger and in the folder. The ledger counts first, so the folder
 * is ahead only where the ledger was replaced by an older one, which then knows nothing of the files in between.
 */
export const createFolderPosition = (
  root: string,
  account: string,
  register: Pick<ImportRegister, 'compareFolder' | 'advanceFolder'>,
): FolderPosition => {
  const read = async () => Math.max(0, ...(await readNames(root)));
  return {
    restoreDue: async () => register.compareFolder(account, await read()),

    async advance() {
      const position = await register.advanceFolder(account, await read());
      const folder = folderOf(root);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(join(folder, String(position)), 'w', 0o600);
      await handle.close();
      await flushToDisk(folder);
      for (const lower of await readNames(root)) {
        if (lower < position) await rm(join(folder, String(lower)), { force: true });
      }
    },
  };
};

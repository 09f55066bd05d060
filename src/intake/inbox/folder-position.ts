import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../file-access.ts';
import { flushToDisk } from '../../place-file.ts';
import type { ImportRegister } from './import-register.ts';
import { isMissing } from './move-file.ts';

/** The position is the name of an empty file in this folder. If concurrent processes leave several, the highest counts. */
const positionFolder = (root: string) => join(root, '.position');

const readPositions = async (root: string): Promise<number[]> => {
  const names = await readdir(positionFolder(root)).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return [];
  });
  return names.filter((name) => /^\d{1,15}$/.test(name)).map(Number);
};

/**
 * Counts the files moved into an account's done/, in the ledger and in the folder. The ledger counts first, so the folder
 * can be ahead only when the ledger was replaced by an older one, which does not know the files in between.
 */
export const createFolderPosition = (
  root: string,
  account: string,
  register: Pick<ImportRegister, 'compareFolder' | 'advanceFolder'>,
) => {
  const read = async () => Math.max(0, ...(await readPositions(root)));
  /** The ledger's position at the last check in which the folder was not ahead. While it is unchanged, the folder cannot be ahead. */
  let notAheadAt: number | undefined;
  return {
    /**
     * Whether the ledger is older than the folder, or was at an earlier call, so that files in done/ must be imported again.
     *
     * @param ledgerAt the ledger's position, if already read. It only grows while the folder is not ahead.
     */
    async restoreDue(ledgerAt?: number): Promise<boolean> {
      if (ledgerAt !== undefined && ledgerAt === notAheadAt) return false;
      const at = await read();
      if (ledgerAt === undefined || at > ledgerAt) return register.compareFolder(account, at);
      notAheadAt = ledgerAt;
      return false;
    },

    /** Must be called before a file is moved into done/. Counts the file in the ledger and in the folder. */
    async advance(): Promise<void> {
      const position = await register.advanceFolder(account, await read());
      const folder = positionFolder(root);
      await makeFolder(folder, 0o700);
      const handle = await open(join(folder, String(position)), 'w', 0o600);
      await handle.close();
      await flushToDisk(folder);
      for (const lower of await readPositions(root)) {
        if (lower < position) await rm(join(folder, String(lower)), { force: true });
      }
    },
  };
};

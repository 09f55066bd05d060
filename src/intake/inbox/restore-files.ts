import { join } from 'node:path';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { purchaseFileEnding } from '../purchase-file-ending.ts';
import { type FilePath, pathIn, readableName, readNames } from './file-names.ts';
import type { createFolderPosition } from './folder-position.ts';
import type { ImportRegister, RegisteredImport } from './import-register.ts';
import { isMissing, noteEnding } from './move-file.ts';
import { openRegular } from './open-regular.ts';
import { isIgnoredName } from './ready-files.ts';
import { sha256Of } from './watch-originals.ts';

/**
 * If the ledger is older than the folder (restored from a backup, or lost), imports the files in done/ whose bytes it does not know.
 * Otherwise reads no file. Unreadable files are logged and retried by the next call.
 * @returns a function that takes the ledger's position of the folder, if already read, and resolves to the new imports
 */
export const createRestore = (deps: {
  root: string;
  accountName: string;
  register: ImportRegister;
  position: ReturnType<typeof createFolderPosition>;
  /** Claims a file in done/ as a new import. */
  claim(path: FilePath): Promise<RegisteredImport | undefined>;
  log: Logger;
}): ((ledgerAt?: number) => Promise<RegisteredImport[]>) => {
  const { root, accountName, register, position, claim, log } = deps;
  const done = join(root, 'done');
  /** Files that the ledger knows, so that one unreadable file does not make every call read all the others again. */
  const known = new Set<string>();

  const isKnown = async (path: FilePath): Promise<boolean> => {
    const opened = await openRegular(path);
    if (opened.kind === 'other') return true;
    const { handle } = opened;
    try {
      const { size, mtimeMs, ino } = await handle.stat();
      const key = `${ino}/${size}/${mtimeMs}`;
      // An empty file is a name reserved for a move that a crash prevented.
      if (size === 0 || known.has(key)) return true;
      if (!(await register.knowsBytes(accountName, await sha256Of(handle)))) return false;
      known.add(key);
      return true;
    } finally {
      await handle.close();
    }
  };

  return async (ledgerAt) => {
    if (!(await position.restoreDue(ledgerAt))) return [];
    log.warn(
      {},
      'the ledger is older than the account folder; importing the files in done that it does not know',
    );
    const imports: RegisteredImport[] = [];
    let unread = 0;
    const names = await readNames(done).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return [];
    });
    for (const bytes of names) {
      const name = readableName(bytes);
      if (isIgnoredName(name) || name.endsWith(noteEnding) || purchaseFileEnding(name) === undefined)
        continue;
      try {
        const path = pathIn(done, bytes);
        if (await isKnown(path)) continue;
        const registered = await claim(path);
        if (!registered) continue;
        log.warn({ importId: registered.importId, file: name }, 'imported a file in done again');
        imports.push(registered);
      } catch (error) {
        unread += 1;
        log.error({ file: name, err: error }, `cannot read a file in done: ${messageOf(error)}`);
      }
    }
    if (unread === 0) await register.finishRestore(accountName);
    return imports;
  };
};

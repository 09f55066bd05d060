import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { sha256Of } from './claim-copy.ts';
import { purchaseFileEnding } from './claim-folders.ts';
import { noteEnding } from './claim-move.ts';
import type { ImportRegister, RegisteredImport } from './claim-register.ts';
import { isLeftAlone } from './drop-folder-ready.ts';
import { type FilePath, pathIn, readableName, readNames } from './file-names.ts';
import type { FolderPosition } from './folder-position.ts';
import { openRegular } from './open-regular.ts';

/**
 * Imports the files of done/ again that the ledger does not know, where it is older than the folder; otherwise does
 * nothing, and reads none of them. Files that cannot be read are logged and tried again by the next call.
 * @returns the new imports
 */
export const createRestore = (deps: {
  root: string;
  accountName: string;
  register: ImportRegister;
  position: FolderPosition;
  /** Takes a file of done/ as a new import. */
  claim(path: FilePath): Promise<RegisteredImport | undefined>;
  log: Logger;
}): (() => Promise<RegisteredImport[]>) => {
  const { root, accountName, register, position, claim, log } = deps;
  const done = join(root, 'done');
  /** Files that were found to be known, so that a file that cannot be read does not make each call read all others. */
  const known = new Set<string>();

  const isKnown = async (path: FilePath): Promise<boolean> => {
    const opened = await openRegular(path);
    if (opened.kind === 'other') return true;
    const { handle } = opened;
    try {
      const { size, mtimeMs, ino } = await handle.stat();
      const key = `${ino}/${size}/${mtimeMs}`;
      // An empty file is a name reserved by a move that a crash cut short.
      if (size === 0 || known.has(key)) return true;
      if (!(await register.knowsBytes(accountName, await sha256Of(handle)))) return false;
      known.add(key);
      return true;
    } finally {
      await handle.close();
    }
  };

  return async () => {
    if (!(await position.restoreDue())) return [];
    log.warn(
      {},
      'the ledger is older than the folder: files in done that it does not know are imported again',
    );
    const imports: RegisteredImport[] = [];
    let unread = 0;
    const names = await readNames(done).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return [];
    });
    for (const bytes of names) {
      const name = readableName(bytes);
      if (isLeftAlone(name) || name.endsWith(noteEnding) || purchaseFileEnding(name) === undefined) continue;
      try {
        const path = pathIn(done, bytes);
        if (await isKnown(path)) continue;
        const registered = await claim(path);
        if (!registered) continue;
        log.warn({ importId: registered.importId, file: name }, 'a file in done is imported again');
        imports.push(registered);
      } catch (error) {
        unread += 1;
        log.error({ file: name, err: error }, `a file in done cannot be read: ${messageOf(error)}`);
      }
    }
    if (unread === 0) await register.finishRestore(accountName);
    return imports;
  };
};

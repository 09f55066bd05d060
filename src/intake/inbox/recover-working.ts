import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClaimFolders } from './claim-folder.ts';
import { type FileProblem, fileProblemOf } from './file-problems.ts';
import type { RegisteredImport } from './import-register.ts';
import { isMissing } from './move-file.ts';

/** A claim folder without a file that has not changed for this long was left by a killed process. */
const abandonedMs = 60 * 60 * 1000;

/**
 * Finishes the claims that an earlier process left in working/, registered or not. Archives the files of imports that
 * were read or refused in the meantime. Idempotent, and safe while other claims are in progress.
 * @param options.minAgeMs skips younger claims, which another process may still be processing (default 0)
 * @param options.onProblem called with each file that could not be recovered; the others are still processed
 * @returns the imports that are still to be read
 */
export const createRecovery = (deps: {
  root: string;
  folders: ClaimFolders;
  finish(claimId: string, fileName: string): Promise<RegisteredImport | undefined>;
  archive(
    registered: RegisteredImport,
    folder: 'done' | 'failed',
    note: string | undefined,
  ): Promise<unknown>;
}) => {
  const { root, folders, finish, archive } = deps;
  const { findOriginal, clear } = folders;
  const working = join(root, 'working');

  return async ({
    minAgeMs = 0,
    onProblem = () => {},
  }: {
    minAgeMs?: number;
    onProblem?: (problem: FileProblem) => void;
  } = {}): Promise<RegisteredImport[]> => {
    const waiting: RegisteredImport[] = [];
    for (const claimId of await readdir(working)) {
      const found = await stat(join(working, claimId)).catch(() => undefined);
      // A folder changed within this millisecond, or before a clock was set back, may have a future time.
      if (!found?.isDirectory() || Math.abs(Date.now() - found.mtimeMs) < minAgeMs) continue;
      let shown = `working/${claimId}`;
      try {
        const name = await findOriginal(claimId);
        shown = name ?? shown;
        if (name === undefined) {
          // Another process may be copying into it right now.
          if (Date.now() - found.mtimeMs > abandonedMs) await clear(claimId);
          continue;
        }
        const registered = await finish(claimId, name);
        if (registered === undefined) continue;
        if (registered.state === 'taken') waiting.push(registered);
        else if (registered.state !== 'waiting') {
          await archive(
            registered,
            registered.state === 'refused' ? 'failed' : 'done',
            registered.reasonText,
          );
        }
      } catch (error) {
        // Another process recovered or archived it in the meantime.
        if (isMissing(error) && (await findOriginal(claimId)) === undefined) continue;
        onProblem(fileProblemOf(shown, root, error));
      }
    }
    return waiting;
  };
};

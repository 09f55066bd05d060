import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileAccess } from '../file-access.ts';
import type { Logger } from '../logger.ts';
import { makePrivateCopy, type PrivateCopy } from './claim-copy.ts';
import { privateCopyPath } from './claim-folders.ts';
import { type ClaimKind, claimKindOf } from './claim-id.ts';
import { moveInto, restrictFile, writeNote } from './claim-move.ts';
import { openRegular } from './open-regular.ts';

/** The folders working/ID/ of an account's claims. */
export interface ClaimWorking {
  originalsOf(claimId: string): string;
  /** The name of a claim's file; undefined when there is none (any more). */
  findOriginal(claimId: string): Promise<string | undefined>;
  /** Removes a claim's folder when nothing of the dealer's is left in it. */
  clear(claimId: string): Promise<void>;
  /** The claim's name says it; a claim of an earlier version is a quote by a marker. */
  kindOf(claimId: string): Promise<ClaimKind>;
  /**
   * Makes the private copy of a claim's file from the descriptor by which it was judged. What is no file goes to failed/
   * with a note; then the answer is undefined.
   */
  copyOriginal(claimId: string, fileName: string): Promise<PrivateCopy | undefined>;
  /** Moves a file that could not be copied (the disk is full) back to where it was; a copied one stays claimed. */
  putBack(claimId: string, fileName: string, folder: string): Promise<void>;
}

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** @see ClaimWorking */
export const createClaimWorking = (deps: {
  root: string;
  settleMs: number;
  access: FileAccess;
  logger: Logger;
}): ClaimWorking => {
  const { root, settleMs, access, logger } = deps;
  const working = join(root, 'working');
  const originalsOf = (claimId: string) => join(working, claimId, 'original');

  const clear = async (claimId: string): Promise<void> => {
    const ignore = (error: NodeJS.ErrnoException) => {
      if (!isMissing(error) && error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    };
    await rmdir(originalsOf(claimId)).catch(ignore);
    for (const name of ['partial', 'quote-only']) await rm(join(working, claimId, name), { force: true });
    await rmdir(join(working, claimId)).catch(ignore);
  };

  const setAside = async (claimId: string, name: string, what: string): Promise<void> => {
    const target = await moveInto(join(originalsOf(claimId), name), join(root, 'failed'), name, claimId);
    await writeNote(target, `${name} is ${what}. Nothing was read. Put the file itself into inbox.`, access);
    await clear(claimId);
    logger.warn({ file: name, reason: what }, 'not a regular file; moved to failed');
  };

  return {
    originalsOf,
    clear,

    async findOriginal(claimId) {
      try {
        return (await readdir(originalsOf(claimId)))[0];
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async kindOf(claimId) {
      const kind = claimKindOf(claimId);
      if (kind !== 'order') return kind;
      try {
        await stat(join(working, claimId, 'quote-only'));
        return 'quote';
      } catch (error) {
        if (isMissing(error)) return 'order';
        throw error;
      }
    },

    async copyOriginal(claimId, fileName) {
      const opened = await openRegular(join(originalsOf(claimId), fileName));
      if (opened.kind === 'other') {
        await setAside(claimId, fileName, opened.what);
        return undefined;
      }
      try {
        const target = join(root, privateCopyPath(claimId, fileName));
        await restrictFile(opened.handle, access);
        return await makePrivateCopy(opened.handle, fileName, target, settleMs, access.file);
      } finally {
        await opened.handle.close();
      }
    },

    async putBack(claimId, fileName, folder) {
      const copied = await stat(join(root, privateCopyPath(claimId, fileName))).catch(() => undefined);
      if (copied) return;
      await moveInto(join(originalsOf(claimId), fileName), folder, fileName, claimId);
      await clear(claimId);
    },
  };
};

import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileAccess } from '../../file-access.ts';
import type { Logger } from '../../logger.ts';
import { type ClaimKind, claimKindOf, privateCopyPath } from './claim-id.ts';
import { isMissing, moveInto, restrictFile, writeNote } from './move-file.ts';
import { openRegular } from './open-regular.ts';
import { makePrivateCopy, type PrivateCopy } from './private-copy.ts';

/** The folders working/ID/ of an account's claims. */
export const createClaimFolders = (deps: {
  root: string;
  settleMs: number;
  access: FileAccess;
  logger: Logger;
}) => {
  const { root, settleMs, access, logger } = deps;
  const working = join(root, 'working');
  const originalsOf = (claimId: string) => join(working, claimId, 'original');

  /** Removes a claim's folder unless it still holds a file of the dealer. */
  const clear = async (claimId: string): Promise<void> => {
    const ignore = (error: NodeJS.ErrnoException) => {
      if (!isMissing(error) && error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    };
    await rmdir(originalsOf(claimId)).catch(ignore);
    const names = await readdir(join(working, claimId)).catch((error) => {
      ignore(error);
      return [];
    });
    // Earlier versions wrote `partial` and `quote-only`.
    for (const name of names.filter((one) => one === 'quote-only' || one.startsWith('partial')))
      await rm(join(working, claimId, name), { force: true });
    await rmdir(join(working, claimId)).catch(ignore);
  };

  const setAside = async (claimId: string, name: string, what: string): Promise<void> => {
    const target = await moveInto(join(originalsOf(claimId), name), join(root, 'failed'), name, claimId);
    await writeNote(
      target,
      `${name} was not read, because it is ${what}. Copy the file itself into inbox.`,
      access,
    );
    await clear(claimId);
    logger.warn({ file: name, reason: what }, 'not a regular file; moved to failed');
  };

  return {
    originalsOf,
    clear,

    /** The name of a claim's file; undefined if the claim has none (any more). */
    async findOriginal(claimId: string): Promise<string | undefined> {
      try {
        return (await readdir(originalsOf(claimId)))[0];
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    /** The kind of a claim, by its id; for claims of earlier versions, by the marker `quote-only`. */
    async kindOf(claimId: string): Promise<ClaimKind> {
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

    /**
     * Makes the private copy of a claim's file, from the same descriptor that was checked to be a regular file. Anything
     * else is moved to failed/ with a note, and the result is undefined.
     */
    async copyOriginal(claimId: string, fileName: string): Promise<PrivateCopy | undefined> {
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

    /** Moves a file that could not be copied (disk full) back to its folder. A file that was copied stays claimed. */
    async putBack(claimId: string, fileName: string, folder: string): Promise<void> {
      const copied = await stat(join(root, privateCopyPath(claimId, fileName))).catch(() => undefined);
      if (copied) return;
      await moveInto(join(originalsOf(claimId), fileName), folder, fileName, claimId);
      await clear(claimId);
    },
  };
};

export type ClaimFolders = ReturnType<typeof createClaimFolders>;

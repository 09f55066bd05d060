import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../errors.ts';
import { type FileAccess, makeFolder } from '../../file-access.ts';
import { flushToDisk } from '../../place-file.ts';
import type { ClaimFolders } from './claim-folder.ts';
import { privateCopyPath } from './claim-id.ts';
import type { ImportRegister, RegisteredImport } from './import-register.ts';

/** A claim whose id was chosen before it had a file. */
type ChosenClaim = { claimId: string; fileName: string };

/** Claims of files that this process writes: copied, or fetched from a server. */
export const createWrittenClaims = ({
  working,
  accountName,
  register,
  folders: { originalsOf, findOriginal, clear },
  access,
  prepare,
  finish,
}: {
  working: string;
  accountName: string;
  register: ImportRegister;
  folders: ClaimFolders;
  access: FileAccess;
  prepare(): Promise<void>;
  /** Registers the import of a file that is in its claim. */
  finish(claimId: string, fileName: string): Promise<RegisteredImport | undefined>;
}) => {
  /** The import of a claim, registered before or now from its file; undefined: it has neither. */
  const findClaimed = async ({ claimId, fileName }: ChosenClaim): Promise<RegisteredImport | undefined> => {
    const filePath = privateCopyPath(claimId, fileName);
    const known = await register.find({ account: accountName, filePath });
    if (known) return known;
    const placed = await findOriginal(claimId);
    return placed === undefined ? undefined : finish(claimId, placed);
  };

  return {
    findClaimed,

    /**
     * Claims a new file written by `write`. Idempotent by the claim's id: if it already has its file, nothing is written. If `write`
     * throws, nothing was claimed.
     */
    async claimWritten(
      { claimId, fileName }: ChosenClaim,
      write: (path: string) => Promise<void>,
    ): Promise<RegisteredImport> {
      await prepare();
      const claimed = await findClaimed({ claimId, fileName });
      if (claimed) return claimed;
      // A suspended process may still write into its own partial folder.
      const partial = join(working, claimId, `partial-${randomUUID()}`);
      try {
        await makeFolder(originalsOf(claimId), access.folder);
        await write(partial);
        await flushToDisk(partial);
        await rename(partial, join(originalsOf(claimId), fileName));
      } catch (error) {
        await clear(claimId).catch(() => {});
        throw error;
      }
      const registered = await finish(claimId, fileName);
      if (!registered) throw new UserError('not_a_file', `${fileName} is not a file.`);
      return registered;
    },
  };
};

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

/** Claims of files that are written here: copied, or fetched from a server. */
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
  /** The import of a claim, whether it was registered before or has only its file; undefined: it has neither. */
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
     * Claims what `write` puts into a new file. Idempotent by the id of the claim: where it has its file already, nothing is written.
     * When `write` throws, nothing was claimed.
     */
    async claimWritten(
      { claimId, fileName }: ChosenClaim,
      write: (path: string) => Promise<void>,
    ): Promise<RegisteredImport> {
      await prepare();
      const claimed = await findClaimed({ claimId, fileName });
      if (claimed) return claimed;
      // A process that was suspended may still write into one of its own.
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

import { copyFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UserError } from '../../errors.ts';
import { type FileAccess, fileAccess, makeFolder } from '../../file-access.ts';
import type { Logger } from '../../logger.ts';
import { flushToDisk } from '../../place-file.ts';
import { makeAccountFolders } from './account-folders.ts';
import { createClaimFolders } from './claim-folder.ts';
import { type ClaimKind, claimIdOf, newClaimId, privateCopyPath } from './claim-id.ts';
import { type FilePath, folderOf, readableBasename } from './file-names.ts';
import { createFolderPosition } from './folder-position.ts';
import type { ImportRegister, RegisteredImport } from './import-register.ts';
import { assertMovable, isMissing, moveInto, renameFile, writeNote } from './move-file.ts';
import { canReadCopy } from './private-copy.ts';
import { createRecovery } from './recover-working.ts';
import { createRestore } from './restore-files.ts';
import { createOriginalWatch } from './watch-originals.ts';
import { createWrittenClaims } from './written-claims.ts';

export interface ClaimsOptions {
  /** The account's folder. */
  root: string;
  accountName: string;
  register: ImportRegister;
  /** How long to wait before retrying the copy of a file that changed meanwhile. */
  settleMs: number;
  /** Who may read the account's files; default: only the owner. */
  access?: FileAccess;
  logger: Logger;
}

type ClaimOptions = {
  fileName?: string;
  quoteOnly?: boolean;
  /** The id of the claim, if already recorded; it then determines the kind. */
  claimId?: string;
};

export type Claim =
  /** Claimed by this process. `registered.state` is `taken` (to be read) or `repeated` (same bytes as before; already archived). */
  | { kind: 'claimed'; registered: RegisteredImport }
  /** Another process claimed the file first, or it was removed. */
  | { kind: 'gone' }
  /** A link, a pipe or a folder. It was moved to failed/, with a note. */
  | { kind: 'not_a_file' };

/**
 * Claims the purchase files of one account. A claim is a folder working/ID/original/ with the dealer's file, and a private copy
 * files/ID.ending. Every step can be repeated after a crash, because registering the same private copy twice returns the same import.
 */
export const createClaims = (options: ClaimsOptions) => {
  const { root, accountName, register, settleMs, access = fileAccess.owner, logger } = options;
  const log = logger.child({ account: accountName });
  const working = join(root, 'working');
  const watch = createOriginalWatch({ root, accountName, register: register.watched, access, logger });
  const position = createFolderPosition(root, accountName, register);
  const folders = createClaimFolders({ root, settleMs, access, logger: log });
  const { originalsOf, findOriginal, clear, kindOf } = folders;

  /** Registers the import of a file that was renamed into working/. Idempotent. Undefined when it is not a regular file. */
  const finish = async (claimId: string, fileName: string): Promise<RegisteredImport | undefined> => {
    const filePath = privateCopyPath(claimId, fileName);
    const known = await register.find({ account: accountName, filePath });
    if (known) return known;
    const copy = await folders.copyOriginal(claimId, fileName);
    if (!copy) return undefined;
    const kind = await kindOf(claimId);
    const file = { account: accountName, fileName, filePath, ...copy };
    const registered = await register.register(
      { ...file, quoteOnly: kind === 'quote', restored: kind === 'restored' },
      (path) => canReadCopy(join(root, path)),
    );
    log.info(
      { importId: registered.importId, file: fileName, state: registered.state },
      'purchase file claimed',
    );
    if (registered.state === 'repeated') await archiveClaim(registered, 'done', registered.reasonText);
    return registered;
  };

  const archiveClaim = async (
    registered: RegisteredImport,
    folder: 'done' | 'failed',
    note: string | undefined,
  ): Promise<string | undefined> => {
    const claimId = claimIdOf(registered.filePath);
    const name = await findOriginal(claimId);
    if (name === undefined) {
      await clear(claimId);
      return undefined;
    }
    const source = join(originalsOf(claimId), name);
    try {
      const growth = await watch.compare(registered.importId, source);
      const usual = folder === 'done' && registered.quoteOnly ? 'quotes' : folder;
      const archive = growth === undefined ? usual : 'failed';
      if (archive === 'done') await position.advance();
      const target = await moveInto(source, join(root, archive), name, registered.importId, (to) =>
        watch.recordPath(registered.importId, to),
      );
      const text = growth ?? note;
      if (text) await writeNote(target, text, access);
      await clear(claimId);
      return target;
    } catch (error) {
      // Another process is archiving it.
      if (isMissing(error) && (await findOriginal(claimId)) === undefined) return undefined;
      throw error;
    }
  };

  let prepared: Promise<void> | undefined;
  /** Checks before the first claim that files can be archived. */
  const prepare = async (): Promise<void> => {
    await makeAccountFolders(root, access);
    prepared ??= assertMovable(
      working,
      ['done', 'quotes', 'failed'].map((folder) => join(root, folder)),
    ).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
  };

  const claimFile = async (path: FilePath, kind: ClaimKind): Promise<Claim> => {
    await prepare();
    const claimId = newClaimId(kind);
    const fileName = readableBasename(path);
    try {
      await makeFolder(originalsOf(claimId), access.folder);
      await renameFile(path, join(originalsOf(claimId), fileName));
    } catch (error) {
      await clear(claimId).catch(() => {});
      if (isMissing(error)) return { kind: 'gone' };
      throw error;
    }
    await flushToDisk(originalsOf(claimId));
    try {
      const registered = await finish(claimId, fileName);
      return registered ? { kind: 'claimed', registered } : { kind: 'not_a_file' };
    } catch (error) {
      await folders.putBack(claimId, fileName, folderOf(path)).catch(() => {});
      throw error;
    }
  };

  const written = createWrittenClaims({
    ...{ working, accountName, register, folders, access, prepare },
    finish,
  });

  /** Claims a copy and leaves the user's file in place. Throws UserError `file_missing`, `not_a_file`. */
  const claimCopy = async (path: string, options: ClaimOptions = {}): Promise<RegisteredImport> => {
    const found = await stat(path).catch((error) => {
      if (!isMissing(error)) throw error;
      throw new UserError('file_missing', `There is no file ${path}.`);
    });
    if (!found.isFile())
      throw new UserError('not_a_file', `${path} is not a file. Give the path of a purchase file.`);
    const claimId = options.claimId ?? newClaimId(options.quoteOnly ? 'quote' : 'order');
    const fileName = basename(options.fileName ?? path);
    return written.claimWritten({ claimId, fileName }, (partial) => copyFile(path, partial));
  };

  const importUnknownFiles = createRestore({
    root,
    accountName,
    register,
    position,
    claim: async (path) => {
      const claim = await claimFile(path, 'restored');
      return claim.kind === 'claimed' ? claim.registered : undefined;
    },
    log,
  });

  return {
    /**
     * Claims a file in inbox/: renames it into working/, makes the private copy and registers the import. If it throws (no space, no
     * permission, ledger down), the file is still in inbox/, or in working/ where `recoverWorking` finds it.
     */
    claim: (path: FilePath) => claimFile(path, 'order'),
    claimCopy,
    ...written,
    importUnknownFiles,
    checkOriginals: watch.check,
    recordGrowth: register.watched.recordGrowth,
    recoverWorking: createRecovery({ root, folders, finish, archive: archiveClaim }),

    /**
     * Moves the dealer's file to done/ or failed/ under its own name; a quote's file to quotes/ instead of done/. Idempotent. A file that
     * changed after it was copied goes to failed/, and its unsubmitted POs are held.
     * @param note a sentence for a person, written next to the file as `NAME.note.txt`
     * @returns its new path; undefined when it was archived before
     */
    async archive(importId: string, folder: 'done' | 'failed', note?: string): Promise<string | undefined> {
      const registered = await register.find({ importId });
      return registered && (await archiveClaim(registered, folder, note));
    },
  };
};

export type Claims = ReturnType<typeof createClaims>;

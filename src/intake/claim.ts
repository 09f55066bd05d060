import { copyFile, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UserError } from '../errors.ts';
import { type FileAccess, fileAccess } from '../file-access.ts';
import type { Logger } from '../logger.ts';
import { flushToDisk } from '../place-file.ts';
import { canReadCopy } from './claim-copy.ts';
import { claimIdOf, makeAccountFolders, privateCopyPath } from './claim-folders.ts';
import { type ClaimKind, newClaimId } from './claim-id.ts';
import { assertMovable, moveInto, renameFile, writeNote } from './claim-move.ts';
import type { ImportRegister, RegisteredImport } from './claim-register.ts';
import { createRestore } from './claim-restore.ts';
import { createClaimWorking, isMissing } from './claim-working.ts';
import { type FilePath, folderOf, readableBasename } from './file-names.ts';
import { type FileTrouble, troubleOf } from './file-troubles.ts';
import { createFolderPosition } from './folder-position.ts';
import { createOriginalWatch, type OriginalWatch } from './watch-originals.ts';

export interface ClaimsOptions {
  /** The account's folder. */
  root: string;
  accountName: string;
  register: ImportRegister;
  /** How long to wait before a file that changed while it was copied is copied again. */
  settleMs: number;
  /** Who may read its files; the owner alone unless told. */
  access?: FileAccess;
  logger: Logger;
}

interface ClaimOptions {
  quoteOnly?: boolean;
}

export type Claim =
  /** Ours; `registered.state` says whether it is to be read or was a repetition (archived already). */
  | { kind: 'claimed'; registered: RegisteredImport }
  /** Another watcher was faster, or the file was taken away. */
  | { kind: 'gone' }
  /** Nothing that can be read as a file: a link, a pipe, a folder. It is in failed/, with a note. */
  | { kind: 'not_a_file' };

export interface Claims {
  /**
   * Takes a file out of inbox/: renames it into working/, makes the private copy and registers the import.
   * Throws (no space, no permission, ledger down) with the file still in inbox/ or in working/, where
   * `recoverWorking` finds it.
   */
  claim(path: FilePath): Promise<Claim>;
  /** The same on a copy: the user's file is left where it is. Throws UserError `file_missing`, `not_a_file`. */
  claimCopy(path: string, options?: ClaimOptions & { fileName?: string }): Promise<RegisteredImport>;
  /**
   * Takes up whatever an earlier process left in working/, registered or not. Files of imports that were
   * read or refused meanwhile are archived. Safe while other claims go on and when called twice.
   * @param options.minAgeMs leaves younger claims to the process that is at them (default 0)
   * @param options.onTrouble hears what keeps a file from being taken up; the other files go on
   * @returns the imports that wait to be read
   */
  recoverWorking(options?: {
    minAgeMs?: number;
    onTrouble?: (trouble: FileTrouble) => void;
  }): Promise<RegisteredImport[]>;
  /**
   * Moves the dealer's file to done/ or failed/ under its own name; a quote's to quotes/ in place of done/. Idempotent.
   * A file that was changed after it had been copied goes to failed/, and what of it was not submitted is held.
   * @param note a sentence for whoever looks into the folder; written beside as `NAME.note.txt`
   * @returns where it lies now, undefined when it was archived before
   */
  archive(importId: string, folder: 'done' | 'failed', note?: string): Promise<string | undefined>;
  /** @see OriginalWatch.check */
  checkOriginals: OriginalWatch['check'];
  /**
   * Imports files of done/ again where the ledger is older than the folder (restored from a backup, or lost): those
   * whose bytes it does not know. Does nothing otherwise. Returns the new imports.
   */
  importUnknownFiles(): Promise<RegisteredImport[]>;
}

/** A claim without a file that nobody has touched for this long was left by a killed process. */
const abandonedMs = 60 * 60 * 1000;

/**
 * Claims purchase files of one account. A claim is a folder working/ID/original/ with the dealer's file in
 * it, and a private copy files/ID.ending; every step can be repeated after a crash, because the register is
 * idempotent by the private copy's path.
 */
export const createClaims = (options: ClaimsOptions): Claims => {
  const { root, accountName, register, settleMs, access = fileAccess.owner, logger } = options;
  const log = logger.child({ account: accountName });
  const working = join(root, 'working');
  const watch = createOriginalWatch({ root, accountName, register: register.watched, access, logger });
  const position = createFolderPosition(root, accountName, register);
  const own = createClaimWorking({ root, settleMs, access, logger: log });
  const { originalsOf, findOriginal, clear, kindOf } = own;

  /**
   * From the renamed file to the registered import; the same whether first done or after a crash. Undefined when it is
   * no file.
   */
  const finish = async (claimId: string, fileName: string): Promise<RegisteredImport | undefined> => {
    const filePath = privateCopyPath(claimId, fileName);
    const known = await register.find({ account: accountName, filePath });
    if (known) return known;
    const copy = await own.copyOriginal(claimId, fileName);
    if (!copy) return undefined;
    const kind = await kindOf(claimId);
    const file = { account: accountName, fileName, filePath, ...copy };
    const registered = await register.register(
      { ...file, quoteOnly: kind === 'quote', restored: kind === 'restored' },
      (path) => canReadCopy(join(root, path)),
    );
    log.info(
      { importId: registered.importId, file: fileName, state: registered.state },
      'purchase file taken',
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
      const grew = await watch.compare(registered.importId, source);
      const filed = folder === 'done' && registered.quoteOnly ? 'quotes' : folder;
      const goesTo = grew === undefined ? filed : 'failed';
      if (goesTo === 'done') await position.advance();
      const target = await moveInto(source, join(root, goesTo), name, registered.importId, (to) =>
        watch.recordPath(registered.importId, to),
      );
      const why = grew ?? note;
      if (why) await writeNote(target, why, access);
      await clear(claimId);
      return target;
    } catch (error) {
      // Another process archives it at this moment.
      if (isMissing(error) && (await findOriginal(claimId)) === undefined) return undefined;
      throw error;
    }
  };

  let prepared: Promise<void> | undefined;
  /** Before the first file is taken: it must be possible to archive it. */
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

  const take = async (path: FilePath, kind: ClaimKind): Promise<Claim> => {
    await prepare();
    const claimId = newClaimId(kind);
    const fileName = readableBasename(path);
    try {
      await mkdir(originalsOf(claimId), { recursive: true, mode: access.folder });
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
      await own.putBack(claimId, fileName, folderOf(path)).catch(() => {});
      throw error;
    }
  };

  const claimCopy: Claims['claimCopy'] = async (path, options = {}) => {
    const found = await stat(path).catch((error) => {
      if (!isMissing(error)) throw error;
      throw new UserError('file_missing', `There is no file ${path}.`);
    });
    if (!found.isFile()) throw new UserError('not_a_file', `${path} is not a file. Name a purchase file.`);
    await prepare();
    const claimId = newClaimId(options.quoteOnly ? 'quote' : 'order');
    const fileName = basename(options.fileName ?? path);
    const partial = join(working, claimId, 'partial');
    try {
      await mkdir(originalsOf(claimId), { recursive: true, mode: access.folder });
      await copyFile(path, partial);
      await flushToDisk(partial);
      await rename(partial, join(originalsOf(claimId), fileName));
    } catch (error) {
      await clear(claimId).catch(() => {});
      throw error;
    }
    const registered = await finish(claimId, fileName);
    if (!registered) throw new UserError('not_a_file', `${path} is not a file. Name a purchase file.`);
    return registered;
  };

  const importUnknownFiles = createRestore({
    root,
    accountName,
    register,
    position,
    claim: async (path) => {
      const taken = await take(path, 'restored');
      return taken.kind === 'claimed' ? taken.registered : undefined;
    },
    log,
  });

  return {
    claim: (path) => take(path, 'order'),
    claimCopy,
    importUnknownFiles,
    checkOriginals: watch.check,

    async recoverWorking({ minAgeMs = 0, onTrouble = () => {} } = {}) {
      const waiting: RegisteredImport[] = [];
      for (const claimId of await readdir(working)) {
        const found = await stat(join(working, claimId)).catch(() => undefined);
        if (!found?.isDirectory() || Date.now() - found.mtimeMs < minAgeMs) continue;
        let shown = `working/${claimId}`;
        try {
          const name = await findOriginal(claimId);
          shown = name ?? shown;
          if (name === undefined) {
            // Another process may be copying into it at this moment.
            if (Date.now() - found.mtimeMs > abandonedMs) await clear(claimId);
            continue;
          }
          const registered = await finish(claimId, name);
          if (registered === undefined) continue;
          if (registered.state === 'taken') waiting.push(registered);
          else
            await archiveClaim(
              registered,
              registered.state === 'refused' ? 'failed' : 'done',
              registered.reasonText,
            );
        } catch (error) {
          // Taken up or archived by another process meanwhile.
          if (isMissing(error) && (await findOriginal(claimId)) === undefined) continue;
          onTrouble(troubleOf(shown, root, error));
        }
      }
      return waiting;
    },

    async archive(importId, folder, note) {
      const registered = await register.find({ importId });
      return registered && (await archiveClaim(registered, folder, note));
    },
  };
};

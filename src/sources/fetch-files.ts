import { performance } from 'node:perf_hooks';
import { UserError } from '../errors.ts';
import { type FileAccess, fileAccess } from '../file-access.ts';
import type { Claims } from '../intake/inbox/claim.ts';
import { newClaimId } from '../intake/inbox/claim-id.ts';
import { type FileProblem, fileProblemOf } from '../intake/inbox/file-problems.ts';
import type { RegisteredImport } from '../intake/inbox/import-register.ts';
import { createTakenNames, isIgnoredName, markersOf, ownMarkers } from '../intake/inbox/ready-files.ts';
import type { Logger } from '../logger.ts';
import { download, NotYet } from './download.ts';
import { doneName, localName, whyLeft } from './fetchable.ts';
import { type FilePlace, joinPath, type PlaceEntry, PlaceError, showName } from './file-place.ts';
import { createMover } from './move-away.ts';
import {
  type FetchedFile,
  type FileVersion,
  isSameVersion,
  type TransferRegister,
} from './transfer-register.ts';

/** For crash tests: the last durable step when a process is stopped there. */
export type FetchCheckpoint = 'fetch_begun' | 'downloaded' | 'fetched' | 'moved_away';

export interface FetchOptions {
  account: string;
  /** The account's folder on this machine. */
  root: string;
  access?: FileAccess;
  /** Folders at the place. */
  folder: string;
  doneFolder: string;
  claims: Pick<Claims, 'claimWritten' | 'findClaimed' | 'recordGrowth'>;
  register: Pick<TransferRegister, 'listFetched' | 'beginFetch' | 'endFetch'>;
  /** The same as for the inbox. */
  settleMs: number;
  incompleteMs: number;
  maxFileBytes: number;
  /** Called with each import that is in the ledger; a crash can prevent the call. */
  onImport: (registered: RegisteredImport) => Promise<void>;
  logger: Logger;
  checkpoint?: ((name: FetchCheckpoint, fileName: string) => Promise<void>) | undefined;
}

export interface Fetcher {
  /**
   * Fetches the complete files of the folder once.
   * @returns problems for a person to fix, the files that could not be checked, and when to look again
   * @throws PlaceError if the folder cannot be listed or the connection is lost; errors of the ledger
   */
  round(
    place: FilePlace,
  ): Promise<{ problems: FileProblem[]; unchecked: string[]; waitMs: number | undefined }>;
}

/** When to look at a file again, and whether it could not be checked. */
interface Looked {
  waitMs: number | undefined;
  unchecked?: true;
}

/** A file's last version, and since when it has not changed. */
interface Seen extends FileVersion {
  sinceMs: number;
  /** It was read, and its end is missing. */
  incomplete: boolean;
}

/**
 * Fetches purchase files from a folder of a place into the claims of an account. A file is complete by the same rules as in the
 * inbox. The ledger knows each file and its claim before the first byte is read; the file is moved away at the place only
 * when its import is in the ledger. So a crash at any moment neither loses a file nor imports it twice
 * (docs/decisions/044).
 */
export const createFetcher = (options: FetchOptions): Fetcher => {
  const { account, root, folder, doneFolder, claims, register, settleMs, incompleteMs, maxFileBytes } =
    options;
  const { access = fileAccess.owner, onImport, checkpoint } = options;
  const log = options.logger.child({ account });
  const moveAway = createMover({ ...options, log });
  const seen = new Map<string, Seen>();
  const taken = createTakenNames();
  const pathOf = ({ name }: { name: string }) => joinPath(folder, name);
  const claimOf = (file: FetchedFile) => ({ claimId: file.claimId, fileName: localName(file) });

  /** Milliseconds since the file was first seen in its current version. */
  const unchangedMs = (entry: PlaceEntry): number => {
    const now = performance.now();
    const before = seen.get(entry.name);
    if (before && isSameVersion(before, entry)) return now - before.sinceMs;
    const { sizeBytes, modifiedMs } = entry;
    seen.set(entry.name, { sizeBytes, modifiedMs, sinceMs: now, incomplete: false });
    return 0;
  };

  /** The import of a file that an earlier round or process fetched completely; undefined if the file must be fetched again. */
  const resume = async (place: FilePlace, file: FetchedFile): Promise<RegisteredImport | undefined> => {
    const registered = await claims.findClaimed(claimOf(file));
    if (registered && !(await place.find(joinPath(doneFolder, doneName(file))))) return registered;
    // It was never fetched completely, or it was moved away: a file with its name must be fetched again.
    await register.endFetch(account, folder, file);
    return undefined;
  };

  const fetchNew = async (
    place: FilePlace,
    entry: PlaceEntry,
    markers: readonly string[],
  ): Promise<{ file: FetchedFile; registered: RegisteredImport } | Looked> => {
    const unchanged = unchangedMs(entry);
    const isMarked = markers.length > 0;
    if (!isMarked && unchanged < settleMs) return { waitMs: settleMs - unchanged, unchecked: true };
    const mayBeIncomplete = isMarked || unchanged >= incompleteMs;
    const snapshot = seen.get(entry.name)!;
    if (snapshot.incomplete && !mayBeIncomplete) return { waitMs: undefined };
    const { name, sizeBytes, modifiedMs } = entry;
    const file = { name, sizeBytes, modifiedMs, claimId: newClaimId('order') };
    await register.beginFetch(account, folder, file);
    await checkpoint?.('fetch_begun', name);
    try {
      const registered = await claims.claimWritten(claimOf(file), async (to) => {
        const from = { path: pathOf(file), version: file };
        await download(place, from, to, { mode: access.file, needsEnd: !mayBeIncomplete });
        await checkpoint?.('downloaded', name);
      });
      return { file, registered };
    } catch (error) {
      // Somebody removed it before it could be read.
      const isGone = error instanceof PlaceError && error.reason === 'missing';
      if (!isGone && !(error instanceof NotYet)) throw error;
      await register.endFetch(account, folder, file);
      if (!(error instanceof NotYet)) return { waitMs: undefined };
      if (!error.incomplete) return { waitMs: settleMs, unchecked: true };
      if (!snapshot.incomplete) {
        log.warn(
          {
            file: name,
            reason:
              'its end is missing, so it may still be uploading; an empty NAME.done beside it has it fetched at once',
          },
          'waiting for a file at the SFTP server to be complete',
        );
      }
      snapshot.incomplete = true;
      return { waitMs: undefined };
    }
  };

  const fetchOne = async (
    place: FilePlace,
    entry: PlaceEntry,
    begun: FetchedFile | undefined,
    names: ReadonlyMap<string, PlaceEntry>,
  ): Promise<Looked> => {
    const markers = markersOf(entry.name).filter(
      (name) => names.get(name)?.kind === 'file' && names.get(name)!.modifiedMs >= entry.modifiedMs,
    );
    let file = begun;
    let registered = begun && (await resume(place, begun));
    if (!registered) {
      const left = whyLeft(entry, maxFileBytes);
      if (left !== undefined) throw new UserError('not_fetched', left);
      const fetched = await fetchNew(place, entry, markers);
      if ('waitMs' in fetched) return fetched;
      ({ file, registered } = fetched);
      await checkpoint?.('fetched', entry.name);
      await onImport(registered);
    }
    seen.delete(entry.name);
    try {
      // Also markers that are older than the file, because nobody else would ever remove them.
      const beside = new Set([...markers, ...ownMarkers(entry.name, names.keys())]);
      const isAway = await moveAway(place, file!, registered, [...beside]);
      if (isAway) taken.add(entry.name);
      return { waitMs: isAway ? undefined : settleMs };
    } catch (error) {
      if (!(error instanceof PlaceError) || error.reason === 'lost') throw error;
      throw new UserError(
        'not_moved',
        `${showName(entry.name)} was fetched as import ${registered.importId} and is not fetched again, but it cannot be moved to ${doneFolder}. ${error.message}`,
        { cause: error },
      );
    }
  };

  return {
    async round(place) {
      const listed = await place.list(folder);
      const names = new Map(listed.map((entry) => [entry.name, entry]));
      for (const name of seen.keys()) if (!names.has(name)) seen.delete(name);
      const begun = new Map((await register.listFetched(account, folder)).map((file) => [file.name, file]));
      for (const file of begun.values()) {
        if (names.has(file.name)) continue;
        // Moved away, or removed by somebody. A file that was already fetched still becomes an import.
        await claims.findClaimed(claimOf(file));
        await register.endFetch(account, folder, file);
      }
      // A marker that cannot be removed does no harm.
      for (const marker of taken.lateMarkers(new Set(names.keys()))) {
        await place.remove(joinPath(folder, marker)).catch((error: unknown) => {
          if (error instanceof PlaceError && error.reason === 'lost') throw error;
        });
      }
      const problems: FileProblem[] = [];
      const unchecked: string[] = [];
      let waitMs: number | undefined;
      listed.sort((one, other) => one.modifiedMs - other.modifiedMs || (one.name < other.name ? -1 : 1));
      for (const entry of listed) {
        if (entry.kind === 'folder' || isIgnoredName(entry.name)) continue;
        try {
          const looked = await fetchOne(place, entry, begun.get(entry.name), names);
          if (looked.unchecked) unchecked.push(showName(pathOf(entry)));
          if (looked.waitMs !== undefined) waitMs = Math.min(waitMs ?? looked.waitMs, looked.waitMs);
        } catch (error) {
          if (error instanceof PlaceError && error.reason === 'lost') throw error;
          problems.push(fileProblemOf(showName(pathOf(entry)), root, error));
        }
      }
      return { problems, unchecked, waitMs };
    },
  };
};

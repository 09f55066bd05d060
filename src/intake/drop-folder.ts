import { chmod, lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type FSWatcher, watch } from 'chokidar';
import { messageOf } from '../errors.ts';
import { type FileAccess, fileAccess } from '../file-access.ts';
import type { Logger } from '../logger.ts';
import { makeAccountFolders, purchaseFileEnding } from './claim-folders.ts';
import { moveInto, restrictFile, writeNote } from './claim-move.ts';
import { hasCompleteEnd } from './complete-end.ts';
import { findMarkers, isLeftAlone, type Sighting } from './drop-folder-ready.ts';
import { type FilePath, pathIn, readableName, readNames } from './file-names.ts';
import { type FileTrouble, type TroubleReport, troubleOf } from './file-troubles.ts';
import { openRegular } from './open-regular.ts';

export interface DropFolderOptions {
  /** The account's folder. */
  root: string;
  accountName: string;
  logger: Logger;
  /** Takes a file that is complete. When it throws, the file is offered again at a later scan. */
  onReady: (path: FilePath) => Promise<void>;
  /** Hears after every scan what keeps files from being taken: no space, no permission, folder gone. */
  report?: TroubleReport;
  /** How long size and time of change must stand still (default 5 s). */
  settleMs?: number;
  /** Who may use folders and files that are made; the owner alone unless told. */
  access?: FileAccess;
  /** The time between two scans (default 5 s). */
  scanEveryMs?: number;
  /** How long a file must not have changed that does not end as its kind must (default 5 minutes). */
  incompleteMs?: number;
  /** How long a file of an unknown kind must not have changed before it is moved away (default 60 s). */
  giveUpMs?: number;
}

export interface DropFolder {
  /** Begins to watch and to scan. Idempotent. */
  start(): Promise<void>;
  /** Looks through inbox/ once and hands over what is complete; resolves when that is done. */
  scanNow(): Promise<void>;
  /** Ends watching; waits for the scan that is under way. Idempotent. */
  stop(): Promise<void>;
}

const unknownKindNote = (name: string): string =>
  `${name} is not a purchase file: its name ends in none of .csv .txt .tsv .xlsx .xlsm .xlsb .xls .ods. ` +
  `Save it as one of these and put it into inbox again.`;

/**
 * Watches an account's inbox/. The periodic scan is the truth; the watcher's events only bring the next
 * one forward (they are missed on network folders, and while nobody runs). Any number of watchers may
 * share a folder: what `onReady` does with a path must be atomic, as `claim` is.
 */
export const createDropFolder = (options: DropFolderOptions): DropFolder => {
  const {
    root,
    accountName,
    onReady,
    report,
    settleMs = 5000,
    scanEveryMs = 5000,
    incompleteMs = 300_000,
    giveUpMs = 60_000,
    access = fileAccess.owner,
  } = options;
  const log = options.logger.child({ account: accountName });
  const inbox = join(root, 'inbox');
  const sightings = new Map<string, Sighting>();
  const saidOf = new Set<string>();
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = true;

  const sayOnce = (name: string, reason: string): void => {
    if (saidOf.has(name)) return;
    saidOf.add(name);
    log.warn({ file: readable(name), reason }, 'left alone in inbox');
  };

  let unwatchedBecause: string | undefined;
  const sayUnwatched = (reason: string): void => {
    if (reason === unwatchedBecause) return;
    unwatchedBecause = reason;
    log.warn({ reason }, 'changes in inbox are not noticed at once; it is scanned regularly instead');
  };

  /** Names are bytes, here written as latin1: each byte a character. Only what a person sees is decoded. */
  const bytesOf = (name: string) => Buffer.from(name, 'latin1');
  const readable = (name: string) => readableName(bytesOf(name));

  /** Looks at one name; returns the milliseconds after which looking again makes sense, if any. */
  const consider = async (name: string, names: ReadonlySet<string>): Promise<number | undefined> => {
    const path = pathIn(inbox, bytesOf(name));
    const seen = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    if (!seen) return undefined;
    if (!seen.isFile()) {
      sayOnce(name, seen.isSymbolicLink() ? 'a symbolic link; put the file itself here' : 'not a file');
      return undefined;
    }
    const now = performance.now();
    const before = sightings.get(name);
    const still = before?.size === seen.size && before.mtimeMs === seen.mtimeMs && before.inode === seen.ino;
    const sinceMs = still ? before.sinceMs : now;
    sightings.set(name, { size: seen.size, mtimeMs: seen.mtimeMs, inode: seen.ino, sinceMs });
    const stoodMs = now - sinceMs;
    // Whoever looks in only at certain hours never sees a file for long; for giving up its own times will do.
    const ageMs = Math.max(stoodMs, Date.now() - Math.max(seen.mtimeMs, seen.ctimeMs));

    if (purchaseFileEnding(name) === undefined) {
      if (ageMs < giveUpMs) return giveUpMs - ageMs;
      const target = await moveInto(path, join(root, 'failed'), readable(name), `${Date.now()}`);
      await restrictFile({ chmod: (mode) => chmod(target, mode) }, access);
      await writeNote(target, unknownKindNote(readable(name)), access);
      log.warn({ file: readable(name) }, 'not a purchase file; moved to failed');
      return undefined;
    }

    const markers = await findMarkers(inbox, names, name, seen.mtimeMs);
    if (markers.length === 0 && stoodMs < settleMs) return settleMs - stoodMs;
    // Opened in any case: a file that must not be read is better left in inbox than in the middle of a claim.
    const opened = await openRegular(path);
    if (opened.kind === 'other') return undefined;
    const complete = await hasCompleteEnd(opened.handle).finally(() => opened.handle.close());
    if (markers.length === 0 && !complete && ageMs < incompleteMs) {
      sayOnce(
        name,
        'it does not end as its kind must, so it may still be uploaded; a NAME.done marker picks it up at once',
      );
      return scanEveryMs;
    }
    // Before the claim: a marker left behind by a crash would vouch for the next file of this name.
    for (const marker of markers) await rm(marker, { force: true });
    await onReady(path);
    return undefined;
  };

  const scan = async (): Promise<void> => {
    let nextMs = scanEveryMs;
    const troubles: FileTrouble[] = [];
    try {
      await makeAccountFolders(root, access);
      const names = new Set((await readNames(inbox)).map((name) => name.toString('latin1')));
      for (const known of [...sightings.keys(), ...saidOf]) {
        if (names.has(known)) continue;
        sightings.delete(known);
        saidOf.delete(known);
      }
      for (const name of [...names].sort()) {
        if (isLeftAlone(name)) continue;
        try {
          nextMs = Math.min(nextMs, (await consider(name, names)) ?? nextMs);
        } catch (error) {
          troubles.push(troubleOf(readable(name), root, error));
        }
      }
    } catch (error) {
      troubles.push(troubleOf('inbox', root, error));
    }
    await report?.(troubles);
    schedule(nextMs);
  };

  const schedule = (afterMs: number): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void scanNow(), Math.ceil(afterMs));
  };

  /** One scan at a time; a wish that comes during a scan is answered by one more. */
  const scanNow = (): Promise<void> => {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        await scan();
      } while (again);
    })().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    scanNow,

    async start() {
      if (!stopped) return;
      stopped = false;
      // A folder that cannot be made is told by the scan, which tries again; one account never stops another.
      await makeAccountFolders(root, access).catch(() => {});
      watcher = watch(inbox, { depth: 0, ignoreInitial: true, followSymlinks: false });
      watcher.on('all', () => void scanNow());
      watcher.on('error', (error) => sayUnwatched(messageOf(error)));
      await scanNow();
    },

    async stop() {
      stopped = true;
      clearTimeout(timer);
      await watcher?.close();
      watcher = undefined;
      await running;
    },
  };
};

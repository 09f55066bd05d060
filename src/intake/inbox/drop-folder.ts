import type { Stats } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type FSWatcher, watch } from 'chokidar';
import { messageOf, UserError } from '../../errors.ts';
import { type FileAccess, fileAccess } from '../../file-access.ts';
import type { Logger } from '../../logger.ts';
import { purchaseFileEnding } from '../purchase-file-ending.ts';
import { makeAccountFolders } from './account-folders.ts';
import { hasCompleteEnd } from './complete-end.ts';
import { type FilePath, pathIn, readableName, readNames } from './file-names.ts';
import { type FileProblem, type FileProblemReport, fileProblemOf, type Unchecked } from './file-problems.ts';
import { isMissing } from './move-file.ts';
import { openRegular } from './open-regular.ts';
import {
  createTakenNames,
  type FileSnapshot,
  findMarkers,
  isIgnoredName,
  ownMarkers,
} from './ready-files.ts';

export interface DropFolderOptions {
  /** The account's folder. */
  root: string;
  accountName: string;
  logger: Logger;
  /** Called with each complete file. If it throws, a later scan passes the file again. */
  onReady: (path: FilePath) => Promise<void>;
  /** Called after every scan with the problems that prevent files from being picked up: no space, no permission, a missing folder. */
  report?: FileProblemReport;
  /** How long size and modification time must not change before a file is picked up (default 5 s). */
  settleMs?: number;
  /** Who may use the created folders and files; default: only the owner. */
  access?: FileAccess;
  /** The time between two scans (default 5 s); up to three times as long while the inbox stays empty. */
  scanEveryMs?: number;
  /** How long a file that looks incomplete must not change before it is picked up anyway (default 5 minutes). */
  incompleteMs?: number;
  /** How long a file with another ending must not change before it is picked up to be refused; its name may be temporary (default 60 s). */
  giveUpMs?: number;
}

export interface DropFolder {
  /** Starts watching and scanning. Idempotent. */
  start(): Promise<void>;
  /** Scans inbox/ once and passes on the complete files; resolves when all have been handled. */
  scanNow(): Promise<void>;
  /** Stops watching and waits for a scan in progress. Idempotent. */
  stop(): Promise<void>;
}

/** The problem for an inbox entry that is not a file: a person may expect its content to be read. */
const notRead = (name: string, entry: Stats): UserError => {
  if (entry.isDirectory()) {
    return new UserError(
      'folder_in_inbox',
      `${name} is a folder, and files in folders of the inbox are not read. Put its files into the inbox itself, or move it elsewhere.`,
    );
  }
  const what = entry.isSymbolicLink() ? 'a symbolic link' : 'no regular file';
  return new UserError(
    'no_file_in_inbox',
    `${name} is ${what}, which is not read. Copy the file itself into the inbox.`,
  );
};

/**
 * Watches an account's inbox/. Only the periodic scan is reliable: the watcher's events, which can be missed on network folders, just start
 * the next scan earlier. Any number of watchers may share a folder, so `onReady` must be atomic, like `claim`.
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
  const snapshots = new Map<string, FileSnapshot>();
  const taken = createTakenNames();
  const warnedNames = new Set<string>();
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let rescan = false;
  let stopped = true;

  const warnOnce = (name: string, message: string, reason: string): void => {
    if (warnedNames.has(name)) return;
    warnedNames.add(name);
    log.warn({ file: readable(name), reason }, message);
  };

  let idleMs = scanEveryMs;
  let unwatchedBecause: string | undefined;
  const warnUnwatched = (reason: string): void => {
    if (reason === unwatchedBecause) return;
    unwatchedBecause = reason;
    log.warn({ reason }, 'cannot watch inbox for changes; scanning it regularly instead');
  };

  /** Names are bytes, held as latin1 text with one character per byte. Only names shown to people are decoded. */
  const bytesOf = (name: string) => Buffer.from(name, 'latin1');
  const readable = (name: string) => readableName(bytesOf(name));

  /** Checks one name; returns the milliseconds after which to check it again, if any. `onUnchecked`: the file was not opened. */
  const checkName = async (
    name: string,
    names: ReadonlySet<string>,
    onUnchecked: () => void,
  ): Promise<number | undefined> => {
    const path = pathIn(inbox, bytesOf(name));
    const seen = await lstat(path).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    if (!seen) return undefined;
    if (!seen.isFile()) throw notRead(readable(name), seen);
    const now = performance.now();
    const before = snapshots.get(name);
    const unchanged =
      before?.size === seen.size && before.mtimeMs === seen.mtimeMs && before.inode === seen.ino;
    const sinceMs = unchanged ? before.sinceMs : now;
    snapshots.set(name, { size: seen.size, mtimeMs: seen.mtimeMs, inode: seen.ino, sinceMs });
    const unchangedMs = now - sinceMs;
    // Scheduled scans never observe a file for long, so the file's own timestamps count too.
    const ageMs = Math.max(unchangedMs, Date.now() - Math.max(seen.mtimeMs, seen.ctimeMs));

    const isUnknown = purchaseFileEnding(name) === undefined;
    if (isUnknown && ageMs < giveUpMs) return giveUpMs - ageMs;

    const markers = await findMarkers(inbox, names, name, seen.mtimeMs);
    if (markers.length === 0 && unchangedMs < settleMs) {
      onUnchecked();
      return settleMs - unchangedMs;
    }
    // Even with a marker: a file without read permission must stay in the inbox, not fail in the middle of a claim.
    const opened = await openRegular(path);
    if (opened.kind === 'other') return undefined;
    const complete = await hasCompleteEnd(opened.handle).finally(() => opened.handle.close());
    if (markers.length === 0 && !complete && !isUnknown && ageMs < incompleteMs) {
      warnOnce(
        name,
        'waiting for a file in inbox to be complete',
        'its end is missing, so it may still be uploading; create NAME.done to have it picked up at once',
      );
      return scanEveryMs;
    }
    // Before the claim: a marker that survives a crash would declare the next file of this name complete. Includes markers older than the
    // file, which nothing else would remove.
    const beside = ownMarkers(name, names).map((marker) => pathIn(inbox, bytesOf(marker)));
    for (const marker of [...markers, ...beside]) await rm(marker, { force: true });
    await onReady(path);
    taken.add(name);
    return undefined;
  };

  /** Recreates the folder if it was removed. The sweep checks the account's other folders. */
  const readInbox = (): Promise<Buffer[]> =>
    readNames(inbox).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await makeAccountFolders(root, access);
      return readNames(inbox);
    });

  const scan = async (): Promise<void> => {
    let nextMs = scanEveryMs;
    const problems: FileProblem[] = [];
    const settling: string[] = [];
    let unchecked: Unchecked = settling;
    try {
      const names = new Set((await readInbox()).map((name) => name.toString('latin1')));
      // A thousand empty folders would keep a process busy, so scan them less often. The watcher's events still start a scan at once.
      const mayWait = names.size === 0 && unwatchedBecause === undefined;
      nextMs = idleMs = Math.min((mayWait ? 3 : 1) * scanEveryMs, 1.5 * idleMs);
      for (const known of [...snapshots.keys(), ...warnedNames]) {
        if (names.has(known)) continue;
        snapshots.delete(known);
        warnedNames.delete(known);
      }
      for (const marker of taken.lateMarkers(names))
        await rm(pathIn(inbox, bytesOf(marker)), { force: true });
      for (const name of [...names].sort()) {
        if (isIgnoredName(name)) continue;
        try {
          const againMs = await checkName(name, names, () => settling.push(readable(name)));
          nextMs = Math.min(nextMs, againMs ?? nextMs);
        } catch (error) {
          problems.push(fileProblemOf(readable(name), root, error));
        }
      }
    } catch (error) {
      problems.push(fileProblemOf('inbox', root, error));
      unchecked = 'all';
    }
    await report?.(problems, unchecked);
    schedule(nextMs);
  };

  const schedule = (afterMs: number): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void scanNow(), Math.ceil(afterMs));
  };

  /** Runs one scan at a time. Requests that arrive during a scan cause one more. */
  const scanNow = (): Promise<void> => {
    if (running) {
      rescan = true;
      return running;
    }
    running = (async () => {
      do {
        rescan = false;
        await scan();
      } while (rescan);
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
      watcher = watch(inbox, { depth: 0, ignoreInitial: true, followSymlinks: false });
      watcher.on('all', () => void scanNow());
      watcher.on('error', (error) => warnUnwatched(messageOf(error)));
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

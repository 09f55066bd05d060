import { createHash } from 'node:crypto';
import { type FileHandle, lstat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../errors.ts';
import type { FileAccess } from '../../file-access.ts';
import type { Logger } from '../../logger.ts';
import type { FileProblem } from './file-problems.ts';
import { isMissing, moveInto, writeNote } from './move-file.ts';
import { openRegular } from './open-regular.ts';

/** The state of a dealer's file when it was copied. */
export interface OriginalFacts {
  inode: string;
  sizeBytes: number;
  mtimeMs: number;
  /** Hex, over the last `tailBytes` of the copy. */
  tailSha256: string;
}

export interface WatchedFile extends OriginalFacts {
  importId: string;
  fileName: string;
  /**
   * Possible paths of the file, relative to the account's folder, latest first; empty until it is archived. Concurrent archiving processes
   * each record a path, and only one of them moves the file.
   */
  paths: readonly string[];
  /** Hex, over the whole copy. */
  sha256: string;
  /** A sentence that says how the file changed after it was picked up; undefined while it has not. */
  grew: string | undefined;
}

/** The part of the ledger used by the watch. */
export interface WatchRegister {
  find(importId: string): Promise<WatchedFile | undefined>;
  /** Records the file's new path, before the file is moved there. */
  recordPath(importId: string, path: string): Promise<void>;
  /** The files of an account that are due for a check. Each check increases the time to the next one. */
  takeDue(account: string): Promise<WatchedFile[]>;
  /**
   * Records that the file changed: holds its POs that are not submitted, and gives the submitted ones the alarm.
   * Idempotent.
   * @returns whether the change is new to the ledger, and how many POs got the alarm now
   */
  recordGrowth(
    importId: string,
    growth: { sentence: string; alarm: string },
  ): Promise<{ first: boolean; alarms: number }>;
  endWatch(importId: string): Promise<void>;
}

const tailBytes = 65_536;

/** Keeps the last `tailBytes` of a stream of chunks. */
export const createTail = (): { add(chunk: Buffer): void; sha256(): string } => {
  let kept = Buffer.alloc(0);
  return {
    add: (chunk) => {
      kept = Buffer.concat([kept, chunk]).subarray(-tailBytes);
    },
    sha256: () => createHash('sha256').update(kept).digest('hex'),
  };
};

/** The sha-256 of an open file or a part of it, hex; memory does not grow with the file. The handle stays open. */
export const sha256Of = async (
  handle: FileHandle,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): Promise<string> => {
  const hash = createHash('sha256');
  if (end > start) await pipeline(handle.createReadStream({ start, end: end - 1, autoClose: false }), hash);
  return hash.digest('hex');
};

/** The file's size if it differs from the copy; undefined if it does not, or if it is a different file. */
const changedSize = async (handle: FileHandle, facts: WatchedFile): Promise<number | undefined> => {
  const { size, mtimeMs, ino } = await handle.stat({ bigint: true }).then((stats) => ({
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeNs) / 1e6,
    ino: stats.ino.toString(),
  }));
  const tailStart = Math.max(0, facts.sizeBytes - tailBytes);
  const looksSame =
    size === facts.sizeBytes &&
    Math.abs(mtimeMs - facts.mtimeMs) < 0.001 &&
    (await sha256Of(handle, tailStart, size)) === facts.tailSha256;
  if (looksSame) return undefined;
  // A file that begins with the whole copy is the same file, even if a mount reports another inode.
  const startsWithCopy =
    size >= facts.sizeBytes && (await sha256Of(handle, 0, facts.sizeBytes)) === facts.sha256;
  if (startsWithCopy) return size > facts.sizeBytes ? size : undefined;
  return ino === facts.inode ? size : undefined;
};

const count = (bytes: number): string => `${bytes.toLocaleString('en-US')} bytes`;

const growthOf = ({ fileName, importId, sizeBytes }: WatchedFile, size: number) => {
  const how = size > sizeBytes ? `grew from ${count(sizeBytes)} to ${count(size)}` : 'was rewritten';
  const what = `${fileName} ${how} after it had been picked up as import ${importId}`;
  return {
    sentence: `${what}: rows may be missing from its POs.`,
    alarm: `${what}, so rows of this PO may be missing from its order. Compare the order with the whole file in failed/.`,
    note: `${what}. Rows may be missing from its POs, and POs that were added were not ordered. POs that had not been submitted are held (file_grew); the others have an alarm. Release the POs that are complete and cancel the others, then put this file into inbox again. POs that are already ordered are not ordered again.`,
  };
};

/**
 * Watches the dealer's own files after they were picked up. A process that still has a file open keeps writing to it
 * after the rename, so later rows end up in the archived file, where nothing else would notice them.
 */
export const createOriginalWatch = (deps: {
  root: string;
  accountName: string;
  register: WatchRegister;
  access: FileAccess;
  logger: Logger;
}) => {
  const { root, accountName, register } = deps;
  const log = deps.logger.child({ account: accountName });

  const record = async (file: WatchedFile, growth: ReturnType<typeof growthOf>): Promise<void> => {
    const { first, alarms } = await register.recordGrowth(file.importId, growth);
    const fields = { importId: file.importId, file: file.fileName, code: 'file_grew', count: alarms };
    if (first || alarms > 0) log.error(fields, growth.sentence);
  };

  const compareFile = async (file: WatchedFile, path: string): Promise<string | undefined> => {
    const opened = await openRegular(path);
    if (opened.kind === 'other') return undefined;
    let size: number | undefined;
    try {
      size = await changedSize(opened.handle, file);
    } finally {
      await opened.handle.close();
    }
    if (size === undefined) return undefined;
    const growth = growthOf(file, size);
    await record(file, growth);
    return growth.note;
  };

  const recordPath = (importId: string, path: string) => register.recordPath(importId, relative(root, path));

  /** Moves a changed file to failed/, unless it is there already, and writes the note. */
  const moveToFailed = async (file: WatchedFile, path: string, note: string): Promise<string> => {
    const failed = join(root, 'failed');
    const target =
      dirname(path) === failed
        ? path
        : await moveInto(path, failed, file.fileName, file.importId, (to) => recordPath(file.importId, to));
    await writeNote(target, note, deps.access);
    return target;
  };

  /** Checks one possible path of the file. @throws ENOENT if nothing is there */
  const checkAt = async (file: WatchedFile, path: string): Promise<FileProblem | undefined> => {
    if (file.grew === undefined) {
      const note = await compareFile(file, path);
      return note === undefined ? undefined : changeProblemOf(file, await moveToFailed(file, path, note));
    }
    const { size } = await lstat(path);
    const growth = growthOf(file, size);
    await record(file, growth);
    return changeProblemOf(file, await moveToFailed(file, path, growth.note));
  };

  const checkOne = async (file: WatchedFile): Promise<FileProblem | undefined> => {
    let isThere = false;
    for (const path of file.paths) {
      try {
        const problem = await checkAt(file, join(root, path));
        if (problem) return problem;
        isThere = true;
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
    // A person moved or deleted it, as the message about a changed file asked.
    if (!isThere && file.grew !== undefined) await register.endWatch(file.importId);
    return undefined;
  };

  const changeProblemOf = (file: WatchedFile, path: string): FileProblem => ({
    fileName: relative(root, path),
    code: 'file_grew',
    message: `${file.fileName} changed after it was picked up as import ${file.importId}. Compare its POs with this file, then put it into inbox again or delete it. The note next to it says what to do.`,
  });

  return {
    recordPath,

    /**
     * Compares the dealer's file of an import, now at `path`, with the copy. When they differ, the POs of the file are held or get an
     * alarm.
     * @returns the note to put next to the file; undefined when nothing changed
     */
    async compare(importId: string, path: string): Promise<string | undefined> {
      const file = await register.find(importId);
      return file && (await compareFile(file, path));
    },

    /**
     * Checks the archived files that are due, and moves each file that changed to failed/ with a note.
     * @returns the changed files that are still in failed/, and files that could not be checked
     */
    async check(): Promise<FileProblem[]> {
      const problems: FileProblem[] = [];
      for (const file of await register.takeDue(accountName)) {
        try {
          const problem = await checkOne(file);
          if (problem) problems.push(problem);
        } catch (error) {
          problems.push({
            fileName: file.paths[0] ?? file.fileName,
            code: 'watch_failed',
            message: `Cannot check whether this file changed after it was picked up: ${messageOf(error)}`,
          });
        }
      }
      return problems;
    },
  };
};

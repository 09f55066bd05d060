import { createHash } from 'node:crypto';
import { type FileHandle, lstat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../errors.ts';
import type { FileAccess } from '../file-access.ts';
import type { Logger } from '../logger.ts';
import { moveInto, writeNote } from './claim-move.ts';
import type { FileTrouble } from './file-troubles.ts';
import { openRegular } from './open-regular.ts';

/** A dealer's file as it was when it was copied. */
export interface OriginalFacts {
  inode: string;
  sizeBytes: number;
  mtimeMs: number;
  /** Hex; of the last bytes of the copy. */
  tailSha256: string;
}

export interface WatchedFile extends OriginalFacts {
  importId: string;
  fileName: string;
  /** Relative to the account's folder; undefined until it was archived. */
  path: string | undefined;
  /** Of the whole copy. */
  sha256: string;
  /** What happened to it, in a sentence, when it changed after it was picked up. */
  grew: string | undefined;
}

/** What the watch needs of the ledger. */
export interface WatchRegister {
  find(importId: string): Promise<WatchedFile | undefined>;
  /** Where the file is about to be; recorded before it is moved. */
  recordPath(importId: string, path: string): Promise<void>;
  /** Files of an account whose next look is due; each look moves the next one further away. */
  takeDue(account: string): Promise<WatchedFile[]>;
  /**
   * The file changed: POs of it that were not submitted are held from now on, those that were get the alarm.
   * Idempotent.
   * @returns whether this was not known before, and how many POs got the alarm now
   */
  recordGrowth(
    importId: string,
    growth: { sentence: string; alarm: string },
  ): Promise<{ first: boolean; alarms: number }>;
  endWatch(importId: string): Promise<void>;
}

export interface OriginalWatch {
  /**
   * Looks whether the dealer's file of an import, now at `path`, is still what was copied. When it is not, its POs are
   * held or get an alarm.
   * @returns the note for whoever finds the file, undefined when nothing changed
   */
  compare(importId: string, path: string): Promise<string | undefined>;
  /** @see WatchRegister.recordPath; the path is absolute */
  recordPath(importId: string, path: string): Promise<void>;
  /**
   * Looks at all archived files whose next look is due; one that changed is moved to failed/ with a note.
   * @returns files that changed and that nobody has moved away yet, and files that could not be looked at
   */
  check(): Promise<FileTrouble[]>;
}

const tailBytes = 65_536;

/** Keeps the last bytes of what goes by. */
export const createTail = (): { add(chunk: Buffer): void; sha256(): string } => {
  let kept = Buffer.alloc(0);
  return {
    add: (chunk) => {
      kept = Buffer.concat([kept, chunk]).subarray(-tailBytes);
    },
    sha256: () => createHash('sha256').update(kept).digest('hex'),
  };
};

const hashOf = async (handle: FileHandle, start: number, end: number): Promise<string> => {
  const hash = createHash('sha256');
  if (end > start) await pipeline(handle.createReadStream({ start, end: end - 1, autoClose: false }), hash);
  return hash.digest('hex');
};

/** How large the file is now when it is no longer what was copied; undefined when it is, or when it is another file. */
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
    (await hashOf(handle, tailStart, size)) === facts.tailSha256;
  if (looksSame) return undefined;
  // What begins with all that was copied is the same file, also where a mount gives it another inode.
  const begins = size >= facts.sizeBytes && (await hashOf(handle, 0, facts.sizeBytes)) === facts.sha256;
  if (begins) return size > facts.sizeBytes ? size : undefined;
  return ino === facts.inode ? size : undefined;
};

const count = (bytes: number): string => `${bytes.toLocaleString('en-US')} bytes`;

const growthOf = ({ fileName, importId, sizeBytes }: WatchedFile, size: number) => {
  const how = size > sizeBytes ? `grew from ${count(sizeBytes)} to ${count(size)}` : 'was rewritten';
  const what = `${fileName} ${how} after it had been picked up as import ${importId}`;
  return {
    sentence: `${what}: rows may be missing from its POs.`,
    alarm: `${what}, so rows of this PO may be missing from its order. Compare the order with the whole file in failed/.`,
    note: `${what}. Rows may be missing from its POs, and POs that were added were not ordered. POs that had not been submitted are held (file_grew), the others have an alarm. Release the POs that are complete and cancel the others; then put this file into inbox again: what is already ordered is not ordered again.`,
  };
};

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Watches the dealer's own files after they were picked up. A rename takes a file from the inbox but not from a process
 * that still has it open: what that writes later lands in the archived file, and nobody else would see it.
 */
export const createOriginalWatch = (deps: {
  root: string;
  accountName: string;
  register: WatchRegister;
  access: FileAccess;
  logger: Logger;
}): OriginalWatch => {
  const { root, accountName, register } = deps;
  const log = deps.logger.child({ account: accountName });

  const record = async (file: WatchedFile, growth: ReturnType<typeof growthOf>): Promise<void> => {
    const { first, alarms } = await register.recordGrowth(file.importId, growth);
    const told = { importId: file.importId, file: file.fileName, code: 'file_grew', count: alarms };
    if (first || alarms > 0) log.error(told, growth.sentence);
  };

  const lookAt = async (file: WatchedFile, path: string): Promise<string | undefined> => {
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

  /** A file that changed is in failed/, where a person looks. */
  const moveToFailed = async (file: WatchedFile, path: string, note: string): Promise<string> => {
    const failed = join(root, 'failed');
    const target =
      dirname(path) === failed
        ? path
        : await moveInto(path, failed, file.fileName, file.importId, (to) => recordPath(file.importId, to));
    await writeNote(target, note, deps.access);
    return target;
  };

  const checkOne = async (file: WatchedFile): Promise<FileTrouble | undefined> => {
    const path = join(root, file.path!);
    if (file.grew === undefined) {
      const note = await lookAt(file, path);
      if (note === undefined) return undefined;
      const target = await moveToFailed(file, path, note);
      return troubleOf(file, target);
    }
    const { size } = await lstat(path);
    const growth = growthOf(file, size);
    await record(file, growth);
    return troubleOf(file, await moveToFailed(file, path, growth.note));
  };

  const troubleOf = (file: WatchedFile, path: string): FileTrouble => ({
    fileName: relative(root, path),
    code: 'file_grew',
    message: `${file.fileName} changed after it was picked up as import ${file.importId}. Compare its POs with this file, put it into inbox again, or delete it: the note beside it says what to do.`,
  });

  return {
    recordPath,

    async compare(importId, path) {
      const file = await register.find(importId);
      return file && (await lookAt(file, path));
    },

    async check() {
      const troubles: FileTrouble[] = [];
      for (const file of await register.takeDue(accountName)) {
        try {
          const trouble = await checkOne(file);
          if (trouble) troubles.push(trouble);
        } catch (error) {
          // Moved or deleted by a person: of a file that changed this is the answer that was asked for.
          if (isMissing(error)) {
            if (file.grew !== undefined) await register.endWatch(file.importId);
            continue;
          }
          troubles.push({
            fileName: file.path ?? file.fileName,
            code: 'watch_failed',
            message: `It cannot be checked whether this file changed after it was picked up: ${messageOf(error)}`,
          });
        }
      }
      return troubles;
    },
  };
};

import { createHash } from 'node:crypto';
import { type BigIntStats, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import { placeFile } from '../../place-file.ts';
import { createTail, type OriginalFacts } from './watch-originals.ts';

export interface PrivateCopy {
  /** Hex. */
  sha256: string;
  sizeBytes: number;
  /** The source at the time of the copy. */
  original: OriginalFacts;
}

const sameFile = (before: BigIntStats, after: BigIntStats, copied: number): boolean =>
  before.size === after.size && before.mtimeNs === after.mtimeNs && BigInt(copied) === after.size;

const attempts = 5;

/**
 * Copies an open file to `target` (flushed, renamed into place) and hashes the copy. The program that wrote the file may
 * still have it open: when its size or modification time changes during the copy, the copy is discarded and made again
 * after `settleMs`. The handle stays open.
 *
 * @param name the file's name in messages
 * @throws UserError `file_keeps_changing` when every attempt saw a change
 */
export const makePrivateCopy = async (
  source: FileHandle,
  name: string,
  target: string,
  settleMs: number,
  mode?: number,
): Promise<PrivateCopy> => {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = await source.stat({ bigint: true });
    let unchanged = false;
    const tail = createTail();
    const hash = createHash('sha256');
    let sizeBytes = 0;
    await placeFile(
      target,
      async (temporaryPath) => {
        const count = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            hash.update(chunk);
            tail.add(chunk);
            sizeBytes += chunk.length;
            done(null, chunk);
          },
        });
        const reading = source.createReadStream({ start: 0, autoClose: false });
        await pipeline(reading, count, createWriteStream(temporaryPath));
        unchanged = sameFile(before, await source.stat({ bigint: true }), sizeBytes);
      },
      mode,
    );
    if (unchanged) {
      const original = {
        inode: before.ino.toString(),
        sizeBytes,
        mtimeMs: Number(before.mtimeNs) / 1e6,
        tailSha256: tail.sha256(),
      };
      return { sha256: hash.digest('hex'), sizeBytes, original };
    }
    if (attempt < attempts) await sleep(settleMs);
  }
  throw new UserError(
    'file_keeps_changing',
    `The file ${name} kept changing while it was copied. It is picked up once it no longer changes.`,
  );
};

/** Whether a private copy can be opened and its first byte read. */
export const canReadCopy = async (path: string): Promise<boolean> => {
  try {
    const handle = await open(path, 'r');
    // Some file systems open files that cannot be read.
    await handle.read(Buffer.alloc(1), 0, 1, 0).finally(() => handle.close());
    return true;
  } catch {
    return false;
  }
};

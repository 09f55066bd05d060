import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCompleteEnd } from '../intake/inbox/complete-end.ts';
import type { FilePlace } from './file-place.ts';
import { type FileVersion, isSameVersion } from './transfer-register.ts';

/** The file is not complete yet, or changed while it was read. */
export class NotYet extends Error {
  readonly incomplete: boolean;
  constructor(incomplete: boolean) {
    super('not complete yet');
    this.incomplete = incomplete;
  }
}

const sha256Of = async (content: Readable): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(content, hash);
  return hash.digest('hex');
};

/**
 * Reads a version of a file into a new file on this machine.
 * @param options.needsEnd whether a file without the end that its format requires is refused
 * @throws NotYet if its version has changed, or it has no end; the new file is then useless
 */
export const download = async (
  place: FilePlace,
  { path, version }: { path: string; version: FileVersion },
  to: string,
  { mode, needsEnd }: { mode: number; needsEnd: boolean },
): Promise<void> => {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      // The file grows, or the server sends more than it announced, perhaps endlessly.
      done(bytes > version.sizeBytes ? new NotYet(false) : null, chunk);
    },
  });
  await pipeline(await place.read(path), counter, createWriteStream(to, { mode }));
  const after = await place.find(path);
  if (bytes !== version.sizeBytes || !after || !isSameVersion(after, version)) throw new NotYet(false);
  if (!needsEnd) return;
  const handle = await open(to);
  const complete = await hasCompleteEnd(handle).finally(() => handle.close());
  if (!complete) throw new NotYet(true);
};

/** Whether a file has the content of a file on this machine; false if that cannot be read. */
export const isSameContent = async (place: FilePlace, path: string, local: string): Promise<boolean> => {
  const copy = await sha256Of(createReadStream(local)).catch(() => undefined);
  return copy !== undefined && copy === (await sha256Of(await place.read(path)));
};

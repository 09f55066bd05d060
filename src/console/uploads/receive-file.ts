import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import { fitName } from '../../intake/inbox/file-names.ts';
import { noPurchaseFileEnding, purchaseFileEnding } from '../../intake/purchase-file-ending.ts';
import { placeFile } from '../../place-file.ts';
import { ConsoleProblem } from '../problems.ts';

/** Bytes reserved for making a name unique and for the ending of a note. */
const reservedBytes = 60;

/** Control characters, lone surrogates, and direction or invisible marks. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * A safe name for an uploaded file: no folders, no control characters or direction marks, no dot at the beginning, short enough for a file
 * system. Pure.
 *
 * @throws ConsoleProblem `not_possible` if it does not end like a purchase file
 */
export const safeFileName = (given: string): string => {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const shown = last.replace(unseen, '').replace(/\s+/g, ' ').trim();
  const ending = purchaseFileEnding(`x${shown}`);
  if (ending === undefined) {
    throw new ConsoleProblem(
      'not_possible',
      `The name of the file ${noPurchaseFileEnding}. Save it in one of these formats and upload it again.`,
    );
  }
  const at = shown.length - ending.length;
  // Such prefixes mark unfinished or hidden files.
  const stem = shown.slice(0, at).replace(/^[\s.~$]+/, '');
  return fitName(stem === '' ? 'upload' : stem, shown.slice(at), reservedBytes);
};

/** Bytes of a multipart request besides the file. */
const envelopeBytes = 65_536;

const tooLarge = (maxBytes: number): ConsoleProblem =>
  new ConsoleProblem(
    'too_large',
    `The file is larger than ${Math.floor(maxBytes / 1_048_576).toLocaleString('en-US')} MB, the limit of uploads. Put it into the inbox of its account instead, or split it.`,
  );

/** Refuses a request whose declared length is too large, before its body is read. */
export const refuseAnnounced = (contentLength: string | undefined, maxBytes: number): void => {
  if (Number(contentLength ?? 0) > maxBytes + envelopeBytes) throw tooLarge(maxBytes);
};

const sentences: Record<string, string> = {
  FST_FILES_LIMIT: 'Upload one file at a time.',
  FST_PARTS_LIMIT: 'Upload one file at a time, without other fields.',
  FST_FIELDS_LIMIT: 'Upload one file at a time, without other fields.',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'Send the file as multipart/form-data, in a part named `file`.',
};

/** Explains a failed upload. Errors of the file system are answered by their cause. */
const explain = (error: unknown): unknown => {
  const { code = '', message = '' } = error as NodeJS.ErrnoException;
  if (error instanceof ConsoleProblem) return error;
  if (sentences[code] !== undefined) return new ConsoleProblem('malformed', sentences[code]);
  if (code === 'ENOSPC')
    return new ConsoleProblem(
      'not_possible',
      'No space is left on the disk for this file. Nothing was kept.',
    );
  if (/multipart|terminated early|premature/i.test(message) || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new ConsoleProblem(
      'malformed',
      'The upload was cut off, so nothing of it was kept. Upload it again.',
    );
  return error;
};

/**
 * Streams the one file of a multipart request to `path`, where it appears complete or not at all.
 * @throws ConsoleProblem `malformed`, `too_large`, `not_possible`
 */
export const receiveFile = async (
  parts: AsyncIterable<MultipartFile>,
  { path, maxBytes, mode }: { path: (fileName: string) => string; maxBytes: number; mode: number },
): Promise<{ givenName: string; sizeBytes: number; sha256: string }> => {
  const none = () => new ConsoleProblem('malformed', 'The request has no file in a part named `file`.');
  const iterator = parts[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    if (first.done) throw none();
    const { file, filename: givenName } = first.value;
    if (first.value.fieldname !== 'file' || !givenName) throw none();
    const hash = createHash('sha256');
    let sizeBytes = 0;
    await placeFile(
      path(givenName),
      async (temporaryPath) => {
        const count = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            hash.update(chunk);
            sizeBytes += chunk.length;
            done(null, chunk);
          },
        });
        await pipeline(file, count, createWriteStream(temporaryPath));
        if (file.truncated) throw tooLarge(maxBytes);
        // The file is complete only if the whole request is, which ends with the last boundary.
        if (!(await iterator.next()).done)
          throw new ConsoleProblem('malformed', 'Upload one file at a time.');
        if (sizeBytes === 0) throw new ConsoleProblem('not_possible', 'The file is empty.');
      },
      mode,
    );
    return { givenName, sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    throw explain(error);
  }
};

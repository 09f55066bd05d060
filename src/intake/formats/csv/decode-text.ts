import { createReadStream } from 'node:fs';
import { FileRefused, UserError } from '../../../errors.ts';
import { createDecode, type Decode } from './legacy-encodings.ts';

const badByte = (encoding: string, cause?: unknown) =>
  new FileRefused(
    'encoding_wrong',
    `The file was read as ${encoding}, but some of its bytes are not valid in that encoding. Set intake.encoding of the account to the right encoding, or save the file as UTF-8.`,
    { cause },
  );

/** The decoder of an encoding. @throws UserError `encoding_unknown`; the decoder throws FileRefused `encoding_wrong` */
export const decoderOf = (encoding: string): Decode => {
  let decode: Decode;
  try {
    decode = createDecode(encoding);
  } catch (error) {
    throw new UserError(
      'encoding_unknown',
      `intake.encoding: unknown encoding "${encoding}". Examples: utf-8, windows-1252, iso-8859-15, macintosh, cp437, shift_jis.`,
      { cause: error },
    );
  }
  return (chunk) => {
    try {
      return decode(chunk);
    } catch (error) {
      throw badByte(encoding, error);
    }
  };
};

const endOfText = 0x1a;

/** Removes the Ctrl-Z with which old programs end a text, and line ends around it. Elsewhere it is kept, and becomes an issue of its row. */
async function* withoutEndOfText(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const chunk of chunks) {
    if (held && chunk.every((byte) => byte === endOfText)) {
      held = Buffer.concat([held, chunk]);
      continue;
    }
    if (held) yield held;
    held = undefined;
    let end = chunk.length;
    for (let at = end; at > 0; at -= 1) {
      const byte = chunk[at - 1];
      if (byte === endOfText) end = at - 1;
      else if (byte !== 10 && byte !== 13) break;
    }
    if (end < chunk.length) held = chunk.subarray(end);
    if (end > 0) yield chunk.subarray(0, end);
  }
}

const chunkBytes = 1 << 16;

async function* decodeWhole(
  path: string,
  encoding: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const source: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: chunkBytes, signal });
  if (encoding === 'utf-8' || encoding === 'utf-8-bom') {
    let first = true;
    for await (const chunk of source) {
      const hasBom = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
      first = false;
      yield hasBom ? chunk.subarray(3) : chunk;
    }
    return;
  }
  const decode = decoderOf(encoding);
  const emit = (text: string) => {
    if (text.includes('\0')) {
      throw new FileRefused(
        'nul_byte',
        'The file contains NUL characters, so it was damaged during transfer. Export it again.',
      );
    }
    return Buffer.from(text);
  };
  for await (const chunk of source) {
    const text = decode(chunk);
    if (text !== '') yield emit(text);
  }
  const rest = decode(undefined);
  if (rest !== '') yield emit(rest);
}

/**
 * The file as UTF-8 without byte order mark, in chunks, without a Ctrl-Z at its end. Refuses invalid bytes; nothing is replaced silently.
 * UTF-8 is passed on unchanged, because `surveyText` has checked all of it.
 *
 * @throws FileRefused `encoding_wrong`, `nul_byte`; UserError `encoding_unknown`
 */
export const decodeText = (
  path: string,
  encoding: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> => withoutEndOfText(decodeWhole(path, encoding, signal));

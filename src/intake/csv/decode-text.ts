import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { FileRefused, UserError } from '../../errors.ts';

/**
 * Bytes 0x80 to 0x9f in windows-1252 by the Encoding Standard; five of them have no character. Node 20 decodes the label
 * windows-1252 as latin1, which turns a dash into a control character.
 */
const characters = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

/**
 * Decodes windows-1252. Pure.
 * @param unassigned replaces a byte that has no character; may throw
 */
export const decodeWindows1252 = (bytes: Buffer, unassigned: () => string): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (byte) => {
    const character = characters[byte.charCodeAt(0) - 0x80]!;
    return character === '\0' ? unassigned() : character;
  });

const badByte = (encoding: string, cause?: unknown) =>
  new FileRefused(
    'encoding_wrong',
    `The file was read as ${encoding}, but some of its bytes are not valid in that encoding. Set intake.encoding of the account to the right encoding, or save the file as UTF-8.`,
    { cause },
  );

const decode1252 = (chunk: Buffer): string =>
  decodeWindows1252(chunk, () => {
    throw badByte('windows-1252');
  });

const decoderOf = (encoding: string): ((chunk: Buffer | undefined) => string) => {
  if (encoding === 'windows-1252') return (chunk) => (chunk ? decode1252(chunk) : '');
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch (error) {
    throw new UserError(
      'encoding_unknown',
      `intake.encoding: unknown encoding "${encoding}". Examples: utf-8, windows-1252, iso-8859-15, shift_jis.`,
      { cause: error },
    );
  }
  return (chunk) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (error) {
      throw badByte(encoding, error);
    }
  };
};

const chunkBytes = 1 << 16;

/**
 * The file as UTF-8 without byte order mark, in chunks. Invalid bytes refuse the file; nothing is replaced silently.
 * UTF-8 is passed on unchanged, because `surveyText` has checked all of it.
 *
 * @throws FileRefused `encoding_wrong`, `nul_byte`; UserError `encoding_unknown`
 */
export async function* decodeText(
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

import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { FileRefused, UserError } from '../../errors.ts';
import { decodeWindows1252 } from '../windows-1252.ts';

const badByte = (encoding: string, cause?: unknown) =>
  new FileRefused(
    'encoding_wrong',
    `It was read as ${encoding}, but some of its bytes have no meaning there. Name its encoding in the account (intake.encoding), or save it as UTF-8.`,
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
      `intake.encoding: "${encoding}" is no encoding that we know. Examples: utf-8, windows-1252, iso-8859-15, shift_jis.`,
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
 * The file as UTF-8 without byte order mark, chunk by chunk. Bytes that mean nothing in the encoding refuse the
 * file; nothing is replaced silently. UTF-8 is passed on as it is: `surveyText` has seen that all of it is valid.
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
      const marked = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
      first = false;
      yield marked ? chunk.subarray(3) : chunk;
    }
    return;
  }
  const decode = decoderOf(encoding);
  const emit = (text: string) => {
    if (text.includes('\0')) {
      throw new FileRefused(
        'nul_byte',
        'It contains NUL characters, so it was damaged on its way. Export it again.',
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

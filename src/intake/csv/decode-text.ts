import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { FileRefused, UserError } from '../../errors.ts';

/**
 * windows-1252 by the Encoding Standard, 0x80 to 0x9f; five bytes have no character. Node 20 decodes this label as
 * latin1, which turns a dash into a control character.
 */
const windows1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

const badByte = (encoding: string, cause?: unknown) =>
  new FileRefused(
    'encoding_wrong',
    `It was read as ${encoding}, but some of its bytes have no meaning there. Name its encoding in the account (intake.encoding), or save it as UTF-8.`,
    { cause },
  );

const decode1252 = (chunk: Buffer): string =>
  chunk.toString('latin1').replace(/[\u0080-\u009f]/g, (byte) => {
    const character = windows1252[byte.charCodeAt(0) - 0x80]!;
    if (character === '\0') throw badByte('windows-1252');
    return character;
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

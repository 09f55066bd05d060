import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { FileRefused } from '../../errors.ts';
import type { IntakeOptions } from '../options.ts';
import type { Decision } from '../types.ts';

export interface TextSurvey {
  encoding: string;
  decision: Decision;
  sizeBytes: number;
  /** The file's last character ends a line. */
  endsWithLineEnd: boolean;
  /** Every line ends with a line feed, so the parser needs no other line ends. False when this was not checked. */
  onlyLineFeeds: boolean;
}

const chunkBytes = 1 << 16;

/** The number of bytes at the end that belong to a UTF-8 character continued in the next chunk. */
const openBytes = (chunk: Buffer): number => {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
};

/** The line that contains a byte. Reads the file again, because few files need it. */
const lineOfByte = async (path: string, at: number): Promise<number> => {
  let line = 1;
  if (at === 0) return line;
  for await (const chunk of createReadStream(path, { end: at - 1 }) as AsyncIterable<Buffer>) {
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, end + 1)) line += 1;
  }
  return line;
};

/** Whether some bytes are UTF-8 characters beyond ASCII, so that the rest was meant to be UTF-8 too. */
const hasUtf8Characters = (bytes: Buffer): boolean =>
  /[\u00c2-\u00f4][\u0080-\u00bf]+/.test(bytes.toString('latin1'));

const firstBadByte = (bytes: Buffer): number => {
  // Binary search with the same check as for the whole chunk.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, middle - openBytes(part)))) good = middle;
    else bad = middle;
  }
  return good;
};

const utf16Without = (head: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) zeros[at % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (odd > head.length / 8 && even === 0) return 'utf-16le';
  if (even > head.length / 8 && odd === 0) return 'utf-16be';
  return undefined;
};

const encodingOfBom = (head: Buffer): string | undefined => {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8-bom';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return undefined;
};

const override = 'intake.encoding';

/**
 * Reads the whole file once and detects its encoding. This happens before any row is read, because an invalid byte near
 * the end would otherwise change the encoding after half of the rows. Refuses NUL bytes and files that mix encodings.
 *
 * @throws FileRefused `nul_byte`, `encoding_mixed`
 */
export const surveyText = async (
  path: string,
  options: Pick<IntakeOptions, 'encoding' | 'fallbackEncoding'>,
  signal: AbortSignal | undefined,
): Promise<TextSurvey> => {
  let head: Buffer | undefined;
  let bomEncoding: string | undefined;
  let wide: string | undefined;
  let open = Buffer.alloc(0);
  let sizeBytes = 0;
  let sawUtf8 = false;
  let badAt: number | undefined;
  let last = 0;
  let onlyLineFeeds = true;
  for await (const chunk of createReadStream(path, {
    highWaterMark: chunkBytes,
    signal,
  }) as AsyncIterable<Buffer>) {
    if (!head) {
      head = chunk;
      bomEncoding = encodingOfBom(chunk);
      wide = options.encoding?.toLowerCase().startsWith('utf-16')
        ? options.encoding.toLowerCase()
        : (bomEncoding ?? utf16Without(chunk.subarray(0, 4096)));
    }
    sizeBytes += chunk.length;
    if (wide?.startsWith('utf-16')) {
      onlyLineFeeds = false;
      last = Math.max(chunk.at(-1)!, chunk.at(-2) ?? 0);
      continue;
    }
    const nul = chunk.indexOf(0);
    if (nul >= 0) {
      const line = await lineOfByte(path, sizeBytes - chunk.length + nul);
      throw new FileRefused(
        'nul_byte',
        `Line ${line} contains a NUL byte, so this is not a text file, or it was damaged during transfer. Export it again.`,
      );
    }
    last = chunk.at(-1)!;
    onlyLineFeeds &&= !chunk.includes(13);
    const bytes = open.length > 0 ? Buffer.concat([open, chunk]) : chunk;
    const whole = bytes.subarray(0, bytes.length - openBytes(bytes));
    if (!isAscii(whole)) {
      if (isUtf8(whole)) sawUtf8 = true;
      else {
        badAt ??= sizeBytes - bytes.length + firstBadByte(whole);
        sawUtf8 ||= hasUtf8Characters(whole);
      }
    }
    open = Buffer.from(bytes.subarray(whole.length));
  }
  if (open.length > 0) badAt ??= sizeBytes - open.length;
  const endsWithLineEnd = last === 10 || last === 13;
  const found = (encoding: string, why: string): TextSurvey => ({
    encoding,
    decision: { what: 'encoding', decided: encoding, why, override },
    sizeBytes,
    endsWithLineEnd,
    onlyLineFeeds,
  });
  if (options.encoding !== undefined) return found(options.encoding.toLowerCase(), 'set by the account');
  if (bomEncoding?.startsWith('utf-16'))
    return found(bomEncoding, 'it begins with the byte order mark of UTF-16');
  if (wide) return wide.startsWith('utf-16') ? found(wide, 'every other byte is zero') : afterUtf8();
  return afterUtf8();

  async function afterUtf8(): Promise<TextSurvey> {
    if (badAt === undefined) {
      return bomEncoding
        ? found('utf-8-bom', 'it begins with the byte order mark of UTF-8')
        : found('utf-8', 'the whole file is valid UTF-8');
    }
    const badLine = await lineOfByte(path, badAt);
    if (bomEncoding || sawUtf8) {
      throw new FileRefused(
        'encoding_mixed',
        `Line ${badLine} has bytes that are not UTF-8, but other parts of the file are UTF-8. The file was damaged or combines two encodings. Export it again, or set intake.encoding of the account.`,
      );
    }
    return found(
      options.fallbackEncoding.toLowerCase(),
      `line ${badLine} has bytes that are not UTF-8, and no other line has UTF-8 characters`,
    );
  }
};

import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { FileRefused } from '../../../errors.ts';
import type { IntakeOptions } from '../../options.ts';
import type { Decision, EncodingDoubt } from '../../types.ts';
import { startsWith } from '../first-bytes.ts';
import { guessEncoding } from './guess-encoding.ts';
import { doubtWestern } from './guess-language.ts';
import { encodingOfHeader } from './header-encoding.ts';

export interface TextSurvey {
  encoding: string;
  doubt?: EncodingDoubt;
  decision: Decision;
  /** The file's last character ends a line. */
  endsWithLineEnd: boolean;
  /** Every line ends with a line feed, so the parser needs no other line ends. False when this was not checked. */
  onlyLineFeeds: boolean;
  /** A blank is next to a quote somewhere, so it may be between a delimiter and a quoted value. */
  spacedQuotes: boolean;
}

const chunkBytes = 1 << 16;
const endOfText = 0x1a;

/** The number of bytes at the end that belong to a UTF-8 character continued in the next chunk. */
const openBytes = (chunk: Buffer): number => {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
};

/** The line that contains a byte. Reads the file again; few files need it. */
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

/** Detects UTF-16 and UTF-32 without a byte order mark by the zeros among the first bytes. */
const wideWithoutMark = (head: Buffer): string | undefined => {
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) zeros[at % 4]! += 1;
  const [first, second, third, fourth] = zeros as [number, number, number, number];
  const many = head.length / 16;
  const few = many / 4;
  if (first < few && second > many && third > many * 3 && fourth > many * 3) return 'utf-32le';
  if (fourth < few && third > many && second > many * 3 && first > many * 3) return 'utf-32be';
  if (second + fourth > many * 2 && first + third === 0) return 'utf-16le';
  if (first + third > many * 2 && second + fourth === 0) return 'utf-16be';
  return undefined;
};

const encodingOfBom = (head: Buffer): string | undefined => {
  if (startsWith(head, 0xef, 0xbb, 0xbf)) return 'utf-8-bom';
  if (startsWith(head, 0xff, 0xfe)) return startsWith(head, 0xff, 0xfe, 0, 0) ? 'utf-32le' : 'utf-16le';
  if (startsWith(head, 0xfe, 0xff)) return 'utf-16be';
  if (startsWith(head, 0, 0, 0xfe, 0xff)) return 'utf-32be';
  return undefined;
};

const isWide = (encoding: string | undefined): boolean =>
  encoding !== undefined && /^utf-(?:16|32)/.test(encoding);

const sampleBytes = 1 << 20;

/** Whole lines around the first byte that is not UTF-8. Reads the file again; few files need it. */
const linesFrom = async (path: string, badAt: number): Promise<Buffer> => {
  const start = Math.max(0, badAt - 4096);
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { start, end: start + sampleBytes - 1 })) {
    chunks.push(chunk as Buffer);
  }
  const bytes = Buffer.concat(chunks);
  const begin = start === 0 ? 0 : bytes.lastIndexOf(10, badAt - start) + 1;
  const end = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13)) + 1;
  return bytes.subarray(begin, bytes.length === sampleBytes && end > begin ? end : bytes.length);
};

const override = 'intake.encoding';
/** The fallback for text that is neither UTF-8 nor UTF-16 and looks like no other encoding. */
const western = 'windows-1252';
/** A blank and a quote, in either order, split between two chunks. */
const edges = new Set(['3234', '3432']);

/**
 * Reads the whole file once and detects its encoding. This happens before any row is read, because an invalid byte near
 * the end would otherwise change the encoding after half of the rows. Refuses NUL bytes and files that mix encodings.
 *
 * @throws FileRefused `nul_byte`, `encoding_mixed`
 */
export const surveyText = async (
  path: string,
  options: Pick<IntakeOptions, 'encoding'>,
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
  let lastByte = 0;
  let onlyLineFeeds = true;
  let spacedQuotes = false;
  for await (const chunk of createReadStream(path, {
    highWaterMark: chunkBytes,
    signal,
  }) as AsyncIterable<Buffer>) {
    if (!head) {
      head = chunk;
      bomEncoding = encodingOfBom(chunk);
      const asked = options.encoding?.toLowerCase();
      wide = isWide(asked) ? asked : (bomEncoding ?? wideWithoutMark(chunk.subarray(0, 4096)));
    }
    sizeBytes += chunk.length;
    if (isWide(wide)) {
      onlyLineFeeds = false;
      spacedQuotes = true;
      last = Math.max(...chunk.subarray(-4).filter((byte) => byte !== endOfText));
      continue;
    }
    spacedQuotes ||= chunk.includes(' "') || chunk.includes('" ') || edges.has(`${lastByte}${chunk[0]}`);
    lastByte = chunk.at(-1)!;
    const nul = chunk.indexOf(0);
    if (nul >= 0) {
      const line = await lineOfByte(path, sizeBytes - chunk.length + nul);
      throw new FileRefused(
        'nul_byte',
        `Line ${line} contains a NUL byte, so this is not a text file, or it was damaged during transfer. Export it again.`,
      );
    }
    let end = chunk.length;
    while (end > 0 && chunk[end - 1] === endOfText) end -= 1;
    if (end > 0) last = chunk[end - 1]!;
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
    endsWithLineEnd,
    onlyLineFeeds,
    spacedQuotes,
  });
  if (options.encoding !== undefined) return found(options.encoding.toLowerCase(), 'set by the account');
  if (isWide(wide)) {
    const name = wide!.slice(0, 6).toUpperCase();
    return found(wide!, bomEncoding ? `it begins with the byte order mark of ${name}` : 'by its zero bytes');
  }
  return afterUtf8();

  async function afterUtf8(): Promise<TextSurvey> {
    if (badAt === undefined) {
      return bomEncoding
        ? found('utf-8-bom', 'it begins with the byte order mark of UTF-8')
        : found('utf-8', 'the whole file is valid UTF-8');
    }
    const badLine = await lineOfByte(path, badAt);
    const mayGuess = bomEncoding === undefined;
    const sample = mayGuess ? await linesFrom(path, sawUtf8 ? 0 : badAt) : Buffer.alloc(0);
    let guess = mayGuess ? guessEncoding(sample) : { encoding: western, certain: true };
    const doubt = mayGuess && guess.encoding === western ? doubtWestern(sample) : undefined;
    if (doubt) guess = { encoding: doubt.certain ? doubt.likely[0]! : western, certain: doubt.certain };
    const ofHeader = doubt && !doubt.certain && !sawUtf8 ? encodingOfHeader(head!, doubt.likely) : undefined;
    if (ofHeader !== undefined) guess = { encoding: ofHeader, certain: true };
    if (guess.certain && guess.encoding !== western) {
      const words = ofHeader === undefined ? 'words' : 'words of headers';
      return found(
        guess.encoding,
        `line ${badLine} has bytes that are not UTF-8, and they are ${words} in this encoding`,
      );
    }
    if (bomEncoding || sawUtf8) {
      throw new FileRefused(
        'encoding_mixed',
        `Line ${badLine} has bytes that are not UTF-8, although ${bomEncoding ? 'the file begins with the mark of UTF-8' : 'others could be'}, so its encoding is not certain. Export it again as UTF-8, or set intake.encoding of the account to the encoding that it has${doubt && doubt.likely.length > 0 ? ` (probably ${doubt.likely.join(' or ')})` : ', for example windows-1252, windows-1250 or shift_jis'}.`,
      );
    }
    const read = found(
      western,
      `line ${badLine} has bytes that are not UTF-8, and no other line has UTF-8 characters${guess.certain ? '' : `; check that names and addresses look right${doubt && doubt.likely.length > 0 ? ` (it may be ${doubt.likely.join(' or ')})` : ''}`}`,
    );
    return doubt ? { ...read, doubt: { letters: doubt.letters, likely: doubt.likely } } : read;
  }
};

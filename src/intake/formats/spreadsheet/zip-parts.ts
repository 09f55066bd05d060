import { pipeline, type Readable, Transform } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { FileRefused } from '../../../errors.ts';
import { damaged, encrypted } from './refused-workbook.ts';
import { asUtf8 } from './utf8-parts.ts';

export interface ZipParts {
  has(name: string): boolean;
  names(): string[];
  /** An XML part as an inflated stream of UTF-8. The stream fails if its size or checksum differs from the archive's declaration. */
  stream(name: string): Promise<Readable>;
  /** The same as text, in chunks. */
  pieces(name: string): AsyncGenerator<string>;
  /** A small part as text. Refuses a part larger than `maxBytes`. */
  text(name: string, maxBytes: number): Promise<string>;
  sizeOf(name: string): number;
  close(): void;
}

const maxParts = 20_000;

const key = (name: string) => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

const pieceBytes = 1 << 18;

/** Passes a part through, and fails if its size or checksum differs from the archive's declaration. */
const checkWhole = (name: string, entry: Entry): Transform => {
  let size = 0;
  let checksum = 0;
  const wrong = () => damaged(`the size or checksum of its part ${name} is wrong`);
  return new Transform({
    highWaterMark: pieceBytes,
    transform: (piece: Buffer, _, done) => {
      size += piece.length;
      checksum = crc32(piece, checksum);
      if (size > entry.uncompressedSize) done(wrong());
      else done(null, piece);
    },
    flush: (done) => done(size === entry.uncompressedSize && checksum === entry.crc32 ? null : wrong()),
  });
};

/**
 * Opens a zip archive and reads its parts one by one. Refuses an archive whose declared sizes exceed the limit before
 * anything is inflated, and a part that is larger than declared.
 *
 * @throws FileRefused `damaged_workbook`, `workbook_too_large`, `encrypted_workbook`
 */
export const openZip = async (path: string, maxInflatedBytes: number): Promise<ZipParts> => {
  const entries = new Map<string, Entry>();
  let zip: ZipFile;
  try {
    zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw damaged('it is not a complete zip archive', error);
  }
  // Errors are thrown while parts are listed and read; a later one without a listener would end the process.
  zip.on('error', () => {});
  let inflated = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = key(entry.fileName);
      if (entries.has(name)) throw damaged(`it has two parts named ${JSON.stringify(entry.fileName)}`);
      if (entries.size >= maxParts) throw damaged(`it has more than ${maxParts} parts`);
      if (entry.isEncrypted()) throw encrypted();
      inflated += entry.uncompressedSize;
      if (inflated > maxInflatedBytes) {
        throw new FileRefused(
          'workbook_too_large',
          `The workbook has more than ${maxInflatedBytes} bytes when unpacked. Remove unneeded content, or split the workbook.`,
        );
      }
      entries.set(name, entry);
    }
  } catch (error) {
    zip.close();
    throw error instanceof FileRefused ? error : damaged('its list of parts cannot be read', error);
  }
  const entryOf = (name: string) => {
    const entry = entries.get(key(name));
    if (!entry) throw damaged(`it has no part ${name}`);
    return entry;
  };
  const stream = async (name: string): Promise<Readable> => {
    const entry = entryOf(name);
    const isDeflated = entry.compressionMethod === 8;
    if (!isDeflated && entry.compressionMethod !== 0)
      throw damaged(`its part ${name} has an unknown compression method`);
    const packed = await new Promise<Readable>((resolve, reject) =>
      // Inflated here instead of by yauzl, whose pieces of 16 kB make a large sheet slow.
      zip.openReadStream(entry, { decodeFileData: false }, (error, opened) =>
        error ? reject(damaged(`its part ${name} cannot be read`, error)) : resolve(opened),
      ),
    );
    const whole = checkWhole(name, entry);
    const text = asUtf8(name);
    const parts = isDeflated ? [createInflateRaw({ chunkSize: pieceBytes }), whole, text] : [whole, text];
    // The reader of the last stream receives the error.
    pipeline([packed, ...parts], () => {});
    return text;
  };
  async function* pieces(name: string): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const opened = await stream(name);
    try {
      for await (const chunk of opened as AsyncIterable<Buffer>)
        yield decoder.decode(chunk, { stream: true });
    } finally {
      opened.destroy();
    }
    yield decoder.decode();
  }
  const text = async (name: string, maxBytes: number): Promise<string> => {
    if (entryOf(name).uncompressedSize > maxBytes)
      throw damaged(`its part ${name} is larger than ${maxBytes} bytes`);
    try {
      let whole = '';
      for await (const piece of pieces(name)) whole += piece;
      return whole;
    } catch (error) {
      throw error instanceof FileRefused ? error : damaged(`its part ${name} cannot be unpacked`, error);
    }
  };
  return {
    has: (name) => entries.has(key(name)),
    names: () => [...entries.keys()],
    stream,
    pieces,
    text,
    sizeOf: (name) => entryOf(name).uncompressedSize,
    close: () => zip.close(),
  };
};

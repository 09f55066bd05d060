import { pipeline, type Readable, Transform } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { FileRefused } from '../../errors.ts';

export interface ZipParts {
  has(name: string): boolean;
  names(): string[];
  /** Inflated, as a stream; other bytes than declared, or another number of them, are an error of it. */
  stream(name: string): Promise<Readable>;
  /** A small part as text; refuses more than `maxBytes`. */
  text(name: string, maxBytes: number): Promise<string>;
  sizeOf(name: string): number;
  close(): void;
}

const maxParts = 20_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export const damaged = (detail: string, cause?: unknown): FileRefused =>
  new FileRefused(
    'damaged_workbook',
    `The workbook is damaged or not whole: ${detail}. Open it in a spreadsheet program, save it again, and send that.`,
    { cause },
  );

const key = (name: string) => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

const pieceBytes = 1 << 18;

/** Passes a part on and refuses it when it is not what the archive declares: larger, shorter, or changed. */
const checkWhole = (name: string, entry: Entry): Transform => {
  let size = 0;
  let checksum = 0;
  const wrong = () => damaged(`its part ${name} is not what the archive says of it`);
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
 * Lists a zip archive and gives its parts one by one. Nothing is inflated that does not fit the limit by its own
 * declaration, and nothing may turn out larger than it declared.
 *
 * @throws FileRefused `damaged_workbook`, `workbook_too_large`, `encrypted_workbook`
 */
export const openZip = async (path: string, maxInflatedBytes: number): Promise<ZipParts> => {
  const entries = new Map<string, Entry>();
  let zip: ZipFile;
  try {
    zip = await promisify<string, yauzl.Options, ZipFile>(yauzl.open)(path, {
      lazyEntries: true,
      autoClose: false,
    });
  } catch (error) {
    throw damaged('it is not a whole zip archive', error);
  }
  let inflated = 0;
  const list = () =>
    new Promise<void>((resolve, reject) => {
      zip.on('error', (error) => reject(damaged('its list of parts cannot be read', error)));
      zip.on('end', resolve);
      zip.on('entry', (entry: Entry) => {
        const name = key(entry.fileName);
        if (entries.has(name))
          return reject(damaged(`it has two parts named ${JSON.stringify(entry.fileName)}`));
        if (entries.size >= maxParts) return reject(damaged(`it has more than ${maxParts} parts`));
        if (entry.isEncrypted()) {
          return reject(
            new FileRefused(
              'encrypted_workbook',
              'The workbook is encrypted. Save it without a password, and send that.',
            ),
          );
        }
        inflated += entry.uncompressedSize;
        if (inflated > maxInflatedBytes) {
          return reject(
            new FileRefused(
              'workbook_too_large',
              `The workbook unpacks to more than ${maxInflatedBytes} bytes (intake.limits.maxInflatedBytes). Remove what is not needed from it, or split it.`,
            ),
          );
        }
        entries.set(name, entry);
        zip.readEntry();
      });
      zip.readEntry();
    });
  try {
    await list();
  } catch (error) {
    zip.close();
    throw error;
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
      throw damaged(`its part ${name} is packed in an unknown way`);
    const packed = await new Promise<Readable>((resolve, reject) =>
      // Unpacked here and not by yauzl: in pieces of 16 kB, as it does, a large sheet spends its time waiting.
      zip.openReadStream(entry, { decodeFileData: false }, (error, opened) =>
        error ? reject(damaged(`its part ${name} cannot be read`, error)) : resolve(opened),
      ),
    );
    const whole = checkWhole(name, entry);
    const parts = isDeflated ? [packed, createInflateRaw({ chunkSize: pieceBytes }), whole] : [packed, whole];
    // Its error comes to whoever reads the last part.
    pipeline(parts as [Readable, Transform], () => {});
    return whole;
  };
  const text = async (name: string, maxBytes: number): Promise<string> => {
    if (entryOf(name).uncompressedSize > maxBytes)
      throw damaged(`its part ${name} is larger than ${maxBytes} bytes`);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of await stream(name)) chunks.push(chunk as Buffer);
      return utf8.decode(Buffer.concat(chunks));
    } catch (error) {
      throw error instanceof FileRefused ? error : damaged(`its part ${name} cannot be unpacked`, error);
    }
  };
  return {
    has: (name) => entries.has(key(name)),
    names: () => [...entries.keys()],
    stream,
    text,
    sizeOf: (name) => entryOf(name).uncompressedSize,
    close: () => zip.close(),
  };
};

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { UserError } from '../../errors.ts';
import { fileAccess } from '../../file-access.ts';

/** The first line of a backup. Its number increases when older versions can no longer read the file. */
const magic = 'cartwright backup ';
const format = 1;

/** Ends the rows of a table. COPY writes no such row, because it doubles every backslash. */
const endOfRows = '\\.\n';

/** A longer line means a damaged file. */
const lineLimit = 16 * 1024 * 1024;

/** The header of a backup. */
export interface BackupHead {
  createdAt: string;
  /** The version of Cartwright that wrote it. */
  version: string;
  /** The ledger's migrations, which define its tables. */
  migrations: { name: string; sha256: string }[];
  /** The configuration file without its secrets, as YAML; null: there was none. */
  configuration: string | null;
}

/** A part of a backup, in the order of the file. */
export type BackupPart =
  /** `rows` as COPY writes them in its text format; they must be read before the next part. */
  | { kind: 'table'; table: string; columns: string[]; rows: AsyncIterable<Buffer> }
  | { kind: 'sequences'; sequences: { name: string; value: string }[] };

const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

async function* linesOf(head: BackupHead, parts: AsyncIterable<BackupPart>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${magic}${format}\n`);
  yield line(head);
  for await (const part of parts) {
    if (part.kind === 'sequences') {
      yield line(part);
      continue;
    }
    const { rows, ...table } = part;
    yield line(table);
    yield* rows;
    yield Buffer.from(endOfRows);
  }
}

async function* withChecksum(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of lines) {
    hash.update(chunk);
    yield chunk;
  }
  yield line({ kind: 'end', sha256: hash.digest('hex') });
}

/** Writes a backup: compressed lines of text with their checksum at the end. Holds only a few chunks in memory. */
export const writeBackupFile = (
  path: string,
  head: BackupHead,
  parts: AsyncIterable<BackupPart>,
): Promise<void> =>
  pipeline(
    Readable.from(withChecksum(linesOf(head, parts))),
    // Twice as fast as the default, and a tenth larger.
    createGzip({ level: 3 }),
    createWriteStream(path, { mode: fileAccess.owner.file }),
  );

const refused = (path: string, what: string, code = 'backup_damaged', cause?: unknown): UserError =>
  new UserError(code, `${path} ${what}`, { cause });

const notABackup = (path: string) =>
  refused(
    path,
    'is not a backup of Cartwright. Give a file that `cartwright backup` wrote.',
    'backup_unknown',
  );
const cutOff = (path: string, cause?: unknown) =>
  refused(
    path,
    'is cut off, so nothing was restored. Copy the whole backup again, or use another one.',
    undefined,
    cause,
  );
/** The error for a file that differs from what was written. */
export const altered = (path: string, cause?: unknown) =>
  refused(path, 'is damaged or was altered, so nothing was restored. Use another backup.', undefined, cause);

/** The bytes of a backup, unpacked. */
async function* unpack(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  file.pipe(unpacked);
  try {
    yield* unpacked;
  } catch (error) {
    const { code, errno } = error as { code?: string; errno?: number };
    if (code === 'Z_BUF_ERROR') throw cutOff(path, error);
    if (code?.startsWith('Z_'))
      throw /incorrect header check/.test(String(error)) ? notABackup(path) : altered(path, error);
    if (errno !== undefined && code === 'ENOENT')
      throw new UserError('backup_missing', `There is no file ${path}.`, { cause: error });
    throw error;
  } finally {
    file.destroy();
  }
}

export interface OpenBackup {
  head: BackupHead;
  /** The parts of the file. Ends without an error only if the checksum is right; until then, nothing of the backup may be used. */
  parts: AsyncGenerator<BackupPart>;
}

/**
 * Opens a backup and reads its first lines.
 * @throws UserError `backup_missing`, `backup_unknown`, `backup_newer`, `backup_damaged`; so do its parts
 */
export const openBackupFile = async (path: string): Promise<OpenBackup> => {
  const chunks = unpack(path);
  const hash = createHash('sha256');
  let pending: Buffer = Buffer.alloc(0);

  const readMore = async (): Promise<void> => {
    const { value, done } = await chunks.next();
    if (done) throw cutOff(path);
    pending = pending.length === 0 ? value : Buffer.concat([pending, value]);
    if (pending.length > 2 * lineLimit) throw altered(path);
  };
  const take = (length: number): Buffer => {
    const taken = pending.subarray(0, length);
    pending = pending.subarray(length);
    return taken;
  };
  const readLine = async (): Promise<Buffer> => {
    for (;;) {
      const end = pending.indexOf('\n');
      if (end !== -1) return take(end + 1);
      await readMore();
    }
  };
  const readJson = (text: Buffer): Record<string, unknown> => {
    try {
      const value: unknown = JSON.parse(text.toString());
      if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
    } catch {}
    throw altered(path);
  };

  async function* readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      // This is always the beginning of a line.
      while (pending.length < endOfRows.length) await readMore();
      const isEnd = pending.subarray(0, endOfRows.length).equals(Buffer.from(endOfRows));
      const end = isEnd ? 0 : pending.indexOf(`\n${endOfRows}`) + 1;
      if (isEnd || end > 0) {
        const rows = take(end);
        hash.update(rows);
        if (rows.length > 0) yield rows;
        hash.update(take(endOfRows.length));
        return;
      }
      const rows = take(pending.lastIndexOf('\n') + 1);
      hash.update(rows);
      if (rows.length > 0) yield rows;
      else await readMore();
    }
  }

  async function* readParts(): AsyncGenerator<BackupPart> {
    for (;;) {
      const text = await readLine();
      const part = readJson(text);
      if (part.kind === 'end') {
        if (part.sha256 !== hash.digest('hex')) throw altered(path);
        return;
      }
      hash.update(text);
      if (part.kind === 'sequences') yield part as unknown as BackupPart;
      else if (part.kind === 'table') yield { ...part, rows: readRows() } as unknown as BackupPart;
      else throw altered(path);
    }
  }

  const first = await readLine().catch((error: unknown) => {
    throw pending.length > 64 ? notABackup(path) : error;
  });
  const text = first.toString();
  if (!text.startsWith(magic)) throw notABackup(path);
  const found = Number(text.slice(magic.length));
  if (found > format) {
    throw refused(
      path,
      `has format ${found} of a later version of Cartwright; this version reads format ${format}. Install that version or a later one.`,
      'backup_newer',
    );
  }
  if (found !== format) throw altered(path);
  hash.update(first);
  const head = await readLine();
  hash.update(head);
  return { head: readJson(head) as unknown as BackupHead, parts: readParts() };
};

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes, Stats } from 'ssh2';
import { connectSftp } from './connect-sftp.ts';
import { explainAnswer, status } from './explain-answer.ts';
import {
  type FilePlace,
  joinPath,
  type PlaceEntry,
  PlaceError,
  splitPath,
  temporaryName,
} from './file-place.ts';
import { type SftpServer, serverName } from './sftp-settings.ts';

/** The size of one read or write that every server supports. */
const chunkBytes = 32_768;
const fileMode = 0o640;

type Done<T> = (error?: (Error & { code?: unknown }) | null, result?: T) => void;

const kindOf = ({ mode }: Pick<Attributes, 'mode'>, longName = ''): PlaceEntry['kind'] => {
  // A server may send no type; then only the human-readable line has it.
  const type = (mode ?? 0) & 0o170000;
  if (type === 0o100000 || (type === 0 && longName.startsWith('-'))) return 'file';
  return type === 0o040000 || (type === 0 && longName.startsWith('d')) ? 'folder' : 'other';
};

const entryOf = (name: string, attributes: Attributes | Stats, longName?: string): PlaceEntry => ({
  name,
  kind: kindOf(attributes, longName),
  sizeBytes: attributes.size ?? 0,
  modifiedMs: (attributes.mtime ?? 0) * 1000,
});

export interface SftpPlaceOptions {
  /** Ends the connection and all calls on it. */
  signal?: AbortSignal | undefined;
  /** For crash tests: a file is complete under its temporary name. */
  onWritten?: (() => Promise<void>) | undefined;
}

/**
 * Connects to a server as a place. A call that the server does not answer in time ends the connection.
 *
 * @throws PlaceError `lost`
 */
export const openSftpPlace = async (
  server: SftpServer,
  { signal, onWritten }: SftpPlaceOptions = {},
): Promise<FilePlace> => {
  const { sftp, lost, close } = await connectSftp(server, signal);
  const place = serverName(server);

  const call = async <T>(what: string, path: string, start: (done: Done<T>) => void): Promise<T> => {
    const timer = new AbortController();
    const answer = new Promise<T>((resolve, reject) =>
      start((error, result) =>
        error ? reject(explainAnswer(server, { what, path }, error)) : resolve(result as T),
      ),
    );
    const late = sleep(server.timeoutMs, undefined, { ref: false, signal: timer.signal }).then(() => {
      throw new PlaceError(
        'lost',
        `The SFTP server ${place} did not answer for ${Math.ceil(server.timeoutMs / 1000)} s.`,
        { code: 'sftp_unreachable' },
      );
    });
    late.catch(() => {});
    try {
      return await Promise.race([answer, lost, late]);
    } catch (error) {
      answer.catch(() => {});
      // Later calls on a broken connection fail at once instead of waiting again.
      if (error instanceof PlaceError && error.reason === 'lost') void close();
      throw error;
    } finally {
      timer.abort();
    }
  };

  const orMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof PlaceError && error.reason === 'missing') return undefined;
      throw error;
    }
  };

  const find: FilePlace['find'] = async (path) => {
    const found = await orMissing(call<Stats>('see', path, (done) => sftp.lstat(path, done)));
    return found && entryOf(splitPath(path).name, found);
  };

  const remove: FilePlace['remove'] = async (path) => {
    await orMissing(call<void>('remove', path, (done) => sftp.unlink(path, done)));
  };

  const isFolder = async (path: string): Promise<boolean> => {
    const found = await orMissing(call<Stats>('see', path, (done) => sftp.stat(path, done)));
    return found !== undefined && kindOf(found) === 'folder';
  };

  const makeFolder = async (path: string): Promise<void> => {
    if (path === '' || path === '/' || (await isFolder(path))) return;
    await makeFolder(splitPath(path).folder);
    try {
      await call<void>('create the folder', path, (done) => sftp.mkdir(path, done));
    } catch (error) {
      // Another program may have created it.
      if (!(await isFolder(path))) throw error;
    }
  };

  const closeHandle = (path: string, handle: Buffer) =>
    call<void>('close', path, (done) => sftp.close(handle, done));

  const readChunks = async function* (path: string, handle: Buffer): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; ; ) {
        const buffer = Buffer.alloc(chunkBytes);
        const count = await call<number>('read', path, (done) =>
          sftp.read(handle, buffer, 0, chunkBytes, at, (error, bytes) =>
            (error as { code?: unknown } | undefined)?.code === status.endOfFile
              ? done(undefined, 0)
              : done(error, bytes),
          ),
        );
        if (count === 0) return;
        at += count;
        yield buffer.subarray(0, count);
      }
    } finally {
      await closeHandle(path, handle).catch(() => {});
    }
  };

  /** `shown` is the name that the file will have. */
  const writeTemporary = async (path: string, content: Readable, shown: string): Promise<void> => {
    const handle = await call<Buffer>('write', shown, (done) =>
      sftp.open(path, 'w', { mode: fileMode }, done),
    );
    let at = 0;
    try {
      for await (const data of content) {
        const chunk = data as Buffer;
        for (let from = 0; from < chunk.length; from += chunkBytes) {
          const part = chunk.subarray(from, from + chunkBytes);
          await call<unknown>('write', shown, (done) => sftp.write(handle, part, 0, part.length, at, done));
          at += part.length;
        }
      }
    } finally {
      content.destroy();
      await closeHandle(shown, handle);
    }
    const stored = (await find(path))?.sizeBytes;
    if (stored !== at) {
      throw new PlaceError(
        'failed',
        `Of ${shown} the SFTP server ${place} stored ${stored ?? 'no'} bytes instead of ${at}. Its disk may be full, or another program changed the file.`,
      );
    }
  };

  const replace = async (from: string, to: string): Promise<void> => {
    try {
      await call<void>('rename', to, (done) => sftp.ext_openssh_rename(from, to, done));
      return;
    } catch (error) {
      // Otherwise ssh2 refused: the server lacks this extension, and cannot replace a file in one step.
      if (error instanceof PlaceError) throw error;
    }
    await remove(to);
    await call<void>('rename', to, (done) => sftp.rename(from, to, done));
  };

  return {
    find,
    remove,
    close,

    list: async (folder) => {
      const path = folder === '' ? '.' : folder;
      const found = await call<{ filename: string; longname: string; attrs: Attributes }[]>(
        'list',
        folder,
        (done) => sftp.readdir(path, done),
      );
      return found.map(({ filename, longname, attrs }) => entryOf(filename, attrs, longname));
    },

    read: async (path) => {
      const handle = await call<Buffer>('read', path, (done) => sftp.open(path, 'r', done));
      return Readable.from(readChunks(path, handle), { objectMode: false });
    },

    write: async (path, content) => {
      const { folder, name } = splitPath(path);
      const temporary = joinPath(folder, temporaryName(name, randomUUID()));
      try {
        await makeFolder(folder);
        await writeTemporary(temporary, content, path);
        await onWritten?.();
        await replace(temporary, path);
      } catch (error) {
        content.destroy();
        if (!(error instanceof PlaceError && error.reason === 'lost'))
          await remove(temporary).catch(() => {});
        throw error;
      }
    },

    move: async (from, to) => {
      if ((await find(from))?.kind !== 'file') return false;
      // Some servers would replace it.
      if (await find(to)) throw new PlaceError('exists', `${to} exists at the SFTP server ${place}.`);
      await makeFolder(splitPath(to).folder);
      try {
        await call<void>('move', from, (done) => sftp.rename(from, to, done));
        return true;
      } catch (error) {
        if ((error as PlaceError).reason === 'lost' || (await find(from))) throw error;
        return false;
      }
    },
  };
};

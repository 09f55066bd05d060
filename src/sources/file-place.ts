import type { Readable } from 'node:stream';
import { UserError } from '../errors.ts';

/** An entry of a folder at a place. */
export interface PlaceEntry {
  /** One name, without a folder. A server may send anything: check it with `whyUnusableName` before using it as a path. */
  name: string;
  /** `other`: a symbolic link, a pipe, a device. */
  kind: 'file' | 'folder' | 'other';
  sizeBytes: number;
  /** By the clock of the place; an SFTP server counts in seconds. */
  modifiedMs: number;
}

/**
 * Where files come from and go to: a folder of this machine, or an SFTP server. Paths are relative to the place, with `/`.
 * Every call throws a `PlaceError` for problems that a person has to fix. `test/sources/file-place.contract.ts` tests each kind.
 */
export interface FilePlace {
  /** The entries of a folder, without subfolders. @throws PlaceError `missing` if there is no such folder */
  list(folder: string): Promise<PlaceEntry[]>;
  /** The entry at a path, without following a link; undefined if there is none. */
  find(path: string): Promise<PlaceEntry | undefined>;
  /** The content of a file. A failure destroys the stream with a PlaceError. */
  read(path: string): Promise<Readable>;
  /**
   * Writes or replaces the file at a path. Readers see the old content or the complete new one: it is written under a temporary
   * name that begins with a dot, checked for its size, and renamed. Creates the folder.
   */
  write(path: string, content: Readable): Promise<void>;
  /**
   * Moves a file to an unused path, and creates the folder.
   * @returns false if there is no file at `from`
   * @throws PlaceError `exists`
   */
  move(from: string, to: string): Promise<boolean>;
  /** Removes a file, if it exists. */
  remove(path: string): Promise<void>;
  /** Ends the connection and all calls that still run on it. Idempotent, never throws. */
  close(): Promise<void>;
}

/**
 * Thrown by a place. `lost`: the place itself cannot be used (any more), so other calls will fail, too; other reasons concern
 * one file or folder.
 */
export class PlaceError extends UserError {
  override name = 'PlaceError';
  readonly reason: 'missing' | 'denied' | 'exists' | 'failed' | 'lost';
  constructor(
    reason: PlaceError['reason'],
    message: string,
    { code = `place_${reason}`, cause }: { code?: string; cause?: unknown } = {},
  ) {
    super(code, message, { cause });
    this.reason = reason;
  }
}

/** `orders/new` and `a.csv` as `orders/new/a.csv`. */
export const joinPath = (folder: string, name: string): string =>
  folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;

/** The folder and the name of a path. */
export const splitPath = (path: string): { folder: string; name: string } => {
  const at = path.lastIndexOf('/');
  return { folder: at === -1 ? '' : path.slice(0, at) || '/', name: path.slice(at + 1) };
};

/** The temporary name of a file that is being written; `id` is a UUID. */
export const temporaryName = (name: string, id: string): string =>
  `.${[...name].slice(0, 50).join('')}.${id}.part`;

/** Whether a name is one from `temporaryName`. */
export const isTemporaryName = (name: string): boolean => /^\..+\.[0-9a-f-]{36}\.part$/s.test(name);

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Why a server's file name cannot be used as a path, worded to follow "its name"; undefined if it can. */
export const whyUnusableName = (name: string): string | undefined => {
  if (name === '' || name === '.' || name === '..' || /[/\\]/.test(name))
    return 'would lead to another folder';
  // The decoder puts this character where bytes are not UTF-8, so the name cannot be sent back.
  if (name.includes('\ufffd')) return 'is not UTF-8';
  if (control.test(name)) return 'contains control characters';
  return undefined;
};

/** A name for people, without characters that would disturb the text around it. */
export const showName = (name: string): string =>
  [...name].map((character) => (control.test(character) ? '\ufffd' : character)).join('');

import { readdir } from 'node:fs/promises';
import { decodeWindows1252 } from './windows-1252.ts';

/** A path for calls to the file system: bytes where a name in it is not UTF-8. */
export type FilePath = string | Buffer;

/** The longest name that the usual file systems take, in bytes. */
const longestNameBytes = 255;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decodeUtf8 = (bytes: Buffer): string | undefined => {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

/** The beginning of a text that fits into so many bytes of UTF-8; never half a character. Pure. */
export const shortenToBytes = (text: string, bytes: number): string => {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = '';
  let room = bytes;
  for (const character of text) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return kept;
};

/**
 * A name as people read it. FTP servers store a client's bytes: those that are not UTF-8 are read as windows-1252.
 * Names that are valid UTF-8 come back as they are; what else would not fit into a name is shortened before its ending.
 */
export const readableName = (bytes: Buffer): string => {
  const name = decodeUtf8(bytes);
  if (name !== undefined) return name;
  const decoded = decodeWindows1252(bytes, () => '_');
  const dot = decoded.lastIndexOf('.');
  const ending = dot > 0 && decoded.length - dot <= 10 ? decoded.slice(dot) : '';
  const stem = decoded.slice(0, decoded.length - ending.length);
  return shortenToBytes(stem, longestNameBytes - Buffer.byteLength(ending)) + ending;
};

/** The path of a name in a folder, as text where the name is UTF-8. */
export const pathIn = (folder: string, name: Buffer): FilePath => {
  const text = decodeUtf8(name);
  return text === undefined ? Buffer.concat([Buffer.from(`${folder}/`), name]) : `${folder}/${text}`;
};

/** The folder of a path. */
export const folderOf = (path: FilePath): string => {
  const bytes = Buffer.from(path as string);
  return bytes.subarray(0, bytes.lastIndexOf(0x2f)).toString();
};

/** The readable name at the end of a path. */
export const readableBasename = (path: FilePath): string => {
  const bytes = Buffer.from(path as string);
  return readableName(bytes.subarray(bytes.lastIndexOf(0x2f) + 1));
};

/** The names in a folder as the file system has them: also those that are not UTF-8. */
export const readNames = (folder: string): Promise<Buffer[]> => readdir(folder, { encoding: 'buffer' });

/**
 * A name made of a stem and what must follow it, short enough for the file system and for `reserved` more bytes behind
 * it. The stem gives way. Pure.
 */
export const fitName = (stem: string, rest: string, reserved = 0): string =>
  shortenToBytes(stem, longestNameBytes - reserved - Buffer.byteLength(rest)) + rest;

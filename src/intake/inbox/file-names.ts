import { readdir } from 'node:fs/promises';
import { decodeWindows1252 } from '../formats/csv/legacy-encodings.ts';

/** A path for file system calls: bytes when a name in it is not UTF-8. */
export type FilePath = string | Buffer;

/** The longest file name that common file systems allow, in bytes. */
const longestNameBytes = 255;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decodeUtf8 = (bytes: Buffer): string | undefined => {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

/** The longest beginning of a text that fits into the given bytes of UTF-8, in whole characters. Pure. */
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
 * A file name as readable text. FTP servers store the bytes that a client sends; bytes that are not UTF-8 are decoded as
 * windows-1252, and the result is shortened before its ending if it is too long for a file name.
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

/** The path of a name in a folder, as text when the name is UTF-8. */
export const pathIn = (folder: string, name: Buffer): FilePath => {
  const text = decodeUtf8(name);
  return text === undefined ? Buffer.concat([Buffer.from(`${folder}/`), name]) : `${folder}/${text}`;
};

export const folderOf = (path: FilePath): string => {
  const bytes = Buffer.from(path as string);
  return bytes.subarray(0, bytes.lastIndexOf(0x2f)).toString();
};

/** The readable name at the end of a path. */
export const readableBasename = (path: FilePath): string => {
  const bytes = Buffer.from(path as string);
  return readableName(bytes.subarray(bytes.lastIndexOf(0x2f) + 1));
};

/** The names in a folder as bytes, including names that are not UTF-8. */
export const readNames = (folder: string): Promise<Buffer[]> => readdir(folder, { encoding: 'buffer' });

/**
 * `stem` and `rest` as one name, with the stem shortened so that the name and `reserved` more bytes fit into a file name.
 * Pure.
 */
export const fitName = (stem: string, rest: string, reserved = 0): string =>
  shortenToBytes(stem, longestNameBytes - reserved - Buffer.byteLength(rest)) + rest;

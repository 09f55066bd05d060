import { decodeWindows1252 } from '../intake/formats/csv/legacy-encodings.ts';

/** The characters of windows-1252 that Unicode has elsewhere; a space marks an unassigned code. */
const upper = decodeWindows1252(Buffer.from(Array.from({ length: 32 }, (_, at) => 0x80 + at)), () => ' ');
const byCharacter = new Map([...upper].flatMap((at, offset) => (at === ' ' ? [] : [[at, 0x80 + offset]])));

const encode1252 = (text: string): Buffer =>
  Buffer.from(
    text.replace(/[^\0-\x7f\xa0-\xff]/gu, (character) =>
      String.fromCharCode(byCharacter.get(character) ?? 0x3f),
    ),
    'latin1',
  );

export interface TextEncoding {
  /** The byte order mark; empty if the encoding has none. */
  mark: Buffer;
  encode(text: string): Buffer;
}

/**
 * The encoding of a result file for a purchase file in this encoding: the same if we can write it, so that a result file
 * that is sent back can be read with the same settings; otherwise UTF-8 with a byte order mark.
 */
export const textEncodingFor = (encoding: string | undefined): TextEncoding => {
  switch (encoding) {
    case 'utf-8':
      return { mark: Buffer.alloc(0), encode: (text) => Buffer.from(text, 'utf8') };
    case 'utf-16le':
      return { mark: Buffer.from([0xff, 0xfe]), encode: (text) => Buffer.from(text, 'utf16le') };
    case 'utf-16be':
      return { mark: Buffer.from([0xfe, 0xff]), encode: (text) => Buffer.from(text, 'utf16le').swap16() };
    case 'windows-1252':
      return { mark: Buffer.alloc(0), encode: encode1252 };
    default:
      return { mark: Buffer.from([0xef, 0xbb, 0xbf]), encode: (text) => Buffer.from(text, 'utf8') };
  }
};

import { Transform } from 'node:stream';
import { TextDecoder } from 'node:util';
import { declaredEncoding, wideXml } from '../first-bytes.ts';
import { damaged } from './refused-workbook.ts';

/** The encoding of an XML part by its first bytes and its declaration (XML 1.0, appendix F); undefined for UTF-8. */
const encodingOf = (head: Buffer): string | undefined => {
  const wide = wideXml(head);
  if (wide !== undefined) return wide;
  const name = declaredEncoding(head)?.toLowerCase();
  return name === undefined || name === 'utf-8' || name === 'utf8' || name === 'us-ascii' ? undefined : name;
};

/**
 * Converts an XML part to UTF-8 without byte order mark. Most parts are UTF-8 and pass unchanged; the reader detects invalid bytes in them.
 *
 * The stream fails with FileRefused `damaged_workbook` for an unknown encoding and for invalid bytes.
 */
export const asUtf8 = (name: string): Transform => {
  let decoder: TextDecoder | undefined;
  let seen = false;
  const decode = (piece: Buffer | undefined): Buffer | Error => {
    try {
      return Buffer.from(piece ? decoder!.decode(piece, { stream: true }) : decoder!.decode());
    } catch (error) {
      return damaged(`its part ${name} has bytes that are not ${decoder!.encoding}`, error);
    }
  };
  return new Transform({
    highWaterMark: 1 << 18,
    transform: (piece: Buffer, _, done) => {
      if (!seen) {
        seen = true;
        const encoding = encodingOf(piece);
        try {
          // A byte order mark is removed by the decoder.
          if (encoding !== undefined) decoder = new TextDecoder(encoding, { fatal: true });
        } catch (error) {
          return done(damaged(`its part ${name} is in the unknown encoding ${encoding}`, error));
        }
      }
      const text = decoder ? decode(piece) : piece;
      return text instanceof Error ? done(text) : done(null, text);
    },
    flush: (done) => {
      const rest = decoder ? decode(undefined) : undefined;
      return rest instanceof Error ? done(rest) : done(null, rest);
    },
  });
};

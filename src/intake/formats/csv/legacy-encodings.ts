import { TextDecoder } from 'node:util';

/** Bytes 0x80 to 0xff in the code pages of DOS, which the Encoding Standard does not have. */
const dos: Record<string, string> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
};
/**
 * Bytes 0x80 to 0x9f in windows-1252 by the Encoding Standard; five of them have no character. Node 20 decodes the label
 * windows-1252 as latin1, which turns a dash into a control character.
 */
const characters = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

/**
 * Decodes windows-1252. Pure.
 * @param unassigned replaces a byte that has no character; may throw
 */
export const decodeWindows1252 = (bytes: Buffer, unassigned: () => string): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (byte) => {
    const character = characters[byte.charCodeAt(0) - 0x80]!;
    return character === '\0' ? unassigned() : character;
  });

const refuseByte = () => {
  throw new TypeError('a byte has no character');
};

const dosNames: Record<string, string> = { ibm437: 'cp437', 437: 'cp437', ibm850: 'cp850', 850: 'cp850' };

/** Decodes a stream chunk by chunk; call without a chunk at the end. Throws TypeError for invalid bytes. */
export type Decode = (chunk: Buffer | undefined) => string;

const dosDecoder =
  (table: string): Decode =>
  (chunk) =>
    chunk
      ? chunk.toString('latin1').replace(/[\u0080-\u00ff]/g, (byte) => table[byte.charCodeAt(0) - 128]!)
      : '';

/** UTF-32, four bytes for each character. A byte order mark is removed. */
const utf32Decoder = (littleEndian: boolean): Decode => {
  let open = Buffer.alloc(0);
  let first = true;
  return (chunk) => {
    if (!chunk) {
      if (open.length > 0) throw new TypeError('the text ends within a character');
      return '';
    }
    const bytes = open.length > 0 ? Buffer.concat([open, chunk]) : chunk;
    const whole = bytes.length - (bytes.length % 4);
    open = Buffer.from(bytes.subarray(whole));
    let text = '';
    for (let at = 0; at < whole; at += 4) {
      const point = littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
      if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) throw new TypeError('no character');
      if (!first || point !== 0xfeff) text += String.fromCodePoint(point);
      first = false;
    }
    return text;
  };
};

/**
 * The decoder of an encoding: those of the Encoding Standard, UTF-32, and the code pages 437 and 850 of DOS.
 *
 * @throws RangeError for an unknown encoding
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */
export const createDecode = (encoding: string): Decode => {
  if (encoding === 'windows-1252') return (chunk) => (chunk ? decodeWindows1252(chunk, refuseByte) : '');
  const table = dos[dosNames[encoding] ?? encoding];
  if (table !== undefined) return dosDecoder(table);
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return utf32Decoder(encoding === 'utf-32le');
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
};

/** Decodes bytes; undefined if they are invalid or the encoding is unknown. Pure. */
export const decodeAll = (encoding: string, bytes: Buffer): string | undefined => {
  try {
    const decode = createDecode(encoding);
    return decode(bytes) + decode(undefined);
  } catch {
    return undefined;
  }
};

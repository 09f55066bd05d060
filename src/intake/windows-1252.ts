/**
 * windows-1252 by the Encoding Standard, 0x80 to 0x9f; five bytes have no character. Node 20 decodes this label as
 * latin1, which turns a dash into a control character.
 */
const characters = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

/**
 * Bytes of windows-1252 as text. Pure.
 * @param unassigned what stands for a byte that has no character; may throw
 */
export const decodeWindows1252 = (bytes: Buffer, unassigned: () => string): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (byte) => {
    const character = characters[byte.charCodeAt(0) - 0x80]!;
    return character === '\0' ? unassigned() : character;
  });

import type { Refusal } from './compile-rules.ts';

/** Typical of UTF-8 that was read as windows-1252, of characters that were lost, and of control characters. */
const misread = /[\u0080-\u009f\ufffd]|Ã[\u00a0-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|Â[\u00a1-\u00bf]/;
/** Signs, and capital letters of few languages, where only letters can be. */
const withinWord =
  /\p{L}[¡¢£¤¥¦§¨©«¬®¯±²³´µ¶¸¹»¼½¾¿÷‚ƒ„…†‡ˆ‰‹•˜™›€“”\u2500-\u259f]\p{L}|\p{L}[¤¦¨¬¯´¶¸¹³¼¾‚ƒ„†‡ˆ‰‹˜](?!\p{L})|[¤¦§¨¬¯¶¸¹³¼‚ƒ†‡ˆ‰›˜][\p{L}]|\p{Ll}[ŠŒŽŸƒ]|œæ|[\u2500-\u259f]\p{L}/u;

/** Whether some characters look like text that was read in another encoding than it was written. Pure. */
export const looksMisread = (text: string): boolean => misread.test(text) || withinWord.test(text);

/** @see looksMisread */
export const oddCharacters: Refusal = {
  refused: 'odd_characters',
  message:
    'Some characters look wrong, so the file may have been written in another encoding than it was read in. If they are wrong, set intake.encoding of the account to the right encoding (for example macintosh, cp850 or windows-1250), or save the file as UTF-8.',
  expected: '',
};

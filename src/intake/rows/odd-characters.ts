import { type FieldName, fields } from '../columns/fields.ts';
import type { Detection } from '../types.ts';
import { isPlain } from './clean-cell.ts';
import { type Refusal, refuse } from './compile-rules.ts';

/** Typical of UTF-8 read as windows-1252, lost characters, and control characters. */
const misread = /[\u0080-\u009f\ufffd]|Ã[\u00a0-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|Â[\u00a1-\u00bf]/;
/** Symbols, and capital letters of few languages, in positions where only letters are possible. */
const withinWord =
  /\p{L}[¡¢£¤¥¦§¨©«¬®¯±²³´µ¶¸¹»¼½¾¿÷‚ƒ„…†‡ˆ‰‹•˜™›€“”\u2500-\u259f]\p{L}|\p{L}[¤¦¨¬¯´¶¸¹³¼¾‚ƒ„†‡ˆ‰‹˜](?!\p{L})|[¤¦§¨¬¯¶¸¹³¼‚ƒ†‡ˆ‰›˜][\p{L}]|\p{Ll}[ŠŒŽŸƒ]|œæ|[\u2500-\u259f]\p{L}|(?<![\p{L}\d])[£¥©®ª]\p{L}|\p{L}[¡¿]/u;

/** UTF-7 (`M+APw-ller`), and a letter that was replaced because an encoding lacked it (`M?ller`, `Mu?oz`). */
const utf7 = /\+A[A-P][A-Za-z0-9/]-/;
const lostLetter = /\p{L}\?\p{Ll}/u;

/** Whether letters were replaced before the file was written; a question mark in a web address does not count. Pure. */
const hasLostLetters = (text: string): boolean =>
  (text.includes('?') || text.includes('+')) &&
  !/:\/\/|\bwww\./i.test(text) &&
  (utf7.test(text) || lostLetter.test(text));

/** Whether some characters look like text read in the wrong encoding. Pure. */
export const looksMisread = (text: string): boolean => misread.test(text) || withinWord.test(text);

/** How the text of a file was decoded. */
type Decoded = Pick<Detection, 'encoding' | 'doubt'>;

/** The message about letters that were replaced before the file was written. */
const lostLetters = refuse(
  'odd_characters',
  'A letter seems to be replaced, as in M?ller or M+APw-ller for Müller, and it was already so when the file was written. If it is, export the file again from the program it comes from, as UTF-8.',
  '',
);

/**
 * The message about characters that look wrong. In Unicode text and workbooks they were lost before the file was written, so no setting
 * restores them. Pure.
 */
const oddCharacters = ({ encoding, doubt }: Decoded): Refusal =>
  refuse(
    'odd_characters',
    encoding === undefined || encoding.startsWith('utf-')
      ? 'Some characters look wrong, and they were already so when the file was written: the text was damaged before it came. If they are wrong, export it again from the program it comes from, as UTF-8.'
      : `Some characters look wrong, so the file may have been written in another encoding than it was read in. If they are wrong, set intake.encoding of the account to the right encoding (${doubt && doubt.likely.length > 0 ? `probably ${doubt.likely.join(' or ')}` : 'for example macintosh, cp850, windows-1250 or shift_jis'}), or save the file as UTF-8.`,
    '',
  );

/** Reports the first value of each field with wrong-looking characters. */
export const createOddWatch = (
  decoded: Decoded,
): ((text: string, field: FieldName) => Refusal | undefined) => {
  const noted = new Set<FieldName>();
  const doubtful = new Set(decoded.doubt?.letters);
  const isDoubtful = (text: string) =>
    looksMisread(text) || (doubtful.size > 0 && [...text].some((letter) => doubtful.has(letter)));
  return (text, field) => {
    if (noted.has(field)) return undefined;
    const odd =
      !isPlain(text) && isDoubtful(text)
        ? oddCharacters(decoded)
        : hasLostLetters(text) && fields[field].kind === 'text'
          ? lostLetters
          : undefined;
    if (odd) noted.add(field);
    return odd;
  };
};

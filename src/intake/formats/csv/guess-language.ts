import type { EncodingDoubt } from '../../types.ts';
import { isOf, isWestern, lettersOf, otherLanguages, westernLanguages, wordsOf } from './language-letters.ts';
import { decodeAll, decodeWindows1252 } from './legacy-encodings.ts';

/** Without Icelandic vowels in the text, these letters indicate another encoding. */
const icelandicLetter = /[þðý]/i;
const isIcelandic = (word: string) => /[áíúóæ]/i.test(word) && isOf(westernLanguages.icelandic)(word);

/** A word whose letters have the same bytes in central European encodings: `Tomáš`, `Béla`. */
const sharedLetters = /^[\0-\u007fáéíóúäëöüšžâîôçß]+$/i;
const isShared = (word: string): boolean =>
  sharedLetters.test(word) && otherLanguages['windows-1250']!.some((language) => isOf(language)(word));

/** What speaks against a text being in windows-1252. */
export interface WesternDoubt extends EncodingDoubt {
  /** No western language has the words, and all of them are of one language in the likeliest encoding, and in no other one. */
  certain: boolean;
}

/** Encodings of other alphabets, in which nearly every letter is non-ASCII. */
const otherAlphabets = ['windows-1253', 'windows-1251', 'windows-1255', 'windows-1256', 'windows-874'];

/**
 * Finds words that exist in no western European language, such as `Bucureºti`, and the language that has them in another encoding.
 * Undefined if there are none. Pure.
 */
export const doubtWestern = (bytes: Buffer): WesternDoubt | undefined => {
  const all = wordsOf(decodeWindows1252(bytes, () => ' '));
  const unshared = all.filter((word) => !isShared(word));
  const strange = unshared.filter((word) => !isWestern(word));
  const icelandic = all.some(isIcelandic);
  const odd = icelandic ? strange : unshared.filter((word) => icelandicLetter.test(word) || !isWestern(word));
  if (odd.length === 0) return undefined;
  const fits = Object.entries(otherLanguages).map(([encoding, languages]) => {
    const words = wordsOf(decodeAll(encoding, bytes) ?? '');
    const shares = languages.map((language) => words.filter(isOf(language)).length / (words.length || 1));
    return { encoding, words: words.join(' '), share: Math.max(...shares) };
  });
  const [best, ...others] = fits.toSorted((a, b) => b.share - a.share);
  const rival = others.find(({ words }) => words !== best!.words);
  // One odd word may be a foreign name in a western file.
  const enough = strange.length >= 2 && new Set(strange.flatMap(lettersOf)).size >= 2;
  const foreign = all.filter((word) => lettersOf(word).length * 2 > word.length).length * 2 > all.length;
  const likely = foreign
    ? otherAlphabets
    : [best!, ...others].flatMap(({ encoding, share }) => (share > 0.4 ? [encoding] : []));
  return {
    letters: [...new Set(odd.flatMap((word) => [...word].filter((one) => one > '\u007f')))].join(''),
    likely: likely.slice(0, 4),
    certain: !foreign && best!.share === 1 && (rival?.share ?? 0) < 1 && enough,
  };
};

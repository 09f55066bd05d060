import { createDecode, decodeWindows1252 } from './legacy-encodings.ts';

/** The letters beyond ASCII of the languages that are written in an encoding. */
const western = [
  'àâæçèéêëîïôœùûüÿ',
  'áéíñóúü',
  'áàâãçéêíóôõúü',
  'äöüß',
  'àèéìíîòóùú',
  'àçèéíïòóúü',
  'æøåéèêóòâôäöü',
  'åäöéàüáèç',
  'áéëïíóöúüèêçñä',
  'äõöüšž',
  'âêîôûäëïöáéíóúàèìòù',
  'áðéíóúýþæö',
  'áðíóúýæø',
];
const central = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž', 'äöüß'];
const languages: Record<string, readonly string[]> = {
  'windows-1250': central,
  'iso-8859-2': central,
  'windows-1254': ['çğıiöşüâîû'],
  'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž'],
};

/** The words that have letters beyond ASCII, without the ª or º at the end of a number or an abbreviation. */
const wordsOf = (text: string): string[] =>
  (text.match(/\p{L}+/gu) ?? [])
    .map((word) => word.replace(/^(\d*|\p{L}{1,6})[ªº]$/u, '$1'))
    .filter((word) => /[^\0-\u007f]/.test(word));

const lettersOf = (word: string) =>
  [...word.replaceAll('İ', 'i').toLowerCase()].filter((one) => one > '\u007f');
const isOf = (alphabet: string) => (word: string) =>
  lettersOf(word).every((letter) => alphabet.includes(letter));

/** In a text without the vowels of Iceland these are letters of another encoding. */
const icelandicLetter = /[þðý]/i;

/** The words that no language of western Europe has. */
const oddWords = (words: readonly string[]): string[] => {
  const icelandic = words.some((word) => /[áíúóæ]/i.test(word) && isOf(western[11]!)(word));
  return words.filter(
    (word) =>
      !western.some((alphabet) => isOf(alphabet)(word)) ||
      /[ß-ÿ][À-ÖØ-Þ]/.test(word) ||
      (icelandicLetter.test(word) && !icelandic),
  );
};

/** What speaks against a text being in windows-1252. */
export interface WesternDoubt {
  /** The letters of the words that no language of western Europe has. */
  letters: string;
  /** The encodings that may be meant, the likeliest first. */
  likely: string[];
  /** All words are of one language in the likeliest encoding, and in no other one. */
  certain: boolean;
}

/** Encodings of other alphabets: they turn nearly every letter into one beyond ASCII. */
const otherAlphabets = ['windows-1253', 'windows-1251', 'windows-1255', 'windows-1256', 'windows-874'];

/**
 * Looks for words that no language of western Europe has, such as `Bucureºti`, and for the language that has them in
 * another encoding. Undefined if there are none. Pure.
 */
export const doubtWestern = (bytes: Buffer): WesternDoubt | undefined => {
  const westernText = decodeWindows1252(bytes, () => ' ');
  const all = wordsOf(westernText);
  const odd = oddWords(all);
  if (odd.length === 0) return undefined;
  const fits = Object.entries(languages).map(([encoding, alphabets]) => {
    try {
      const text = createDecode(encoding)(bytes);
      const words = wordsOf(text);
      const shares = alphabets.map((alphabet) => words.filter(isOf(alphabet)).length / words.length);
      return { encoding, words: words.join(' '), share: Math.max(...shares) };
    } catch {
      return { encoding, words: '', share: 0 };
    }
  });
  const [best, ...others] = fits.toSorted((a, b) => b.share - a.share);
  const rival = others.find(({ words }) => words !== best!.words);
  const enough = new Set(odd.flatMap(lettersOf)).size >= 2 && odd.length >= 2;
  const foreign = all.filter((word) => lettersOf(word).length * 2 > word.length);
  const sorted = [best!, ...others];
  const likely =
    foreign.length * 2 > all.length
      ? otherAlphabets
      : sorted.flatMap(({ encoding, share }) => (share > 0.4 ? [encoding] : []));
  return {
    letters: [...new Set(odd.flatMap((word) => [...word].filter((one) => one > '\u007f')))].join(''),
    likely: likely.slice(0, 4),
    certain: best!.share === 1 && (rival?.share ?? 0) < 1 && enough,
  };
};

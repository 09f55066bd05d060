/** The letters of a non-Latin encoding. */
interface Alphabet {
  /** Its frequent letters. Misread words of another alphabet consist of its letters too, but rare ones. */
  frequent: string;
  vowels?: RegExp;
  /** Patterns that never occur in its words. */
  never?: RegExp;
}

const cyrillic: Alphabet = { frequent: 'оеаинтсрвлкмдпуёіїєґ', vowels: /[аеёиоуыэюяіїє]/ };
export const greek: Alphabet = {
  frequent: 'αοιετνσηυρπκμλςωάόίέήύώ',
  vowels: /[αεηιουωάέήίόύώϊϋΐΰ]/,
  // Each word has one accent, few letters can end it, and ς occurs only at the end.
  never: /ς\p{L}|[άέήίόύώΐΰ]\p{L}*[άέήίόύώΐΰ]|..[βγδζθκλμξπστφχψ]$/u,
};
export const alphabets: Record<string, Alphabet> = {
  'windows-1251': cyrillic,
  'iso-8859-5': cyrillic,
  'koi8-r': cyrillic,
  ibm866: cyrillic,
  'windows-1253': greek,
  'iso-8859-7': greek,
  'windows-1255': { frequent: 'יוהלאתרבשמנםד' },
  'windows-1256': { frequent: 'اليمونرتبةدحسعأ' },
};
const leastFrequent = 0.7;

/** No word has more adjacent consonants than this. */
const mostConsonants = 5;
const canBeSaid = (word: string, { vowels, never }: Alphabet): boolean => {
  if (never?.test(word)) return false;
  if (vowels === undefined || word.length < 3) return true;
  return vowels.test(word) && word.split(vowels).every((part) => part.length <= mostConsonants);
};

/** How plausible a text is in another alphabet, from 0 to 1; any ordinary text reaches 1. */
export const ordinaryIn = (encoding: string, text: string): number => {
  const alphabet = alphabets[encoding];
  if (alphabet === undefined) return 1;
  const words = (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => /[^\0-\u007f]/.test(word));
  const letters = words.join('').replace(/[\0-\u007f]/g, '');
  if (letters === '') return 0;
  const frequent = [...letters].filter((one) => alphabet.frequent.includes(one)).length;
  const said = words.filter((word) => canBeSaid(word, alphabet)).length;
  return (Math.min(1, frequent / letters.length / leastFrequent) * said) / words.length;
};

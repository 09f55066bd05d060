/** The letters of an encoding that has others than Latin ones. */
interface Alphabet {
  /** Its frequent letters: words of one alphabet are letters of another one too, but rare ones. */
  frequent: string;
  vowels?: RegExp;
  /** What its words never have. */
  never?: RegExp;
}

const cyrillic: Alphabet = { frequent: 'оеаинтсрвлкмдпуёіїєґ', vowels: /[аеёиоуыэюяіїє]/ };
export const greek: Alphabet = {
  frequent: 'αοιετνσηυρπκμλςωάόίέήύώ',
  vowels: /[αεηιουωάέήίόύώϊϋΐΰ]/,
  // Each word has one accent, few letters can end it, and this sigma is only its last letter.
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

/** No word has more consonants than these side by side. */
const mostConsonants = 5;
const canBeSaid = (word: string, { vowels, never }: Alphabet): boolean => {
  if (never?.test(word)) return false;
  if (vowels === undefined || word.length < 3) return true;
  return vowels.test(word) && word.split(vowels).every((part) => part.length <= mostConsonants);
};

/** How much the words of another alphabet are like its words, from 0 to 1, which is reached by any ordinary text. */
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

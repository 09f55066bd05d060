/** How a language uses its non-ASCII letters. */
export interface Language {
  letters: string;
  /** Combinations of lower-case letters that never occur in its words. */
  never?: RegExp;
}

/** è as the č of `Kučera` and `Petrovič`, ê as the ę of `Węgrzyn`, ï as the ď of `Ďurica`. */
const graveE = '[aeáéíó]è|oè(?=\\p{L})|è(?=[aeiouyáéíóúk])|(?<!^p)iè$';
const roofE = 'ê(?=[dgkwz])|[kw]\\p{L}*ê|ê\\p{L}*[kw]';
const dotsI = '(?<![aeouéèq])ï';
/** ë as the ė of `Klaipėda`, ç as the ē of `Cēsis`. */
const dotsE = '(?<![aeiouéèü])ë';
const cedilla = 'ç(?![aouáâãàóôõúû])';
/** ñ as the ń of `Gdańsk`. */
const tildeN = 'ñ(?![aeiouyáéíóú])';
/** ð as the đ of `Anđelka`, þ as the ş of `Eskişehir`. */
const icelandic = '(?<![aeiouyáéíóúýæörfg])ð|þ$|[aeiouyáéíóúýæö]þ(?![óúrui])|[cqwz]';

const never = (...patterns: string[]) => new RegExp(patterns.join('|'), 'u');

/**
 * The languages that are written in windows-1252. Each lists only combinations that occur in its names, because misread letters of other
 * languages show up as others: in windows-1252 Gdańsk is `Gdañsk`, Dvořák is `Dvoøák` and Győr is `Gyõr`.
 */
export const westernLanguages = {
  french: {
    letters: 'àâæçèéêëîïôœùûüÿ',
    never: never(
      graveE,
      roofE,
      dotsI,
      dotsE,
      cedilla,
      '[àù](?=\\p{L})',
      '[aeiouy]œ|œ(?=[wkpz]|ci|$)|[aeiouy]æ|æ(?=[aou])',
      'sz|zs|cz',
    ),
  },
  spanish: { letters: 'áéíñóúü', never: never(tildeN) },
  portuguese: {
    letters: 'áàâãçéêíóôõúü',
    never: never('ã(?!o|e|s?$)', 'õ(?!e)', roofE, cedilla),
  },
  german: { letters: 'äöüß' },
  swiss: { letters: 'äöüéèà', never: never(graveE) },
  italian: { letters: 'àèéìíîòóùú', never: never('[àèìòù](?=\\p{L})', '(?<!^p)iè$', '[aey]ò$') },
  catalan: { letters: 'àçèéíïòóúü', never: never(graveE, dotsI, '[aey]ò') },
  danish: {
    letters: 'æøåéôäöü',
    never: never('[aeouyéöä]ø|ø(?=[aouéö])|iø(?=i)', '[aouyéö]æ|[ei]æ$|[ei]æ(?=[aeiou])|^æ(?=[aeiou])'),
  },
  swedish: { letters: 'åäöéàüš' },
  dutch: { letters: 'áéëïíóöúüèêçñä', never: never(graveE, roofE, dotsI, dotsE, cedilla, tildeN) },
  estonian: {
    letters: 'äõöüšž',
    never: never('[cqwxyz]\\p{L}*õ|õ\\p{L}*[cqwxyz]', '[aeiouäöü]\\p{L}*[^aeiouäöüõ]õ'),
  },
  welsh: { letters: 'âêîôûäëïö', never: never(roofE, dotsI, dotsE, 'sz|zs|cz|cs') },
  icelandic: { letters: 'áðéíóúýþæö', never: never(icelandic, '[aiouyáéíóúý]æ|yý') },
} satisfies Record<string, Language>;

const central: readonly Language[] = [
  // Polish
  { letters: 'ąćęłńóśźż', never: never('[ćńśźąę](?=[aeiouyąęó])', '[qvx]') },
  // Czech, Slovak
  {
    letters: 'áčďéěíňóřšťúůýž',
    never: never('(?<![bpvmfdtn])ě', 'ě(?=[aeiouyáéíóúů])', 'ů(?=[aeiouyáéíóú])', '[qx]'),
  },
  { letters: 'áäčďéíĺľňóôŕšťúýž', never: never('[qx]') },
  // Hungarian
  { letters: 'áéíóöőúüű', never: never('[őű](?=[aeiouáéíóöőúüű])', '[qx]') },
  // Romanian
  { letters: 'ăâîşţ', never: never('ă(?=[aeoâî])') },
  // Croatian, Slovene, Serbian
  { letters: 'čćđšž', never: never('[qwxy]') },
  // German
  { letters: 'äöüß' },
];

/** The languages of other encodings with Latin letters. */
export const otherLanguages: Record<string, readonly Language[]> = {
  'windows-1250': central,
  'iso-8859-2': central,
  'windows-1254': [{ letters: 'çğıiöşüâîû', never: never('(?<![aeıioöuüâîû])ğ', '[qwx]') }],
  'windows-1257': [
    { letters: 'ąčęėįšųūž', never: never('[qwx]') },
    { letters: 'āčēģīķļņšūž', never: never('[qwxy]') },
  ],
};

const lowered = (word: string) => word.replaceAll('İ', 'i').toLowerCase();

/** The non-ASCII letters of a word, in lower case. */
export const lettersOf = (word: string): string[] => [...lowered(word)].filter((one) => one > '\u007f');

/** Whether a word with non-ASCII letters can belong to a language. */
export const isOf =
  (language: Language) =>
  (word: string): boolean =>
    lettersOf(word).every((letter) => language.letters.includes(letter)) &&
    !language.never?.test(lowered(word));

/** The distinct words with non-ASCII letters, without the ª or º at the end of a number or an abbreviation. */
export const wordsOf = (text: string): string[] => {
  const words = (text.match(/\p{L}+/gu) ?? [])
    .map((word) => word.replace(/^(\d*|\p{L}{1,3})[ªº]$/u, '$1'))
    .filter((word) => /[^\0-\u007f]/.test(word));
  return [...new Set(words)];
};

/** The largest share of accented letters in a longer western word: `Êàçàíü` is Казань in windows-1251. */
const mostAccented = 0.75;

/** Whether a word with non-ASCII letters can belong to a language written in windows-1252. */
export const isWestern = (word: string): boolean =>
  Object.values(westernLanguages).some((language) => isOf(language)(word)) &&
  !/[ß-ÿ][À-ÖØ-Þ]/.test(word) &&
  (word.length < 4 || lettersOf(word).length <= word.length * mostAccented);

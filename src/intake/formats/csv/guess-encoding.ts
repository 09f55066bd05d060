import { isWestern, wordsOf } from './language-letters.ts';
import { decodeAll } from './legacy-encodings.ts';
import { alphabets, greek, ordinaryIn } from './other-alphabets.ts';

/** The score of a sample in an encoding: from -1 (no text) to 1 (words), and the number of characters behind it. */
interface Verdict {
  value: number;
  characters: number;
  /** Some characters are impossible in their position: a symbol within a word. */
  broken: boolean;
}

const none: Verdict = { value: -1, characters: 0, broken: true };
const isLatin = /\p{Script=Latin}/u;
const isLetter = /\p{L}/u;
const isCapital = /\p{Lu}/u;
const isSmall = /\p{Ll}/u;
/** Frequent letters in western European names and addresses. */
const frequent = /[àáâãäåçèéêëíñóôöøúüß]/i;

/** How well a character fits its position in ordinary text. */
const signValue = (before: string, sign: string, after: string): number => {
  const [left, right] = [isLetter.test(before), isLetter.test(after)];
  if (left && right) return sign === '’' || sign === '·' ? 0.9 : -1;
  if (/[“‘«„]/.test(sign)) return left ? -0.5 : 0.8;
  if (/[¡¿]/.test(sign)) return left ? -1 : 0.8;
  if (/[”’»…™]/.test(sign)) return right ? -0.5 : 0.8;
  // ®ilina, £ukasz: letters of central Europe.
  if (/[®©£¥]/.test(sign) && right) return -1;
  if (/[®©]/.test(sign)) return 0.8;
  if (/[°²³ªº€£½¼¾]/.test(sign)) return /[\d\s]/.test(before) || /[\d\s]/.test(after) ? 0.8 : 0;
  return /[–—•·§×±\u00a0]/.test(sign) ? 0.5 : -1;
};

const letterValue = (before: string, letter: string, after: string): number => {
  const [left, right] = [isLetter.test(before), isLetter.test(after)];
  if (!isLatin.test(letter)) {
    // Letters of another alphabet form separate words.
    const mixed = (left && isLatin.test(before)) || (right && isLatin.test(after));
    const capital = isCapital.test(letter) && isSmall.test(before);
    return mixed || capital ? -1 : left || right ? 1 : 0;
  }
  // A capital letter within a word, as in JosŽ and MŸller.
  if (isCapital.test(letter) && (isSmall.test(before) || (left && isSmall.test(after)))) return -1;
  // Such letters are seldom adjacent.
  if ((left && before >= '\u0080') || (right && after >= '\u0080')) return 0.2;
  return frequent.test(letter) ? 1 : 0.8;
};

const fitOf = (before: string, character: string, after: string): number => {
  if (character < '\u00a0' || character === '\ufffd') return -2;
  return isLetter.test(character)
    ? letterValue(before, character, after)
    : signValue(before, character, after);
};

/** How much a text looks like words, by its non-ASCII characters and their neighbours. */
const wordsIn = (text: string): Verdict => {
  let sum = 0;
  let characters = 0;
  let broken = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) < 0x80) continue;
    const fit = fitOf(text[at - 1] ?? ' ', text[at]!, text[at + 1] ?? ' ');
    sum += fit;
    broken ||= fit <= -1;
    characters += 1;
  }
  return characters === 0 ? none : { value: Math.max(-1, sum / characters), characters, broken };
};

/** Common characters of the double-byte encodings: kana, Hangul syllables, and the more frequent ideographs. */
const common: Record<string, (lead: number, character: string) => boolean> = {
  shift_jis: (lead, character) =>
    /[\u3000-\u30ff\uff01-\uff5e]/.test(character) || (lead >= 0x88 && lead <= 0x97),
  'euc-jp': (lead, character) =>
    /[\u3000-\u30ff\uff01-\uff5e]/.test(character) || (lead >= 0xb0 && lead <= 0xcf),
  'euc-kr': (_, character) => /[\uac00-\ud7a3]/.test(character),
  gbk: (lead, character) => /[\u3000-\u3002\uff01-\uff5e]/.test(character) || (lead >= 0xb0 && lead <= 0xd7),
  big5: (lead, character) => /[\u3000-\u3002\uff01-\uff5e]/.test(character) || (lead >= 0xa4 && lead <= 0xc6),
};
const kana = /[\u3040-\u30ff]/;

/** How much bytes look like text in a double-byte encoding. */
const pairsIn = (encoding: string, bytes: Buffer): Verdict & { kanas: number } => {
  const text = decodeAll(encoding, bytes);
  if (text === undefined) return { ...none, kanas: 0 };
  let at = 0;
  let characters = 0;
  let good = 0;
  let inRuns = 0;
  let kanas = 0;
  let before = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x80) {
      at += 1;
    } else {
      // Half-width kana, and no other character of these encodings, are one byte.
      const isHalf = encoding === 'shift_jis' && code >= 0xff61 && code <= 0xff9f;
      characters += 1;
      if (before >= 0x80 || (bytes[at + (isHalf ? 1 : 2)] ?? 0) >= 0x80) inRuns += 1;
      if (kana.test(character)) kanas += 1;
      if (!isHalf && common[encoding]!(bytes[at]!, character)) good += 1;
      at += isHalf ? 1 : code > 0xffff || (encoding === 'euc-jp' && bytes[at] === 0x8f) ? 3 : 2;
    }
    before = code;
  }
  if (characters < 4 || inRuns < characters * 0.7) return { ...none, kanas: 0 };
  // The Chinese and Korean sets contain kana too, but their texts rarely do.
  const japanese = encoding === 'shift_jis' || encoding === 'euc-jp';
  const odd = japanese ? 0 : kanas / characters;
  return { value: good / characters - odd, characters, broken: false, kanas: kanas / characters };
};

/** In order of preference. */
const singles = [
  'windows-1252',
  'macintosh',
  'cp437',
  'cp850',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'iso-8859-5',
  'koi8-r',
  'ibm866',
  'windows-1253',
  'iso-8859-7',
  'windows-1255',
  'windows-1256',
];
/** With fewer letters, Żółć in windows-1250 is also a word of Cyrillic letters. */
const leastLetters = 5;
const leastValue = 0.7;
const leastLead = 0.25;

/** Other encodings of the windows-1252 languages. Graøyna is no word in them, but it is Grażyna in windows-1250. */
const westernElsewhere: ReadonlySet<string> = new Set(['macintosh', 'cp437', 'cp850']);
const hasWesternWords = ({
  encoding,
  text,
  characters,
}: Verdict & { encoding: string; text: string }): boolean =>
  !westernElsewhere.has(encoding) || (characters >= 2 && wordsOf(text).every(isWestern));

export interface GuessedEncoding {
  encoding: string;
  /** Whether no other encoding gives equally good text. */
  certain: boolean;
}

/**
 * Guesses the encoding of non-Unicode text by scoring the result of each encoding: words, or symbols within words. Falls back to
 * windows-1252 (not certain) if no other is clearly better. Statistical detection packages need long texts; a purchase file has a few names
 * among numbers. Pure.
 *
 * @param bytes whole lines, some with non-ASCII bytes
 */
export const guessEncoding = (bytes: Buffer): GuessedEncoding => {
  const pairs = Object.keys(common)
    .map((encoding) => ({ encoding, ...pairsIn(encoding, bytes) }))
    .toSorted((a, b) => b.value - a.value);
  const [best, second] = pairs;
  // These bytes are also frequent Chinese characters, but Chinese text has bytes that these sets lack.
  const narrow = pairs.find(
    ({ encoding, value, characters, kanas }) =>
      characters >= 8 && value >= 0.95 && (encoding === 'euc-kr' || (encoding === 'euc-jp' && kanas >= 0.2)),
  );
  if (narrow) return { encoding: narrow.encoding, certain: true };
  if (best!.value >= 0.85 && best!.value - second!.value >= 0.05) {
    return { encoding: best!.encoding, certain: true };
  }
  const words = singles.map((encoding) => {
    const text = decodeAll(encoding, bytes);
    if (text === undefined) return { encoding, text: '', ...none };
    const { value, ...verdict } = wordsIn(text);
    return { encoding, text, ...verdict, value: value > 0 ? value * ordinaryIn(encoding, text) : value };
  });
  const western = words[0]!;
  const [likely, ...others] = words.toSorted((a, b) => b.value - a.value);
  const other = others.find(
    ({ encoding, text }) =>
      text !== likely!.text && !(alphabets[encoding] === greek && alphabets[likely!.encoding] === greek),
  );
  // A plausible western reading is kept; text in another alphabet would make every word odd.
  const mayLeave =
    alphabets[likely!.encoding] === undefined
      ? western.broken && hasWesternWords(likely!)
      : likely!.characters >= leastLetters;
  if (
    mayLeave &&
    likely!.value >= leastValue &&
    likely!.value - western.value >= leastLead &&
    likely!.value - (other?.value ?? -1) >= 0.1
  ) {
    return { encoding: likely!.encoding, certain: true };
  }
  return { encoding: 'windows-1252', certain: western.value >= leastValue };
};

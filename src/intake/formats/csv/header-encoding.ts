import { isOfWords, readHeader } from '../../columns/read-header.ts';
import { wordsOf } from './language-letters.ts';
import { decodeAll } from './legacy-encodings.ts';

/** The header is below a few titles at most. */
const mostLines = 10;
/** Longer words are not looked up. */
const longestWord = 40;

const headerWordsIn = (encoding: string, bytes: Buffer): number => {
  const words = wordsOf(decodeAll(encoding, bytes) ?? '').filter((word) => word.length <= longestWord);
  return words.filter((word) => isOfWords(readHeader(word))).length;
};

/**
 * The encoding in which the first lines contain non-ASCII header words (`Ilość`, `Sipariş`) that windows-1252 garbles. Undefined if there
 * is none. Pure.
 *
 * @param head the beginning of the file
 * @param candidates possible encodings, likeliest first
 */
export const encodingOfHeader = (head: Buffer, candidates: readonly string[]): string | undefined => {
  let end = 0;
  for (let line = 0; line < mostLines && end >= 0; line += 1) end = head.indexOf(10, end + 1);
  const lines = end < 0 ? head : head.subarray(0, end);
  const western = headerWordsIn('windows-1252', lines);
  const [best] = candidates
    .map((encoding) => ({ encoding, words: headerWordsIn(encoding, lines) }))
    .toSorted((a, b) => b.words - a.words);
  return best && best.words > western ? best.encoding : undefined;
};

import { once } from '../../once.ts';
import { headerWords, joints, type Meaning } from './header-words.ts';

/** A header as a set of meanings. */
export interface HeaderReading {
  meanings: ReadonlySet<Meaning>;
  /** The number of unknown words; a header with such words may mean anything. */
  unknown: number;
}

/** Whether a header has a meaning and all its words are known. Pure. */
export const isOfWords = ({ meanings, unknown }: HeaderReading): boolean =>
  unknown === 0 && meanings.size > 0;

/** Whether a header has only these meanings: `Total`, `No.`. Pure. */
export const isOnly = ({ meanings, unknown }: HeaderReading, ...only: Meaning[]): boolean =>
  unknown === 0 && meanings.size > 0 && [...meanings].every((one) => only.includes(one));

/** Lower case without accents. Marks of other scripts are kept: が is not か. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[łøđıß]/g, (letter) => ({ ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss' })[letter]!)
    .replace(/æ/g, 'ae');

const dictionary = once(() => {
  const meaningOf = new Map<string, Meaning>();
  for (const [meaning, words] of Object.entries(headerWords) as [Meaning, string][]) {
    for (const word of words.split(' ').map(fold)) {
      // ü may be written ue, or u if accents were lost.
      for (const spelling of new Set([word, word.replace(/([aou])e/g, '$1')])) {
        if (!meaningOf.has(spelling)) meaningOf.set(spelling, meaning);
      }
    }
  }
  return meaningOf;
});

const short = new Set(joints.split(' '));
const wide = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const isPart = (text: string): boolean =>
  dictionary().has(text) && (text.length >= 4 || short.has(text) || wide.test(text));

/** Splits a compound into the fewest known words, with an s, n, e or en between them. */
const partsOf = (token: string): string[] | undefined => {
  const best: (string[] | undefined)[] = [[]];
  for (let end = 1; end <= token.length; end += 1) {
    for (let start = 0; start < end; start += 1) {
      const before = best[start];
      const part = token.slice(start, end);
      if (!before || !isPart(part)) continue;
      const rest = [...before, part];
      if (!best[end] || rest.length < best[end]!.length) best[end] = rest;
    }
    const here = best[end];
    if (here && here.length > 0 && !wide.test(token)) {
      for (const link of ['s', 'n', 'e', 'en', 'es']) {
        const at = end + link.length;
        if (token.startsWith(link, end) && at < token.length && !best[at]) best[at] = here;
      }
    }
  }
  return best[token.length];
};

const tokensOf = (header: string): string[] =>
  header
    .normalize('NFKC')
    .replace(/[#№]|\bn[°º]|\bno\./giu, ' no ')
    .replace(/\bto order\b/giu, ' ordered ')
    .replace(/\/\s*(?:st|stk|szt|ks|ea|pcs?|unit|uds?)\.?\s*$/iu, ' per pieces ')
    // The unit of the column: `Qty (EA)`, `Valor (R$)`.
    .replace(/\(\s*(?:units?|ea|each|pcs|pieces|stk?|stück|szt|ks|[^)]{0,3}[$€£¥])\.?\s*\)/giu, ' ')
    .replace(/\bč\.?(?![\p{L}])/giu, ' no ')
    .replace(/\bp\.\s?o\.?(?![\p{L}])/giu, ' po ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((token) => token !== '')
    .map(fold);

const lookUp = (token: string): Meaning | undefined =>
  dictionary().get(token) ??
  (token.length > 4 && token.endsWith('s') ? dictionary().get(token.slice(0, -1)) : undefined);

/** `Number of items` is a count, not an item number. */
const countOf =
  /^\s*(?:(?:number|no\.?) of|(?:nombre|nb\.?) (?:de|d['’]))\s*(?!units|pieces|pcs|unités|pièces)/iu;

/** Whether a token is a column prefix of some system, a letter or a letter with a number: `MOrderQty`, `C7_QUANT`. */
const isPrefixOf = (tokens: readonly string[], at: number): boolean =>
  tokens.length > at + 1 &&
  (at === 0
    ? /^[a-z]$/.test(tokens[0]!)
    : at === 1 && /^[a-z]$/.test(tokens[0]!) && /^\d+$/.test(tokens[1]!));

const readText = (header: string): { meanings: Set<Meaning>; unknown: number } => {
  const tokens = tokensOf(header);
  // Alone, `by` is Danish for town; in English, `Ship By` is a date.
  if (tokens.length === 1 && tokens[0] === 'by') return { meanings: new Set(['city']), unknown: 0 };
  const meanings = new Set<Meaning>();
  let unknown = countOf.test(header) ? 2 : 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const joined = [3, 2].find(
      (count) => at + count <= tokens.length && dictionary().has(tokens.slice(at, at + count).join('')),
    );
    const token = joined === undefined ? tokens[at]! : tokens.slice(at, at + joined).join('');
    at += (joined ?? 1) - 1;
    const known = lookUp(token);
    const parts = known ? [known] : partsOf(token)?.map((part) => dictionary().get(part)!);
    if (!parts && !isPrefixOf(tokens, at)) unknown += 1;
    for (const meaning of parts ?? []) if (meaning !== 'stop') meanings.add(meaning);
  }
  return { meanings, unknown };
};

/** A longer text is not a column name, and a hostile one must not cost time. */
const longestHeader = 200;

const prefixes: ReadonlySet<Meaning> = new Set(['order', 'line', 'item', 'po', 'purchase', 'sale']);

/**
 * Reads a header as a set of meanings: `Bestell-Nr.`, `ORDERNUMBER` and `注文番号` are all order + number. A path such as `Order
 * Lines/Quantity` means its last part. Pure.
 */
export const readHeader = (header: string): HeaderReading => {
  if (header.length > longestHeader) return { meanings: new Set(), unknown: 1 };
  const path = /^(.*?)(?:[/:.>]| - )(.*)$/.exec(header);
  if (path && /\p{L}/u.test(path[2]!)) {
    const { meanings, unknown } = readText(path[1]!);
    const isPrefix = unknown === 0 && meanings.has('line') && [...meanings].every((one) => prefixes.has(one));
    if (isPrefix) return readText(path[2]!);
  }
  return readText(header);
};

import { z } from 'zod';

/**
 * Text that every database and every JSON parser can store: without NUL, which Postgres refuses, and without lone
 * surrogates, which UTF-8 encoders replace by another character.
 */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Any text that can be stored unchanged. */
export const plainText = () =>
  z.string().refine(isStorable, {
    error: 'text without NUL and without incomplete characters',
    params: { rule: 'unstorable' },
  });

/**
 * Text of at most `max` characters, counted as code points, like JSON Schema and like a dealer who counts letters.
 */
export const textUpTo = (max: number) =>
  plainText()
    .refine((text) => text.length <= max || [...text].length <= max, {
      error: `at most ${max} characters`,
      params: { rule: 'max_length', max },
    })
    .meta({ maxLength: max });

/** Text of exactly `length` characters (code points). */
export const textOf = (length: number) =>
  plainText()
    .refine((text) => [...text].length === length, {
      error: `exactly ${length} characters`,
      params: { rule: 'exact_length', length },
    })
    .meta({ minLength: length, maxLength: length });

/** The place of bytes that are not UTF-8; lines and columns (in characters) count from 1. */
export interface NotUtf8 {
  line: number;
  column: number;
}

const isReplacement = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;

const firstDamage = (bytes: Uint8Array): NotUtf8 => {
  const encoder = new TextEncoder();
  const pieces = new TextDecoder().decode(bytes).split('\ufffd');
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let at = hasMark ? 3 : 0;
  let last = 0;
  // A valid text can also contain the replacement character.
  for (; last < pieces.length - 1; last += 1) {
    at += encoder.encode(pieces[last]).length;
    if (!isReplacement(bytes, at)) break;
    at += 3;
  }
  const lines = pieces
    .slice(0, last + 1)
    .join('\ufffd')
    .split('\n');
  return { line: lines.length, column: [...lines.at(-1)!].length + 1 };
};

/**
 * Decodes UTF-8 without the byte order mark, or returns the place of the first byte that is not UTF-8. Such a byte must not be
 * replaced by another character: two PO numbers could become one.
 */
export const decodeUtf8 = (bytes: Uint8Array): string | NotUtf8 => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return firstDamage(bytes);
  }
};

import { z } from 'zod';

/**
 * Text that every database and every JSON reader can keep: without NUL, which Postgres refuses, and without
 * half of a surrogate pair, which turns into another character on its way through UTF-8.
 */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Any text that can be stored unchanged. */
export const plainText = () =>
  z.string().refine(isStorable, {
    error: 'text without NUL and without halves of characters',
    params: { rule: 'unstorable' },
  });

/**
 * Text of at most `max` characters, counted as code points: that is how JSON Schema counts, and a
 * dealer who sees 30 letters should not be told that there are 31.
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

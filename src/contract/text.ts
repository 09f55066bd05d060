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

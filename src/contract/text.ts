import { z } from 'zod';

/**
 * Text of at most `max` characters, counted as code points: that is how JSON Schema counts, and a
 * dealer who sees 30 letters should not be told that there are 31.
 */
export const textUpTo = (max: number) =>
  z
    .string()
    .refine((text) => text.length <= max || [...text].length <= max, {
      error: `at most ${max} characters`,
      params: { rule: 'max_length', max },
    })
    .meta({ maxLength: max });

/** Text of exactly `length` characters (code points). */
export const textOf = (length: number) =>
  z
    .string()
    .refine((text) => [...text].length === length, {
      error: `exactly ${length} characters`,
      params: { rule: 'exact_length', length },
    })
    .meta({ minLength: length, maxLength: length });

import type { CappedCount } from '../../api-contract/basics.ts';

/** SQL: a time as ISO 8601 in UTC with milliseconds. */
export const iso = (time: string): string =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Collects the values of a dynamically built statement. */
export const createBinder = (): { values: unknown[]; bind: (value: unknown) => string } => {
  const values: unknown[] = [];
  return {
    values,
    bind: (value) => {
      values.push(value);
      return `$${values.length}`;
    },
  };
};

/**
 * SQL: a text begins with the prefix. These operators compare bytes, so an index with text_pattern_ops serves them even if the prefix is a
 * parameter of a prepared statement.
 */
export const beginsWith = (text: string, prefix: string): string =>
  `${text} ~>=~ ${prefix} and ${text} ~<~ (${prefix} || chr(1114111))`;

/** Whether a text is long enough for a substring search; a shorter one matches prefixes only. */
export const isPart = (text: string): boolean => [...text].length >= 3;

/** SQL: a text contains this part (which satisfies `isPart`), by an index on `text_parts(text)`. It contains no wildcards. */
export const contains = (text: string, part: string): string =>
  `text_parts(${text}) @> text_parts(${part}) and strpos(${text}, ${part}) > 0`;

/** Counting stops here. */
export const countedAtMost = 10_000;

export const capped = (counted: number): CappedCount => ({
  count: Math.min(counted, countedAtMost),
  more: counted > countedAtMost,
});

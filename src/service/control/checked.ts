import { z } from 'zod';
import { plainIssues } from '../../contract/plain-issues.ts';
import type { ProblemEntry } from '../../contract/problems.ts';
import { RefusedRequest } from '../read-body.ts';

/** A longer list would hide the wrong name. */
const maxListedFields = 10;

const knownFields = (schema: z.ZodType): string => {
  const object = schema instanceof z.ZodArray ? schema.element : schema;
  const names = object instanceof z.ZodObject ? Object.keys(object.shape) : [];
  return names.length === 0 || names.length > maxListedFields ? '' : `; the fields are ${names.join(', ')}`;
};

/** The errors of a value, by field path. */
export const entriesOf = (
  { issues }: Pick<z.ZodError, 'issues'>,
  { schema, within = [] }: { schema: z.ZodType; within?: PropertyKey[] },
): ProblemEntry[] =>
  issues.flatMap((issue): ProblemEntry[] => {
    const nameOf = (...more: PropertyKey[]) => [...within, ...issue.path, ...more].map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      const message = `unknown field${knownFields(schema)}`;
      return issue.keys.map((key) => ({
        field: [...nameOf(key)].slice(0, 100).join(''),
        code: 'unknown_field',
        message,
      }));
    }
    const rule = (issue as { params?: { rule?: string } }).params?.rule;
    return [{ field: nameOf() || 'body', code: rule ?? issue.code, message: issue.message }];
  });

/** A caller that passes `undefined` meant a value; ignoring the field would affect far more. */
const undefinedFields = (input: unknown): ProblemEntry[] => {
  const parts = Array.isArray(input) ? input.map((part, at) => [`${at}.`, part]) : [['', input]];
  return parts.flatMap(([prefix, part]) =>
    Object.entries(typeof part === 'object' && part !== null ? (part as object) : {})
      .filter(([, value]) => value === undefined)
      .map(([name]) => ({
        field: `${prefix}${name}`,
        code: 'undefined',
        message: 'is undefined; give a value or leave the field out',
      })),
  );
};

const maxNamed = 3;

/** A sentence about the errors: `what`, and the first fields with their allowed values. */
export const sentenceOf = (what: string, entries: readonly ProblemEntry[]): string => {
  const named = entries
    .slice(0, maxNamed)
    .map(({ field, message }) => (field === 'body' ? message : `${field}: ${message}`));
  const rest = entries.length - named.length;
  return `${what}: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
};

/**
 * Checks the input of the control, over HTTP or as an argument of a function, by the same rules.
 *
 * @param what the start of the sentence: `Nothing was reset`
 * @param allowsUndefined whether a field that is undefined counts as left out
 * @throws RefusedRequest with a sentence that names the first fields and what they may be, and with all of them in `errors`
 */
export const checked = <S extends z.ZodType>(
  schema: S,
  input: unknown,
  what: string,
  { allowsUndefined = false } = {},
): z.output<S> => {
  const parsed = schema.safeParse(input, { error: plainIssues });
  const entries = [
    ...(parsed.success ? [] : entriesOf(parsed.error, { schema })),
    ...(allowsUndefined ? [] : undefinedFields(input)),
  ].filter(({ field }, at, all) => all.findIndex((entry) => entry.field === field) === at);
  if (parsed.success && entries.length === 0) return parsed.data;
  throw new RefusedRequest('invalid', sentenceOf(what, entries), entries);
};

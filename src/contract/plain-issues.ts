import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
};

const formats: Record<string, string> = {
  uuid: 'a UUID',
  date: 'a day such as 2026-11-23',
  datetime: 'a time such as 2026-11-23T08:00:00Z',
};

const bound = (words: string, limit: number | bigint, origin: string): string => {
  if (origin === 'string') return `${words} ${limit} characters`;
  return origin === 'array' ? `${words} ${limit} entries` : `${words} ${limit}`;
};

const messageOf = (issue: Issue): string | undefined => {
  const isMissing = issue.input === undefined && issue.code !== 'unrecognized_keys';
  const rule = ruleOf(issue);
  return isMissing && rule !== undefined ? `is missing; it must be ${rule}` : rule;
};

const ruleOf = (issue: Issue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return issue.inclusive === false
        ? `less than ${issue.maximum}`
        : bound('at most', issue.maximum, issue.origin);
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'text that is not empty';
      if (issue.inclusive === false) return `greater than ${issue.minimum}`;
      return bound('at least', issue.minimum, issue.origin);
    case 'invalid_format':
      return formats[issue.format];
    case 'invalid_union':
      return ruleOfUnion(issue.errors, issue.input);
    default:
      return undefined;
  }
};

/** Joins the rules of all alternatives. If only parts of the value are wrong, zod names these itself. */
const ruleOfUnion = (alternatives: z.core.$ZodIssue[][], input: unknown): string | undefined => {
  const rules = alternatives.map(([first]) => first && ruleOf({ ...first, input } as Issue));
  return rules.every((rule) => rule !== undefined) ? [...new Set(rules)].join(', or ') : undefined;
};

/** This project's messages in place of zod's, for fields whose schema has no message of its own. */
export const plainIssues: z.core.$ZodErrorMap = (issue) => messageOf(issue);

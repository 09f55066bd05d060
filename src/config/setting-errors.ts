import type { z } from 'zod';

/** Settings whose values may hold a password, and are never shown. */
const secret = new Set(['auth', 'baseUrl', 'dealers']);

const shown = (value: unknown): string => {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return '';
  const text = String(value);
  return text === '' ? '' : ` (got ${text.length > 40 ? `${text.slice(0, 39)}…` : text})`;
};

const kinds: Record<string, string> = {
  string: 'must be text; put it in quotes',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be a group of settings',
  record: 'must be a group of settings',
};

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const bound = (words: string, limit: number | bigint, { origin }: { origin: string }): string => {
  if (origin === 'string') return `must have ${words} ${limit} characters`;
  return origin === 'array' ? `must have ${words} ${limit} entries` : `must be ${words} ${limit}`;
};

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;

const messageFor = (issue: Issue): string | undefined => {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? `must be ${issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      // The alternatives of a setting, such as the kinds of `auth`.
      return 'options' in issue ? oneOf(issue.options as string[]) : undefined;
    case 'too_big':
      return bound('at most', issue.maximum, issue);
    case 'too_small':
      if (issue.origin !== 'number' && issue.minimum === 1) return 'must not be empty';
      return issue.inclusive === false
        ? `must be greater than ${issue.minimum}`
        : bound('at least', issue.minimum, issue);
    case 'unrecognized_keys':
      return 'is not a setting';
    case 'invalid_key':
      return issue.issues[0]?.message;
    default:
      return undefined;
  }
};

/** This project's messages in place of zod's, for settings whose schema has no message of its own. */
export const settingErrors: z.core.$ZodErrorMap = (issue) => messageFor(issue);

/** The value at a path of the settings, for a message; empty if it may be a secret (the kind of `auth` is not). */
const valueAt = (settings: unknown, path: readonly PropertyKey[]): string => {
  if (path.at(-1) !== 'kind' && path.some((key) => secret.has(String(key)))) return '';
  let value = settings;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return shown(value);
};

/** The errors of settings, each with the full name (`accounts.north.fileSettle`), the rule, and the given value. */
export const listSettingErrors = (
  settings: unknown,
  error: z.ZodError,
): { name: string; message: string }[] =>
  error.issues.flatMap((issue) => {
    const nameOf = (path: readonly PropertyKey[]) => path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ name: nameOf([...issue.path, key]), message: issue.message }));
    }
    // For an invalid name, the value does not matter.
    const isAboutValue =
      issue.code !== 'invalid_key' && (issue.code !== 'custom' || issue.path.at(-1) === 'timeZone');
    const got = isAboutValue ? valueAt(settings, issue.path) : '';
    const message = issue.message.replace('accounts.NAME.', `accounts.${String(issue.path[1])}.`);
    return [{ name: nameOf(issue.path), message: `${message}${got}` }];
  });

import type { z } from 'zod';
import { UserError } from '../errors.ts';

/** A mistake in the configuration: the setting's full name, and the rest of a sentence about it. */
export interface Mistake {
  name: string;
  message: string;
}

/** All mistakes in one error, so that a person can correct them in one go. */
export const mistakesError = (source: string, mistakes: readonly Mistake[]): UserError => {
  const lines = mistakes.map(({ name, message }) => `  ${name || 'the whole file'}: ${message}`);
  return new UserError('config_invalid', [`${source} is not valid:`, ...lines].join('\n'));
};

type Tree = Record<PropertyKey, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Removes the value at a path or, if there is none, the value that should contain it. */
const removeAt = (settings: Tree, path: readonly PropertyKey[]): void => {
  let within = settings;
  for (const [at, key] of path.entries()) {
    const inner = within[key];
    if (at < path.length - 1 && isTree(inner)) {
      within = inner;
    } else {
      if (Object.hasOwn(within, key)) delete within[key];
      else removeAt(settings, path.slice(0, at));
      return;
    }
  }
};

/** An invalid setting hides errors inside it until it is removed; as many rounds as levels are enough. */
const mostRounds = 5;

/**
 * Parses the settings without the invalid ones by the same schema, to find mistakes that concern several settings. Undefined if
 * nothing is left.
 */
export const parseRest = <S extends z.ZodType>(
  schema: S,
  settings: unknown,
  error: z.ZodError,
): z.output<S> | undefined => {
  if (!isTree(settings)) return undefined;
  const rest = structuredClone(settings);
  let { issues } = error;
  for (let round = 0; round < mostRounds; round += 1) {
    for (const issue of issues) {
      const paths =
        issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
      for (const path of paths) removeAt(rest, path);
    }
    const parsed = schema.safeParse(rest);
    if (parsed.success) return parsed.data;
    issues = parsed.error.issues;
  }
  return undefined;
};

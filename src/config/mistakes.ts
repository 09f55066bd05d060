import type { z } from 'zod';
import { UserError } from '../errors.ts';

/** Something that is wrong in the configuration: the setting's whole name, and what is wrong, as the rest of a sentence. */
export interface Mistake {
  name: string;
  message: string;
}

/** All mistakes in one error, so that a person corrects them in one go. */
export const mistakesError = (source: string, mistakes: readonly Mistake[]): UserError => {
  const lines = mistakes.map(({ name, message }) => `  ${name || 'the whole file'}: ${message}`);
  return new UserError('config_invalid', [`${source} is not valid:`, ...lines].join('\n'));
};

type Tree = Record<PropertyKey, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Removes what is at a path; where nothing is there, what should contain it. */
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

/** What is wrong inside a wrong setting shows only when that is gone; more rounds than levels are never needed. */
const mostRounds = 5;

/**
 * The settings without those that are wrong, read by the same schema: what can be built from them shows mistakes that no single
 * setting has. Undefined where nothing is left.
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

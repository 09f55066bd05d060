import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { plainIssues } from '../contract/plain-issues.ts';
import { ConsoleProblem } from './problems.ts';

interface Wrong {
  field: string;
  detail: string;
}

const wrongOf = (error: z.ZodError): Wrong[] =>
  error.issues.flatMap((issue): Wrong[] => {
    const at = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [{ field: at, detail: issue.message }];
    return issue.keys.map((key) => ({ field: [...issue.path, key].join('.'), detail: 'is not a field' }));
  });

/** Rejects unknown filters: a misspelt one would show, or act on, everything. */
const unknownFilters = (schema: z.ZodType, query: unknown): Wrong[] => {
  if (!(schema instanceof z.ZodObject)) return [];
  const known = Object.keys(schema.shape);
  return Object.keys(query ?? {})
    .filter((name) => !known.includes(name))
    .map((field) => ({ field, detail: `is not a parameter here; there are ${known.join(', ')}` }));
};

const sentence = ({ field, detail }: Wrong): string => {
  const rule = /^(is|has|must) /.test(detail) ? detail : `must be ${detail}`;
  return field === '' ? `The request ${rule}.` : `${field} ${rule}.`;
};

/** Checks a part of a request against its schema. Mistakes become a problem that names each field in plain words. */
export const validate: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (given) => {
    const parsed = schema.safeParse(given, { error: plainIssues });
    const wrong = [
      ...(httpPart === 'querystring' ? unknownFilters(schema, given) : []),
      ...(parsed.success ? [] : wrongOf(parsed.error)),
    ];
    return wrong.length === 0
      ? { value: parsed.data as unknown }
      : { error: new ConsoleProblem('invalid', wrong.map(sentence).join(' '), { errors: wrong }) };
  };

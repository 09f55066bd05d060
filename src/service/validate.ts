import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { plainIssues } from '../contract/plain-issues.ts';
import { entriesOf } from './control/checked.ts';
import { RefusedRequest } from './read-body.ts';

/** Checks a part of a request against its schema, and answers a problem with an entry for each invalid field. */
export const validate: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (given) => {
    const parsed = schema.safeParse(given, { error: plainIssues });
    return parsed.success
      ? { value: parsed.data as unknown }
      : { error: new RefusedRequest('invalid', '', entriesOf(parsed.error, { schema })) };
  };

import type { SwaggerTransform } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { problem } from '../api-contract/access.ts';
import type { Needs } from './person.ts';

const below = '/api/v1';

/** The head of the API's OpenAPI document. */
export const documentHead = (version: string) => ({
  openapi: '3.1.0' as const,
  info: {
    title: 'Cartwright',
    version,
    description:
      'Everything that the operators’ console shows and does. Lists answer `items` and `next`, the cursor of the next page. Problems are RFC 9457 documents. Times are ISO 8601 in UTC.',
  },
  servers: [{ url: '/' }],
  components: {
    securitySchemes: {
      token: { type: 'http' as const, scheme: 'bearer', description: 'A token of `cartwright tokens`.' },
      session: { type: 'apiKey' as const, in: 'cookie' as const, name: 'cartwright' },
    },
  },
  security: [{ token: [] }, { session: [] }] as Record<string, string[]>[],
});

/** Besides these, `default` covers what any server may answer: it is starting, or a body is too large or of an unsupported type. */
const problemsOf = (needs: Needs) =>
  needs === 'nothing' ? [401, 403, 422, 429, 'default'] : [401, 403, 404, 409, 422, 'default'];

/** Documents what all routes have in common: the required role and the problems. Omits other pages. */
export const describeRoute: SwaggerTransform = (given) => {
  const { url, route } = given;
  if (!url.startsWith(`${below}/`) || !given.schema) return { url, schema: { hide: true } };
  const needs = route.config?.needs ?? 'nothing';
  const problems = Object.fromEntries(
    problemsOf(needs).map((status) => [
      status,
      { description: 'A problem.', content: { 'application/problem+json': { schema: problem } } },
    ]),
  );
  const { response, ...schema } = given.schema as { response?: object };
  const transformed = jsonSchemaTransform({
    ...given,
    schema: { ...schema, response: { ...problems, ...response } },
  });
  return {
    url: transformed.url,
    schema: {
      ...transformed.schema,
      'x-needs': needs,
      ...(needs === 'nothing' ? { security: [] } : {}),
    } as typeof transformed.schema,
  };
};

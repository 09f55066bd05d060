import type { SwaggerTransformObject } from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problem } from '../contract/problems.ts';
import type { ServiceConfig } from './config.ts';
import { type ProblemCode, problemKinds, problemType } from './problems.ts';

/** The problems that any endpoint can answer. */
const always: ProblemCode[] = [
  'malformed',
  'unauthenticated',
  'forbidden',
  'body_too_large',
  'unsupported_media_type',
  'invalid',
  'too_many_requests',
  'internal',
  'unavailable',
];

/**
 * Makes the `response` part of a route's schema: the answer in the configured envelope, and every problem under its
 * status. It is used for the OpenAPI document only; answers are not validated against it.
 */
export const documentAnswers =
  (envelope: ServiceConfig['envelope']) =>
  (ok: z.ZodType, description: string, codes: readonly ProblemCode[]) => {
    const byStatus = new Map<number, string[]>();
    for (const code of [...always, ...codes]) {
      const [status, title] = problemKinds[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${title}.`]);
    }
    const problems = [...byStatus].map(([status, lines]) => [
      status,
      { description: lines.join(' '), content: { [problemType]: { schema: problem } } },
    ]);
    return {
      200: {
        description,
        content: { 'application/json': { schema: envelope === 'data' ? z.object({ data: ok }) : ok } },
      },
      ...Object.fromEntries(problems),
    } as Record<number, { description: string; content: Record<string, { schema: z.ZodType }> }>;
  };

/** The head of the OpenAPI document (spec 1, 5 and 9). */
export const documentHead = (config: ServiceConfig) => ({
  openapi: '3.1.0' as const,
  info: {
    title: 'Dealer order service',
    version: '4',
    description:
      'Carts and orders for dealers: create a cart under a PO number, add items, submit it as an order, and read the order status.',
    license: { name: 'Unlicensed', identifier: 'LicenseRef-UNLICENSED' },
  },
  servers: [{ url: '/' }],
  tags: [
    { name: 'Carts', description: 'Draft orders.' },
    { name: 'Orders', description: 'Submitted orders and their status.' },
  ],
  components: {
    securitySchemes: {
      bearer: { type: 'http' as const, scheme: 'bearer', description: 'The token of a dealer.' },
    },
  },
  security: (config.dealers.length > 0 ? [{ bearer: [] }] : [{}, { bearer: [] }]) as Record<
    string,
    string[]
  >[],
});

/** Removes the components that nothing in the document refers to. */
export const dropUnusedSchemas: SwaggerTransformObject = (routes) => {
  const document = jsonSchemaTransformObject(routes) as ReturnType<typeof documentHead> & {
    components: { schemas?: Record<string, object> };
  };
  const { schemas: all, ...components } = document.components;
  let kept = Object.entries(all ?? {});
  for (;;) {
    const text = JSON.stringify([{ ...document, components }, kept]);
    const used = kept.filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
    if (used.length === kept.length) break;
    kept = used;
  }
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
};

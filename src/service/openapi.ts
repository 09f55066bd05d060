import type { SwaggerTransformObject } from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { cartShipCodes, orderShipCodes, warehouses } from '../contract/codes.ts';
import { problem } from '../contract/problems.ts';
import type { ServiceConfig } from './config.ts';
import { addExamples, type Operation } from './examples.ts';
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

type Document = ReturnType<typeof documentHead> & {
  components: { schemas?: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
};

/**
 * Removes components that the document does not use, and sorts the others: zod's registry has all schemas of the process, in the order in
 * which modules were loaded.
 */
const chooseSchemas = (document: Document): Document => {
  const { schemas: all, ...components } = document.components;
  let kept = Object.entries(all ?? {});
  for (;;) {
    const text = JSON.stringify([{ ...document, components }, kept]);
    const used = kept.filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
    if (used.length === kept.length) break;
    kept = used;
  }
  kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
};

/** Adds the configured codes to the lists of the answers. Works on the document, because all services of a process share the schemas. */
const addCodes = (document: Document, config: ServiceConfig): Document => {
  const lists: [readonly string[], string[]][] = [
    [warehouses, config.warehouses],
    [cartShipCodes, config.shipCodes],
    [orderShipCodes, config.shipCodes],
  ];
  return JSON.parse(
    JSON.stringify(document, (name, value) => {
      const found = name === 'enum' && lists.find(([list]) => JSON.stringify(list) === JSON.stringify(value));
      return found ? [...found[0], ...found[1].filter((code) => !found[0].includes(code))] : value;
    }),
  );
};

/** The last step of the OpenAPI document: drops unused components, sorts the others, adds configured codes and the examples. */
export const finishDocument = (
  parts: Parameters<SwaggerTransformObject>[0],
  config: ServiceConfig,
): ReturnType<SwaggerTransformObject> => {
  const document = addCodes(chooseSchemas(jsonSchemaTransformObject(parts) as Document), config);
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) addExamples(operation, config);
  }
  return document as ReturnType<SwaggerTransformObject>;
};

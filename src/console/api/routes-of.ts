import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { z } from 'zod';
import type { Needs } from '../person.ts';

/** Makes the options of one topic's routes, by the rights that they need: summary, answer (for 200), and inputs. */
export const routesOf = (topic: string) => {
  /** For answers with another status, or other than JSON. */
  const route = <Schema extends FastifySchema>(
    needs: Needs,
    summary: string,
    schema: Schema,
    config: FastifyContextConfig = {},
  ) => ({ config: { needs, ...config }, schema: { summary, tags: [topic], ...schema } });
  const needing =
    (needs: Needs) =>
    <Answer extends z.ZodType, Schema extends FastifySchema = object>(
      summary: string,
      answer: Answer,
      schema?: Schema,
      config?: FastifyContextConfig,
    ) =>
      route(needs, summary, { response: { 200: answer }, ...(schema as Schema) }, config);
  return {
    route,
    open: needing('nothing'),
    view: needing('view'),
    act: needing('act'),
    admin: needing('admin'),
  };
};

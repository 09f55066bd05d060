import fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { buildConsole } from '../config/build-console.ts';
import { consoleSchema } from '../config/console-schema.ts';
import { registerApi } from '../console/api/register-api.ts';
import type { ConsoleApp } from '../console/console-app.ts';
import { validate } from '../console/validate.ts';

/** A stub for dependencies that routes use only when called. */
const notAsked = <T>(known: object = {}): T =>
  new Proxy(known, {
    get: (target, name) =>
      name in target ? target[name as keyof typeof target] : name === 'then' ? undefined : notAsked(),
  }) as T;

/** The OpenAPI document as served by a running console, without a console, a configuration or a database. */
export const apiDocument = async (version: string): Promise<object> => {
  const app = fastify() as unknown as ConsoleApp;
  app.setValidatorCompiler(validate);
  app.setSerializerCompiler(serializerCompiler);
  await registerApi(
    app,
    notAsked({ version, settings: buildConsole(consoleSchema.parse({}), '.', {}) }),
    notAsked(),
  );
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
};

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import formBody from '@fastify/formbody';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { jsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from '../logger.ts';
import { registerAdmin } from './admin-endpoints.ts';
import { sendAnswer } from './answer.ts';
import { createAuthenticator } from './authenticate.ts';

import type { ServiceClock } from './clock.ts';
import { registerEndpoints } from './endpoints.ts';
import { explainError } from './explain-error.ts';
import { typeFormFields } from './form-body.ts';
import { documentHead, dropUnusedSchemas } from './openapi.ts';
import { answerBrokenRequest, problemKinds, sendProblem } from './problems.ts';
import { createRateLimit } from './rate-limit.ts';

import { auditRefusal, type CallDeps, createAdmission } from './serve-call.ts';

interface AppDeps extends CallDeps {
  clock: ServiceClock;
  logger: Logger;
}

/** The paths of spec 4 and their methods, for 405 answers and their Allow header. */
const methodsOfPaths: [RegExp, string][] = [
  [/^\/carts$/, 'POST'],
  [/^\/carts\/[^/]+$/, 'GET, HEAD, DELETE'],
  [/^\/carts\/[^/]+\/items$/, 'POST'],
  [/^\/orders$/, 'GET, HEAD, POST'],
  [/^\/orders\/[^/]+$/, 'GET, HEAD'],
];

/** The id of a request in answers, logs and the audit log: the client's `X-Request-Id` if it is a short plain word. */
const newRequestId = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
};

/** Adds the headers that every answer has (spec 9). */
const stamp = (reply: FastifyReply): FastifyReply =>
  reply.header('api-version', '4').header('x-request-id', reply.request.id);

/** Builds the Fastify app: the seven endpoints, the OpenAPI document and its page, and the admin endpoints. */
export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { config, logger } = deps;
  const app: FastifyInstance = fastify({
    logger: false,
    bodyLimit: config.bodyLimitBytes,
    // A PO number of 200 characters can be 2,400 bytes percent-encoded, so only the header limit applies.
    routerOptions: { maxParamLength: config.headerLimitBytes },
    connectionTimeout: config.idleTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      maxHeaderSize: config.headerLimitBytes,
      headersTimeout: config.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, config.requestTimeoutMs),
    },
    genReqId: newRequestId,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, _request, reply) => {
      const { code, ...more } = explainError(error);
      return sendProblem(stamp(reply), code, more);
    },
  });
  // GET /orders accepts its dates in a body too; by default Fastify ignores the body of a GET.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => JSON.stringify);
  app.decorateRequest('dealer', undefined);

  app.addHook('onRequest', async (request, reply) => {
    stamp(reply);
    // Many clients send a content type without a body; the type must not be refused then.
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if ((length === undefined || length === '0') && coding === undefined)
      delete request.headers['content-type'];
  });
  app.addHook('onResponse', async (request, reply) => {
    logger.debug(
      {
        requestId: request.id,
        method: request.method,
        path: request.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        ...(request.dealer ? { dealer: request.dealer.name } : {}),
      },
      'Served',
    );
  });
  app.setErrorHandler(async (error: Error, request, reply) => {
    const { code, ...more } = explainError(error);
    if (problemKinds[code][0] >= 500) {
      logger.error(
        { err: error, requestId: request.id, method: request.method, path: request.url },
        'Request failed',
      );
      if (code === 'unavailable') reply.header('retry-after', '1');
    } else {
      await auditRefusal(deps, request, code).catch((thrown: unknown) =>
        logger.warn({ err: thrown, requestId: request.id }, 'Could not write a refusal to the audit log'),
      );
    }
    return sendProblem(reply, code, more);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = methodsOfPaths.find(([pattern]) => pattern.test(path));
    return allowed
      ? sendProblem(reply.header('allow', allowed[1]), 'method_not_allowed')
      : sendProblem(reply, 'not_found');
  });

  await app.register(formBody, { bodyLimit: config.bodyLimitBytes });
  await app.register(swagger, {
    openapi: documentHead(config),
    transform: jsonSchemaTransform,
    transformObject: dropUnusedSchemas,
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());

  await app.register(async (calls) => {
    const identify = createAuthenticator(config.dealers);
    const admit = createAdmission(deps, createRateLimit(deps.pool, config));
    calls.addHook('onRequest', async (request, reply) => {
      const identity = identify(request.headers.authorization);
      if (identity.kind === 'dealer') request.dealer = identity.dealer;
      else return sendProblem(reply.header('www-authenticate', 'Bearer'), 'unauthenticated', identity);
    });
    calls.addHook('preValidation', async (request, reply) => {
      const refused = await admit(request, reply);
      if (refused) {
        if (refused.kind === 'problem') await auditRefusal(deps, request, refused.code);
        return sendAnswer(reply, refused, config.envelope);
      }
      if (request.mediaType === 'application/x-www-form-urlencoded') {
        request.body = typeFormFields(request.body as Record<string, unknown>);
      }
    });
    registerEndpoints(calls, deps);
  });
  if (config.admin) await app.register((admin) => registerAdmin(admin, deps), { prefix: '/admin' });
  await app.ready();
  return app;
};

import type { Server } from 'node:http';
import cors from '@fastify/cors';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Logger } from '../logger.ts';
import { sendAnswer } from './answer.ts';
import { createAuthenticator } from './authenticate.ts';
import { closeUnanswered } from './close-unanswered.ts';
import { servesAdmin } from './config.ts';
import { adminMethods, registerAdmin } from './control/admin-endpoints.ts';
import type { Control } from './control/control.ts';
import type { Journal } from './control/journal.ts';
import { recordRequests } from './control/record-requests.ts';
import { registerEndpoints } from './endpoints.ts';
import { explainError } from './explain-error.ts';
import { relaxJsonFields, typeFormFields } from './form-body.ts';
import { documentHead, finishDocument } from './openapi.ts';
import { whyNotOwn } from './own-caller.ts';
import { answerBroken, answerUnpassed, problemKinds, sendProblem } from './problems.ts';
import { createRateLimit } from './rate-limit.ts';
import { RefusedRequest, registerParsers } from './read-body.ts';
import { checkHead, originForm } from './request-head.ts';
import { newRequestId } from './request-id.ts';
import { auditRefusal, type CallDeps, createAdmission } from './serve-call.ts';
import { validate } from './validate.ts';

interface AppDeps extends CallDeps {
  control: Control;
  journal: Journal;
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

/** Adds the headers that every answer has (spec 9). */
const stamp = (reply: FastifyReply): FastifyReply =>
  reply.header('api-version', '4').header('x-request-id', reply.request.id);

/** Builds the Fastify app: the seven endpoints, the OpenAPI document and its page, probes, and the admin endpoints. */
export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { config, logger } = deps;
  const app: FastifyInstance = fastify({
    logger: false,
    bodyLimit: config.bodyLimitBytes,
    // A PO number of 200 characters can be 2,400 bytes percent-encoded, so only the header limit applies.
    routerOptions: {
      maxParamLength: config.headerLimitBytes,
      ignoreTrailingSlash: config.input === 'lenient',
    },
    connectionTimeout: config.idleTimeoutMs,
    keepAliveTimeout: config.idleTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      // Otherwise Node would answer a missing Host itself, without a problem document.
      requireHostHeader: false,
      maxHeaderSize: config.headerLimitBytes,
      headersTimeout: config.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, config.requestTimeoutMs),
    },
    genReqId: newRequestId,
    rewriteUrl: originForm,
    clientErrorHandler: answerBroken,
    frameworkErrors: (error, _request, reply) => {
      const { code, ...more } = explainError(error);
      return sendProblem(stamp(reply), code, more);
    },
  });
  // GET /orders accepts its dates in a body too; by default Fastify ignores the body of a GET.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  answerUnpassed(app.server as Server);
  app.setValidatorCompiler(validate);
  app.setSerializerCompiler(() => JSON.stringify);
  app.decorateRequest('dealer', undefined);
  app.decorateRequest('delayed', undefined);

  app.addHook('onRequest', async (_request, reply) => {
    stamp(reply);
  });
  if (servesAdmin(config)) recordRequests(app, deps.journal);
  registerParsers(app);
  if (config.cors.length > 0) {
    await app.register(cors, {
      origin: config.cors.includes('*') ? '*' : config.cors,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      exposedHeaders: ['API-Version', 'X-Request-Id', 'Retry-After'],
    });
  }
  app.addHook('onRequest', async (request, reply) => {
    checkHead(request);
    // The endpoints of /admin have a check of their own.
    const hasOwnCheck = request.routeOptions.config?.forProbes || request.url.startsWith('/admin/');
    if (config.dealers.length === 0 && !hasOwnCheck) {
      const why = whyNotOwn(request, { checkHost: !config.anyone, allowed: config.cors });
      if (why !== undefined) return sendProblem(reply, 'forbidden', { detail: why });
    }
    const { 'content-encoding': encoding } = request.headers;
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new RefusedRequest(
        'unsupported_media_type',
        'Compressed bodies are not supported. Send the body without Content-Encoding.',
      );
    }
    // Many clients send a content type without a body, which must not be refused.
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
    const known = servesAdmin(config) ? [...methodsOfPaths, ...adminMethods] : methodsOfPaths;
    const allowed = known.find(([pattern]) => pattern.test(path));
    if (allowed) return sendProblem(reply.header('allow', allowed[1]), 'method_not_allowed');
    const isAdmin = /^\/admin(\/|$)/.test(path);
    if (!isAdmin) return sendProblem(reply, 'not_found');
    const detail = servesAdmin(config)
      ? 'The calls are POST reset and seed, GET and POST clock, GET and PUT faults, GET and DELETE journal, PUT orders/NUMBER/status and POST orders/NUMBER/release, each below /admin.'
      : 'This service is not controlled from outside. Start it with --admin, or with --admin-token-env for callers from elsewhere.';
    return sendProblem(reply, 'not_found', { detail });
  });

  await app.register(swagger, {
    openapi: documentHead(config),
    transform: jsonSchemaTransform,
    transformObject: (document) => finishDocument(document, config),
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());

  // For supervisors, which may use any name or address for the service.
  const forProbes = { schema: { hide: true }, config: { forProbes: true } };
  app.get('/healthz', forProbes, async () => ({ status: 'ok' }));
  app.get('/readyz', forProbes, async () => {
    await deps.pool.query('select 1 from dealer_service.clock');
    return { status: 'ok' };
  });

  await app.register(async (calls) => {
    const identify = createAuthenticator(config.dealers);
    const admit = createAdmission(deps, createRateLimit(deps.pool, config));
    calls.addHook('onRequest', async (request, reply) => {
      const identity = identify(request.headers.authorization);
      if (identity.kind === 'dealer') request.dealer = identity.dealer;
      else return sendProblem(reply.header('www-authenticate', 'Bearer'), 'unauthenticated', identity);
    });
    calls.addHook('onRequest', async (request) => {
      if ((request.params as { po_number?: string }).po_number === '')
        throw new RefusedRequest('not_found', 'The path has no PO number.');
    });
    calls.addHook('preValidation', async (request, reply) => {
      const refused = await admit(request, reply);
      if (refused === 'dropped') return closeUnanswered(reply);
      if (refused) {
        if (refused.kind === 'problem') await auditRefusal(deps, request, refused.code);
        return sendAnswer(reply, refused, config.envelope);
      }
      if (request.mediaType === 'application/x-www-form-urlencoded') {
        request.body = typeFormFields(request.body as Record<string, unknown>);
      } else if (config.input === 'lenient') request.body = relaxJsonFields(request.body);
    });
    registerEndpoints(calls, deps);
  });
  if (servesAdmin(config)) await app.register((admin) => registerAdmin(admin, deps), { prefix: '/admin' });
  await app.ready();
  return app;
};

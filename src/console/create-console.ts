import { readFileSync } from 'node:fs';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import swaggerUi from '@fastify/swagger-ui';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { createChangeFeed } from '../ledger/console/change-feed.ts';
import { createFirstLink } from './access/first-link.ts';
import { createGuard } from './access/guard.ts';
import { createSignIn } from './access/sign-in.ts';
import { answerInTime } from './answer-in-time.ts';
import { registerApi } from './api/register-api.ts';
import type { ConsoleApp, ConsoleDeps, ConsoleHealth } from './console-app.ts';
import { answerInConsole, inConsole } from './console-words.ts';
import { explainError } from './explain-error.ts';
import { createFirstView } from './first-view.ts';
import { ConsoleProblem, type ProblemCode, problemKinds, sendProblem } from './problems.ts';
import { serveWebApp } from './serve-web-app.ts';
import { keepUploadsTidy } from './uploads/tidy-uploads.ts';
import { validate } from './validate.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => entities[one]!);

/** Whether a person opened a page that the web app does not render, such as the queue board. */
const isForeignPage = ({ url, headers, method }: FastifyRequest): boolean =>
  method === 'GET' &&
  /^\/(?:queues|api\/docs)(?:[/?]|$)/.test(url) &&
  /text\/html/.test(headers.accept ?? '');

/** Answers a problem as a plain page with a sentence, so that a browser does not show JSON. */
const sendProblemPage = (
  reply: FastifyReply,
  code: ProblemCode,
  { detail }: ConsoleProblem['details'],
): FastifyReply => {
  const [status, title] = problemKinds[code];
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(title)} – Cartwright</title>
<h1>${escaped(title)}</h1><p>${escaped(detail ?? `${title}.`)}</p><p><a href="/">Open the console</a></p></html>`,
    );
};

/** For probes and Prometheus, which have no session. The first two are open to every probe, because they return no data. */
const addHealthRoutes = (app: ConsoleApp, health: ConsoleHealth): void => {
  const forProbes = { config: { needs: 'nothing', anyHost: true }, schema: { hide: true } } as const;
  app.get('/healthz', forProbes, async () => ({ status: 'ok' }));
  app.get('/readyz', forProbes, async (_request, reply) => {
    const readiness = await health.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  app.get(
    '/metrics',
    { config: { needs: 'view', openOnLoopback: true }, schema: { hide: true } },
    async ({ person }, reply) => {
      if (person && person.accounts !== 'all') {
        throw new ConsoleProblem('forbidden', 'The metrics show all accounts, and you may see only some.');
      }
      const { contentType, text } = await health.metrics();
      return reply.header('content-type', contentType).send(text);
    },
  );
};

/** Largest JSON body in bytes; uploads are streams with a limit of their own. */
const bodyLimit = 1_048_576;

/** Allows only the console's own scripts and images, and no page may frame it. */
const policyWith = (styleSrc: string[], frameAncestors = "'none'") => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc,
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'self'"],
    // The queues page is framed by a page of the console.
    frameSrc: ["'self'"],
    frameAncestors: [frameAncestors],
  },
});

/** Bull Board and Swagger UI have inline styles. */
const foreignPages = { contentSecurityPolicy: policyWith(["'self'", "'unsafe-inline'"]) };
const queuePages = {
  contentSecurityPolicy: policyWith(["'self'", "'unsafe-inline'"], "'self'"),
  frameguard: { action: 'sameorigin' as const },
};

/**
 * Builds the console: the API below /api/v1 and the web app. It is not listening yet; see `listenConsole`.
 *
 * @throws Error if a route does not declare its rights
 */
export const createConsole = async (
  deps: ConsoleDeps,
): Promise<{
  app: ConsoleApp;
  /** The path of the one-time link for the first admin; undefined if there are users. */
  makeFirstLink(): Promise<string | undefined>;
}> => {
  const { settings, logger, pool } = deps;
  const app = fastify({
    logger: false,
    bodyLimit,
    trustProxy: settings.trustProxy.length > 0 ? [...settings.trustProxy] : false,
    forceCloseConnections: true,
    requestTimeout: 0,
    ...(settings.tls
      ? { https: { cert: readFileSync(settings.tls.cert), key: readFileSync(settings.tls.key) } }
      : {}),
  }) as unknown as ConsoleApp;
  app.setValidatorCompiler(validate);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('person', undefined);
  app.decorateRequest('begun', false);

  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route: RouteOptions) => void routes.push(route));
  app.addHook('onReady', async () => {
    const undecided = routes
      .filter(({ config }) => config?.needs === undefined)
      .map(({ method, url }) => `${String(method)} ${url}`);
    if (undecided.length > 0)
      throw new Error(`routes that do not say what they need: ${undecided.join(', ')}`);
  });

  await app.register(helmet, {
    contentSecurityPolicy: policyWith(["'self'"]),
    frameguard: { action: 'deny' },
    // The console is also reached over http on loopback, and browsers apply HSTS to the whole host.
    strictTransportSecurity: settings.publicUrl?.startsWith('https:') ? undefined : false,
    referrerPolicy: { policy: 'same-origin' },
  });
  await app.register(cookie);
  answerInTime(app, pool);
  const guard = createGuard(pool, settings);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    await guard.check(request);
  });
  // Programs get the texts of the command line. In a browser, neither the command line nor the configuration is available.
  app.addHook('preSerialization', async (request, _reply, answer) =>
    request.person?.via === 'api' ? answer : answerInConsole(answer),
  );
  app.addHook('onResponse', async (request, reply) => {
    logger.debug(
      {
        method: request.method,
        path: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'served a console request',
    );
  });
  const answerError = (thrown: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { code, details: explained } = explainError(thrown, request);
    const details =
      request.person?.via === 'api'
        ? explained
        : { ...explained, detail: explained.detail === undefined ? undefined : inConsole(explained.detail) };
    if (code === 'internal' || code === 'unavailable') {
      logger.error(
        { err: thrown, method: request.method, path: request.routeOptions.url ?? 'unknown' },
        'a console request failed',
      );
    }
    return isForeignPage(request) ? sendProblemPage(reply, code, details) : sendProblem(reply, code, details);
  };
  app.setErrorHandler(answerError);
  const feed = createChangeFeed(pool, logger);
  app.addHook('preClose', () => feed.stop());
  const access = { guard, feed, signIn: createSignIn(pool, settings), firstLink: createFirstLink(pool) };
  await registerApi(app, deps, access);
  keepUploadsTidy(app, deps);
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route: RouteOptions) => {
      route.config = { ...route.config, needs: 'view', helmet: foreignPages };
    });
    await pages.register(swaggerUi, { routePrefix: '/api/docs', theme: { title: 'API of Cartwright' } });
    pages.get('/api/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  });
  await app.register(async (queues) => {
    queues.addHook('onRoute', (route: RouteOptions) => {
      route.config = { ...route.config, needs: 'admin', acceptsOrigin: true, helmet: queuePages };
    });
    // Opened directly, the page would have no way back, so the console shows it in its own frame.
    queues.addHook('onRequest', async (request, reply) => {
      if (request.method === 'GET' && request.headers['sec-fetch-dest'] === 'document')
        return reply.redirect(`/queues-view?at=${encodeURIComponent(request.url)}`);
    });
    deps.addQueueView(queues as unknown as FastifyInstance, '/queues');
  });
  addHealthRoutes(app, deps.health);
  await serveWebApp(app, deps.webFolder, createFirstView(app, deps));
  await app.ready();
  return { app, makeFirstLink: access.firstLink.make };
};

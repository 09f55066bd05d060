import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ServiceConfig } from '../config.ts';
import type { FaultRuleInput } from '../fault-rules.ts';
import type { Faults } from '../faults.ts';
import { isLoopback } from '../loopback.ts';
import { whyNotOwn } from '../own-caller.ts';
import { sendProblem } from '../problems.ts';
import { RefusedRequest } from '../read-body.ts';
import { checked, sentenceOf } from './checked.ts';
import type { ClockChange, Control } from './control.ts';
import { statusBody } from './control-schemas.ts';
import type { JournalFilter } from './journal.ts';
import type { ResetScope } from './reset.ts';
import type { SeedInput } from './seeds.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Why a caller may not control the service; undefined if it may. */
const whyRefused = (request: FastifyRequest, adminToken: string): string | undefined => {
  const { authorization } = request.headers;
  if (adminToken !== '' && authorization !== undefined) {
    const given = /^Bearer +(.+)$/i.exec(authorization)?.[1]?.trim() ?? '';
    // A wrong token is a mistake that the caller should notice, even on this machine.
    return timingSafeEqual(digest(given), digest(adminToken))
      ? undefined
      : 'The header Authorization does not have the admin token of this service. Send "Authorization: Bearer TOKEN" with the token that it was started with (adminTokenEnv or adminToken).';
  }
  if (!isLoopback(request.socket.remoteAddress ?? ''))
    return 'Send the header "Authorization: Bearer TOKEN" with the admin token (adminTokenEnv), or call from the same machine.';
  if (whyNotOwn(request, { checkHost: true, allowed: [] }) === undefined) return undefined;
  const place = `Without the admin token, /admin answers only under a name of loopback, such as http://127.0.0.1:${request.socket.localPort}, and no web pages of other sites.`;
  return adminToken === ''
    ? `${place} To call it otherwise, start the service with an admin token (--admin-token-env) and send it as "Authorization: Bearer TOKEN".`
    : `${place} Otherwise send the header "Authorization: Bearer TOKEN" with the admin token.`;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parts of a request that an endpoint of /admin reads and checks. */
    takes?: { query?: boolean; body?: boolean };
  }
}

/**
 * Refuses parts of a request that the endpoint would ignore: the call might do more than was meant.
 * @throws RefusedRequest
 */
const refuseUnread = ({ query, body, routeOptions }: FastifyRequest): void => {
  const { takes = {} } = routeOptions.config;
  if (!takes.query) {
    const message = takes.body
      ? 'unknown parameter; this call takes none, only a body'
      : 'unknown parameter; this call takes none';
    const errors = Object.keys(query as object).map((name) => ({
      field: [...name].slice(0, 100).join(''),
      code: 'unknown_field',
      message,
    }));
    if (errors.length > 0)
      throw new RefusedRequest('invalid', sentenceOf('Nothing was done', errors), errors);
  }
  const isEmpty = JSON.stringify(body ?? {}) === '{}';
  if (!takes.body && !isEmpty) {
    const message = `this call takes no body${takes.query ? '; give the fields in the query' : ''}`;
    const errors = [{ field: 'body', code: 'unknown_field', message }];
    throw new RefusedRequest('invalid', sentenceOf('Nothing was done', errors), errors);
  }
};

interface AdminDeps {
  config: ServiceConfig;
  control: Control;
  faults: Faults;
}

/** The paths below /admin and their methods, for 405 answers. */
export const adminMethods: [RegExp, string][] = [
  [/^\/admin\/(reset|seed)$/, 'POST'],
  [/^\/admin\/clock$/, 'GET, HEAD, POST'],
  [/^\/admin\/faults$/, 'GET, HEAD, PUT'],
  [/^\/admin\/journal$/, 'GET, HEAD, DELETE'],
  [/^\/admin\/orders\/[^/]+\/status$/, 'PUT'],
  [/^\/admin\/orders\/[^/]+\/release$/, 'POST'],
];

/**
 * Endpoints that control the service for tests. They answer callers on loopback, and callers with the admin token. They are
 * not part of the specified interface and not in its OpenAPI document.
 */
export const registerAdmin = async (
  root: FastifyInstance,
  { config, control, faults }: AdminDeps,
): Promise<void> => {
  const app = root.withTypeProvider<ZodTypeProvider>();
  const hide = true;

  app.addHook('onRequest', async (request, reply) => {
    const why = whyRefused(request, config.adminToken);
    if (why !== undefined) return sendProblem(reply, 'forbidden', { detail: why });
  });
  app.addHook('preHandler', async (request) => refuseUnread(request));

  // The control checks the body, and tells a missing body from an empty one.
  const takesBody = { schema: { hide }, config: { takes: { body: true } } };
  app.post('/reset', takesBody, async ({ body }) => control.reset(body as ResetScope));
  app.post('/seed', { ...takesBody, bodyLimit: 16_777_216 }, async ({ body, id }) =>
    control.seed((Array.isArray(body) ? body : [body]) as SeedInput[], id),
  );

  app.get('/clock', { schema: { hide } }, async () => control.clock());
  app.post('/clock', takesBody, async ({ body }) => control.clock((body ?? null) as ClockChange));

  const params = z.object({ order_number: z.string() });
  app.post('/orders/:order_number/release', { schema: { hide, params } }, async (request, reply) => {
    const { order_number } = request.params;
    return (await control.release(order_number))
      ? { order_number }
      : sendProblem(reply, 'not_found', { detail: 'No order on hold has this number.' });
  });
  const setsStatus = { ...takesBody, schema: { hide, params } };
  app.put('/orders/:order_number/status', setsStatus, async (request, reply) => {
    const { order_number } = request.params;
    const { status } = checked(statusBody, request.body, 'No status was set');
    return (await control.setStatus(order_number, status))
      ? { order_number, order_status: status }
      : sendProblem(reply, 'not_found', { detail: 'No order has this number.' });
  });

  app.get('/faults', { schema: { hide } }, async () => faults.list());
  app.put('/faults', takesBody, async ({ body }) => {
    faults.replace(body as FaultRuleInput[]);
    return faults.list();
  });

  const takesQuery = { schema: { hide }, config: { takes: { query: true } } };
  app.get('/journal', takesQuery, async ({ query }) => control.journal.list(query as JournalFilter));
  app.delete('/journal', takesQuery, async ({ query }, reply) => {
    control.journal.clear(query as ResetScope);
    return reply.code(204).send();
  });
};

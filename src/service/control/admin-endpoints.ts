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
import { checked } from './checked.ts';
import type { ClockChange, Control } from './control.ts';
import { statusBody } from './control-schemas.ts';
import type { JournalFilter } from './journal.ts';
import type { ResetScope } from './reset.ts';
import type { SeedInput } from './seeds.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether a request has the admin token. An empty token matches nothing. */
const hasToken = ({ headers }: FastifyRequest, token: string): boolean => {
  const given = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim();
  return token !== '' && given !== undefined && timingSafeEqual(digest(given), digest(token));
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
    if (hasToken(request, config.adminToken)) return;
    const why = isLoopback(request.socket.remoteAddress ?? '')
      ? whyNotOwn(request, { checkHost: true, allowed: [] })
      : 'Send the header "Authorization: Bearer TOKEN" with the admin token (adminTokenEnv), or call from the same machine.';
    if (why !== undefined) return sendProblem(reply, 'forbidden', { detail: why });
  });

  // The control checks what it is given; a body that is missing is not one that says nothing.
  app.post('/reset', { schema: { hide } }, async ({ body }) => control.reset(body as ResetScope));
  app.post('/seed', { schema: { hide }, bodyLimit: 16_777_216 }, async ({ body, id }) =>
    control.seed((Array.isArray(body) ? body : [body]) as SeedInput[], id),
  );

  app.get('/clock', { schema: { hide } }, async () => control.clock());
  app.post('/clock', { schema: { hide } }, async ({ body }) => control.clock((body ?? null) as ClockChange));

  const params = z.object({ order_number: z.string() });
  app.post('/orders/:order_number/release', { schema: { hide, params } }, async (request, reply) => {
    const { order_number } = request.params;
    return (await control.release(order_number))
      ? { order_number }
      : sendProblem(reply, 'not_found', { detail: 'No order on hold has this number.' });
  });
  app.put('/orders/:order_number/status', { schema: { hide, params } }, async (request, reply) => {
    const { order_number } = request.params;
    const { status } = checked(statusBody, request.body, 'No status was set');
    return (await control.setStatus(order_number, status))
      ? { order_number, order_status: status }
      : sendProblem(reply, 'not_found', { detail: 'No order has this number.' });
  });

  app.get('/faults', { schema: { hide } }, async () => faults.list());
  app.put('/faults', { schema: { hide } }, async ({ body }) => {
    faults.replace(body as FaultRuleInput[]);
    return faults.list();
  });

  app.get('/journal', { schema: { hide } }, async ({ query }) =>
    control.journal.list(query as JournalFilter),
  );
  app.delete('/journal', { schema: { hide } }, async (_request, reply) => {
    control.journal.clear();
    return reply.code(204).send();
  });
};

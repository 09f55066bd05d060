import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { orderStatuses } from '../../contract/codes.ts';
import type { ServiceConfig } from '../config.ts';
import { endpoints, faultRule } from '../fault-rules.ts';
import type { Faults } from '../faults.ts';
import { isLoopback } from '../loopback.ts';
import { whyNotOwn } from '../own-caller.ts';
import { sendProblem } from '../problems.ts';
import { RefusedRequest } from '../read-body.ts';
import type { Control } from './control.ts';
import type { SeedInput } from './seeds.ts';

const moment = z.iso
  .datetime({ offset: true, error: 'a time such as 2026-01-31T08:00:00Z' })
  .or(z.iso.date())
  .transform((text) => new Date(text))
  .refine((at) => at.getUTCFullYear() >= 1970 && at.getUTCFullYear() < 9999, {
    error: 'a year from 1970 to 9998',
  });

/** @internal the documentation lists its fields */
export const clockChange = z
  .strictObject({
    advanceMs: z.number().min(0).max(1e13).optional().describe('Steps the clock forward (milliseconds).'),
    speed: z
      .number()
      .min(0)
      .max(1e9)
      .optional()
      .describe('How many times faster than real time it runs from now on.'),
    freeze: z.boolean().optional().describe('`true` stops it, `false` lets it run at `clockSpeed` again.'),
    set: z
      .union([z.literal('real'), moment], { error: '"real", or a time such as 2026-01-31T08:00:00Z' })
      .optional()
      .describe('The date and time that it shows from now on (ISO 8601), also an earlier one, or `real`.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'give advanceMs, speed, freeze or set',
  })
  .refine((change) => change.speed === undefined || change.freeze === undefined, {
    error: 'give speed or freeze, not both',
  });

const poNumber = z.string().min(1);
const resetBody = z.strictObject({ dealer: z.string().min(1).optional(), poNumber: poNumber.optional() });

const journalQuery = z.strictObject({
  dealer: z.string().optional(),
  poNumber: poNumber.optional(),
  endpoint: z.enum(endpoints).optional(),
  since: moment.optional(),
  until: moment.optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, { error: 'a whole number from 1 to 5000' })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 5_000, { error: 'a whole number from 1 to 5000' })
    .optional(),
});

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

  app.post('/reset', { schema: { hide, body: resetBody.optional().nullable() } }, async ({ body }) => {
    const names = config.dealers.length > 0 ? config.dealers.map(({ name }) => name) : ['dealer'];
    if (body?.dealer !== undefined && !names.includes(body.dealer)) {
      throw new RefusedRequest('invalid', 'Unknown dealer.', [
        { field: 'dealer', code: 'unknown_dealer', message: `one of ${names.join(', ')}` },
      ]);
    }
    return control.reset(body ?? {});
  });

  const seeds = z.preprocess(
    (body) => (Array.isArray(body) ? body : [body]),
    z
      .array(z.record(z.string(), z.unknown(), { error: 'a seed, such as {"po_number": "PO-1"}' }))
      .min(1)
      .max(10_000),
  );
  app.post('/seed', { schema: { hide, body: seeds }, bodyLimit: 16_777_216 }, async ({ body, id }) =>
    control.seed(body as unknown as SeedInput[], id),
  );

  app.get('/clock', { schema: { hide } }, async () => control.clock());
  app.post('/clock', { schema: { hide, body: clockChange } }, async ({ body }) => control.clock(body));

  const params = z.object({ order_number: z.string() });
  app.post('/orders/:order_number/release', { schema: { hide, params } }, async (request, reply) => {
    const { order_number } = request.params;
    return (await control.release(order_number))
      ? { order_number }
      : sendProblem(reply, 'not_found', { detail: 'No order on hold has this number.' });
  });
  const statusBody = z.strictObject({ status: z.enum(orderStatuses) });
  app.put(
    '/orders/:order_number/status',
    { schema: { hide, params, body: statusBody } },
    async (request, reply) => {
      const { order_number } = request.params;
      return (await control.setStatus(order_number, request.body.status))
        ? { order_number, order_status: request.body.status }
        : sendProblem(reply, 'not_found', { detail: 'No order has this number.' });
    },
  );

  app.get('/faults', { schema: { hide } }, async () => faults.list());
  app.put('/faults', { schema: { hide, body: z.array(faultRule) } }, async ({ body }) => {
    faults.replace(body);
    return faults.list();
  });

  app.get('/journal', { schema: { hide, querystring: journalQuery } }, async ({ query }) =>
    control.journal.list(query),
  );
  app.delete('/journal', { schema: { hide } }, async (_request, reply) => {
    control.journal.clear();
    return reply.code(204).send();
  });
};

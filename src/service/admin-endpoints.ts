import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ServiceClock } from './clock.ts';
import { faultRule } from './fault-rules.ts';
import { isLoopback } from './loopback.ts';
import { sendProblem } from './problems.ts';
import { releaseOrder } from './release-order.ts';
import type { CallDeps } from './serve-call.ts';

const clockChange = z
  .strictObject({
    advanceMs: z.number().min(0).max(1e13).optional(),
    speed: z.number().min(0).max(1e9).optional(),
  })
  .refine((change) => change.advanceMs !== undefined || change.speed !== undefined, {
    error: 'give advanceMs, speed or both',
  });

/**
 * Operator endpoints: the clock, the release of orders on hold, and fault rules. They answer callers on loopback
 * only, whatever address the service listens on. They are not part of the specified interface.
 */
export const registerAdmin = async (
  root: FastifyInstance,
  deps: Pick<CallDeps, 'pool' | 'faults'> & { clock: ServiceClock },
): Promise<void> => {
  const app = root.withTypeProvider<ZodTypeProvider>();
  app.addHook('onRequest', async (request, reply) => {
    if (!isLoopback(request.socket.remoteAddress ?? '')) return sendProblem(reply, 'forbidden');
  });

  app.get('/clock', { schema: { hide: true } }, async () => ({ clockMs: await deps.clock.read() }));
  app.post('/clock', { schema: { hide: true, body: clockChange } }, async ({ body }) => {
    if (body.speed !== undefined) await deps.clock.setSpeed(body.speed);
    return { clockMs: await deps.clock.advance(body.advanceMs ?? 0) };
  });

  const orderParams = z.object({ order_number: z.string() });
  app.post(
    '/orders/:order_number/release',
    { schema: { hide: true, params: orderParams } },
    async (request, reply) => {
      const released = await releaseOrder(deps.pool, request.params.order_number);
      return released ? { order_number: request.params.order_number } : sendProblem(reply, 'not_found');
    },
  );

  app.get('/faults', { schema: { hide: true } }, async () => deps.faults.list());
  app.put('/faults', { schema: { hide: true, body: z.array(faultRule) } }, async ({ body }) => {
    deps.faults.replace(body);
    return deps.faults.list();
  });
};

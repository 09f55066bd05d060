import type { ConsoleApp, ConsoleHealth } from './console-app.ts';
import { ConsoleProblem } from './problems.ts';

/** For probes and Prometheus, which know no session. Every probe may ask the first two; they have no data. */
export const addHealthRoutes = (app: ConsoleApp, health: ConsoleHealth): void => {
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

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import fastify, { type FastifyInstance } from 'fastify';
import { UserError } from '../errors.ts';
import type { BullQueue } from './backend.ts';

const path = '/queues';
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const isOwn = (authority: string | undefined): boolean => {
  const url = `http://${authority ?? ''}`;
  return URL.canParse(url) && ownNames.has(new URL(url).hostname);
};

const isOwnOrigin = (origin: string | undefined): boolean =>
  origin === undefined || (URL.canParse(origin) && isOwn(new URL(origin).host));

/**
 * Bull Board as a page of this machine. It has no login, so only this machine may reach it: it listens on
 * loopback alone, answers only under loopback's names (a foreign name that resolves to loopback is how web
 * pages reach such servers), and changes nothing for pages of other origins. `app` is built but not
 * listening.
 *
 * @returns `listen` gives the page's address; throws UserError `queue_view_not_loopback`, `port_taken`.
 *   `stop` is idempotent
 */
export const createQueueView = (options: {
  bullQueues: readonly BullQueue[];
}): {
  app: FastifyInstance;
  listen(at: { host: string; port: number }): Promise<string>;
  stop(): Promise<void>;
} => {
  const app = fastify({ forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    if (!isOwn(request.headers.host) || !isOwnOrigin(request.headers.origin)) {
      await reply.code(403).send({ error: 'The queue view answers this machine only.' });
    }
  });
  const board = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    // The adapter's type knows queues on Redis only; it works with both.
    queues: options.bullQueues.map(
      (queue) => new BullMQAdapter(queue as unknown as ConstructorParameters<typeof BullMQAdapter>[0]),
    ),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Cartwright' } },
  });
  void app.register(board.registerPlugin(), { prefix: path });
  app.get('/', (_request, reply) => reply.redirect(path));

  return {
    app,
    async listen({ host, port }) {
      if (!isOwn(host.includes(':') ? `[${host}]` : host)) {
        throw new UserError(
          'queue_view_not_loopback',
          `The queue view has no login and must not be reached from other machines: "${host}" is not 127.0.0.1, ::1 or localhost.`,
        );
      }
      try {
        return `${await app.listen({ host, port })}${path}`;
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
        throw new UserError(
          'port_taken',
          `Port ${port} of ${host} is taken by another program. Stop it, or set queueView.port to another one (0 for any).`,
          { cause },
        );
      }
    },
    stop: () => app.close(),
  };
};

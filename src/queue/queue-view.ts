import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { UserError } from '../errors.ts';
import type { BullQueue } from './backend.ts';

const path = '/queues';
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const isOwn = (authority: string | undefined): boolean => {
  const url = `http://${authority ?? ''}`;
  return URL.canParse(url) && ownNames.has(new URL(url).hostname);
};

/**
 * Whether a request comes from the page itself or from a person's address bar. Pages on other ports of this machine count
 * as other sites: browsers name them in Origin or Sec-Fetch-Site.
 */
const isOwnPage = ({ headers }: FastifyRequest): boolean => {
  const { host, origin } = headers;
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)) return false;
  const site = headers['sec-fetch-site'];
  const opened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return site === undefined || site === 'same-origin' || site === 'none' || opened;
};

const reading = new Set(['GET', 'HEAD']);

/**
 * Bull Board as a page of this machine. It has no login, so only this machine may reach it: it listens on
 * loopback alone, answers only under loopback's names (a foreign name that resolves to loopback is how web
 * pages reach such servers), and not to pages of other origins. `app` is built but not listening.
 *
 * @param options.readOnly nothing can be changed through it (default true)
 * @returns `listen` gives the page's address, on a free port where the given one is taken; throws UserError
 *   `queue_view_not_loopback`. `stop` is idempotent
 */
export const createQueueView = (options: {
  bullQueues: readonly BullQueue[];
  readOnly?: boolean;
}): {
  app: FastifyInstance;
  listen(at: { host: string; port: number }): Promise<{ address: string; portTaken: boolean }>;
  stop(): Promise<void>;
} => {
  const { bullQueues, readOnly = true } = options;
  const app = fastify({ forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    if (!isOwn(request.headers.host) || !isOwnPage(request)) {
      await reply
        .code(403)
        .send({ error: 'The queue view accepts requests only from this machine and its own page.' });
    } else if (readOnly && !reading.has(request.method)) {
      const error = 'The queue view only shows jobs. Set queueView.readOnly to false to change them here.';
      await reply.code(405).send({ error });
    }
  });
  const board = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    // The adapter's type knows queues on Redis only; it works with both.
    queues: bullQueues.map(
      (queue) =>
        new BullMQAdapter(queue as unknown as ConstructorParameters<typeof BullMQAdapter>[0], {
          readOnlyMode: readOnly,
        }),
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
      const listenAt = async (at: number) => `${await app.listen({ host, port: at })}${path}`;
      try {
        return { address: await listenAt(port), portTaken: false };
      } catch (error) {
        // Placing orders must not depend on a page that only shows jobs.
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        return { address: await listenAt(0), portTaken: true };
      }
    },
    stop: () => app.close(),
  };
};

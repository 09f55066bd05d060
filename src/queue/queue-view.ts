import fastify, { type FastifyInstance } from 'fastify';
import type { BullQueue } from './backend.ts';

const reading = new Set(['GET', 'HEAD']);

/** The console's page of a job's PO or import. */
const pageOf = (data: unknown): { displayText: string; href: string } | undefined => {
  const { purchaseOrderId, importId } = (data ?? {}) as { purchaseOrderId?: unknown; importId?: unknown };
  if (typeof purchaseOrderId === 'string')
    return { displayText: 'Purchase order', href: `/purchase-orders/${encodeURIComponent(purchaseOrderId)}` };
  if (typeof importId === 'string')
    return { displayText: 'Import', href: `/imports/${encodeURIComponent(importId)}` };
  return undefined;
};

interface QueueView {
  bullQueues: readonly BullQueue[];
  /** Base path of its pages. */
  path: string;
  /** Nothing can be changed in the view. */
  readOnly: boolean;
}

/** Bull Board as an app of its own that does not listen. */
const openBoard = async ({ bullQueues, path, readOnly }: QueueView): Promise<FastifyInstance> => {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  const app = fastify();
  // Removes a font from Google, which the content security policy would block and report. Links to pages of the console must leave
  // the frame in which the console shows the view.
  app.addHook('onSend', async (_request, reply, payload) =>
    typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
      ? payload.replace(/<link href="https:[^>]*>/g, '').replace(/<base /, '<base target="_top" ')
      : payload,
  );
  const board = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    // The adapter works with both backends; its type knows only queues on Redis.
    queues: bullQueues.map(
      (queue) =>
        new BullMQAdapter(queue as unknown as ConstructorParameters<typeof BullMQAdapter>[0], {
          readOnlyMode: readOnly,
          // The type does not allow jobs without a page.
          externalJobUrl: (({ data }: { data: unknown }) => pageOf(data)) as never,
        }),
    ),
    serverAdapter: board,
    options: {
      uiConfig: { boardTitle: 'Cartwright' },
    },
  });
  await app.register(board.registerPlugin(), { prefix: path });
  await app.ready();
  return app;
};

/**
 * Adds Bull Board, which shows the jobs of the queues, to an app that decides who may open it. It is loaded when somebody opens it: it takes
 * 16 MB that most processes never need.
 */
export const addQueueView = (app: FastifyInstance, view: QueueView): void => {
  let board: Promise<FastifyInstance> | undefined;
  app.addHook('onRequest', async (request, reply) => {
    if (view.readOnly && !reading.has(request.method)) {
      const error = 'This page only shows jobs. Set console.queues.readOnly to false to change them here.';
      await reply.code(405).send({ error });
    }
  });
  app.addHook('onClose', async () => (await board?.catch(() => undefined))?.close());
  for (const url of [view.path, `${view.path}/*`])
    app.all(url, async ({ method, raw, headers: { 'content-length': _, ...headers }, body }, reply) => {
      board ??= openBoard(view);
      const answer = await (await board).inject({
        method: method as 'GET',
        url: raw.url ?? view.path,
        headers,
        ...(body === undefined || body === null ? {} : { payload: body as object }),
      });
      return reply.code(answer.statusCode).headers(answer.headers).send(answer.rawPayload);
    });
};

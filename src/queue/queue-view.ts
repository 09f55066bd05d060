import fastify, { type FastifyInstance } from 'fastify';
import type { BullQueue } from './backend.ts';

const reading = new Set(['GET', 'HEAD']);

/** The page that shows a PO or an import in the console, for the job of one. */
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
  /** Where its pages are. */
  path: string;
  /** Nothing can be changed through it. */
  readOnly: boolean;
}

/** Bull Board as an app of its own, which listens to nothing. */
const openBoard = async ({ bullQueues, path, readOnly }: QueueView): Promise<FastifyInstance> => {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  const app = fastify();
  // Its page asks Google for a font, which the content security policy would only report. Its links to pages of the console leave the
  // frame in which the console shows it.
  app.addHook('onSend', async (_request, reply, payload) =>
    typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
      ? payload.replace(/<link href="https:[^>]*>/g, '').replace(/<base /, '<base target="_top" ')
      : payload,
  );
  const board = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    // The adapter's type knows queues on Redis only; it works with both.
    queues: bullQueues.map(
      (queue) =>
        new BullMQAdapter(queue as unknown as ConstructorParameters<typeof BullMQAdapter>[0], {
          readOnlyMode: readOnly,
          // Its type does not know that a job may have no page.
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

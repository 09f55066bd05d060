import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';
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

/**
 * Adds Bull Board, which shows the jobs of the queues, to an app that decides who may open it.
 * @param options.path where its pages are
 * @param options.readOnly nothing can be changed through it
 */
export const addQueueView = async (
  app: FastifyInstance,
  { bullQueues, path, readOnly }: { bullQueues: readonly BullQueue[]; path: string; readOnly: boolean },
): Promise<void> => {
  app.addHook('onRequest', async (request, reply) => {
    if (readOnly && !reading.has(request.method)) {
      const error = 'This page only shows jobs. Set console.queues.readOnly to false to change them here.';
      await reply.code(405).send({ error });
    }
  });
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
};

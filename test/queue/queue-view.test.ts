import fastify from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/logger.ts';
import { createQueues } from '../../src/queue/create-queues.ts';
import { addQueueView } from '../../src/queue/queue-view.ts';
import { startRedis } from '../support/redis.ts';
import { openPostgresStore, openRedisStore } from './stores.ts';

const redis = await startRedis();
afterAll(() => redis?.stop());

const stores = [
  { name: 'Postgres', open: openPostgresStore },
  // Absent only where redis-server is not installed, which CI refuses.
  ...(redis ? [{ name: 'Redis', open: () => openRedisStore(redis) }] : []),
];

const viewOf = async (queues: Awaited<ReturnType<typeof createQueues>>, readOnly = true) => {
  const app = fastify();
  addQueueView(app, { bullQueues: queues.bullQueues, path: '/queues', readOnly });
  return app;
};

describe.each(stores)('the queue view on $name', ({ open }) => {
  test('shows the page, loads nothing from elsewhere, and shows every queue with its jobs and their POs', async () => {
    const store = await open();
    const { backend, address } = store;
    const queues = await createQueues({ backend, logger: silentLogger, prefix: address.prefix });
    await queues.enqueue([{ name: 'create-cart', data: { purchaseOrderId: '4711' } }]);
    const view = await viewOf(queues);

    const page = await view.inject('/queues');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Cartwright');
    expect(page.body).not.toMatch(/(?:src|href)="https?:/);
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map(([, url]) => url!);
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const { statusCode, rawPayload, headers } = await view.inject(
        new URL(asset, 'http://a/queues/').pathname,
      );
      expect({ asset, statusCode }).toEqual({ asset, statusCode: 200 });
      expect(rawPayload.length).toBe(Number(headers['content-length']));
    }
    const answer = await view.inject('/queues/api/queues?activeQueue=create-cart&status=waiting');
    const shown = answer.json() as {
      queues: { name: string; jobs: { data: unknown; externalUrl?: unknown }[] }[];
    };
    expect(shown.queues.map((queue) => queue.name).toSorted()).toEqual([
      'add-items',
      'create-cart',
      'import-file',
      'poll-status',
      'submit-order',
      'write-report',
    ]);
    expect(shown.queues.find((queue) => queue.name === 'create-cart')?.jobs[0]).toMatchObject({
      data: { purchaseOrderId: '4711' },
      externalUrl: { href: '/purchase-orders/4711' },
    });

    await view.close();
    await queues.stop();
    await store.close();
  });
});

test('the queue view changes nothing unless it is allowed to', async () => {
  const store = await openPostgresStore();
  const queues = await createQueues({ backend: store.backend, logger: silentLogger });
  const pause = async (readOnly?: boolean) => {
    const view = await viewOf(queues, readOnly);
    const answer = await view.inject({
      method: 'PUT',
      url: '/queues/api/queues/create-cart/pause',
      // Longer than the part of it that is read.
      headers: { 'content-type': 'application/json' },
      payload: '{ "any": 1 }',
    });
    await view.close();
    return answer.statusCode;
  };
  expect(await pause()).toBe(405);
  expect(await queues.checkHolds({ lift: false })).toEqual([]);
  expect(await pause(false)).toBe(200);
  expect(await queues.checkHolds({ lift: false })).toEqual([{ queue: 'create-cart', what: 'paused' }]);
  await queues.stop(0);
  await store.close();
});

import { afterAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/logger.ts';
import { createQueues } from '../../src/queue/create-queues.ts';
import { createQueueView } from '../../src/queue/queue-view.ts';
import { startRedis } from '../support/redis.ts';
import { openPostgresStore, openRedisStore } from './stores.ts';

const redis = await startRedis();
afterAll(() => redis?.stop());

const stores = [
  { name: 'Postgres', open: openPostgresStore },
  // Absent only where redis-server is not installed, which CI refuses.
  ...(redis ? [{ name: 'Redis', open: () => openRedisStore(redis) }] : []),
];

describe.each(stores)('the queue view on $name', ({ open }) => {
  test('shows the page and every queue with its jobs', async () => {
    const store = await open();
    const { backend, address } = store;
    const queues = await createQueues({ backend, logger: silentLogger, prefix: address.prefix });
    await queues.enqueue([{ name: 'create-cart', data: { purchaseOrderId: '4711' } }]);
    const view = createQueueView({ bullQueues: queues.bullQueues });
    const { address: url } = await view.listen({ host: '127.0.0.1', port: 0 });

    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Cartwright');
    const answer = await fetch(`${url}/api/queues?activeQueue=create-cart&status=waiting`);
    const shown = (await answer.json()) as { queues: { name: string; jobs: { data: unknown }[] }[] };
    expect(shown.queues.map((queue) => queue.name).toSorted()).toEqual([
      'add-items',
      'create-cart',
      'import-file',
      'poll-status',
      'submit-order',
      'write-report',
    ]);
    expect(shown.queues.find((queue) => queue.name === 'create-cart')?.jobs[0]?.data).toEqual({
      purchaseOrderId: '4711',
    });

    await view.stop();
    await view.stop();
    await queues.stop();
    await store.close();
  });
});

describe('the queue view', () => {
  test('does not listen where another machine reaches it', async () => {
    const view = createQueueView({ bullQueues: [] });
    for (const host of ['0.0.0.0', '::', '192.168.1.2', 'example.com', '127.0.0.1.example.com']) {
      await expect(view.listen({ host, port: 0 })).rejects.toMatchObject({ code: 'queue_view_not_loopback' });
    }
    await view.stop();
  });

  test('uses a free port when another program uses the configured one, and logs it', async () => {
    const first = createQueueView({ bullQueues: [] });
    const { address, portTaken } = await first.listen({ host: '127.0.0.1', port: 0 });
    expect(portTaken).toBe(false);
    const second = createQueueView({ bullQueues: [] });
    const listening = await second.listen({ host: '127.0.0.1', port: Number(new URL(address).port) });
    expect(listening.portTaken).toBe(true);
    expect(listening.address).not.toBe(address);
    expect((await fetch(listening.address)).status).toBe(200);
    await second.stop();
    await first.stop();
  });

  test('changes nothing unless it is allowed to', async () => {
    const store = await openPostgresStore();
    const queues = await createQueues({ backend: store.backend, logger: silentLogger });
    const pause = async (readOnly?: boolean) => {
      const view = createQueueView({
        bullQueues: queues.bullQueues,
        ...(readOnly === undefined ? {} : { readOnly }),
      });
      const answer = await view.app.inject({
        method: 'PUT',
        url: '/queues/api/queues/create-cart/pause',
        headers: { host: 'localhost:8490' },
      });
      await view.stop();
      return answer.statusCode;
    };
    expect(await pause()).toBe(405);
    expect(await queues.checkHolds({ lift: false })).toEqual([]);
    expect(await pause(false)).toBe(200);
    expect(await queues.checkHolds({ lift: false })).toEqual([{ queue: 'create-cart', what: 'paused' }]);
    await queues.stop(0);
    await store.close();
  });

  test.each([
    { headers: { host: 'rebound.example.com' }, status: 403 },
    { headers: { host: '127.0.0.1.example.com:8490' }, status: 403 },
    { headers: { host: 'localhost:8490', origin: 'https://example.com' }, status: 403 },
    { headers: { host: 'localhost:8490', origin: 'null' }, status: 403 },
    { headers: { host: 'localhost:8490', origin: 'http://localhost:8490' }, status: 200 },
    { headers: { host: '[::1]:8490' }, status: 200 },
    // A page of another program on this machine.
    { headers: { host: 'localhost:8490', origin: 'http://localhost:3000' }, status: 403 },
    { headers: { host: 'localhost:8490', origin: 'http://127.0.0.1:8490' }, status: 403 },
    { headers: { host: 'localhost:8490', 'sec-fetch-site': 'same-site' }, status: 403 },
    {
      headers: { host: 'localhost:8490', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      status: 403,
    },
    {
      headers: {
        host: 'localhost:8490',
        'sec-fetch-site': 'same-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'iframe',
      },
      status: 403,
    },
    {
      headers: {
        host: 'localhost:8490',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
      status: 200,
    },
    { headers: { host: 'localhost:8490', 'sec-fetch-site': 'none' }, status: 200 },
    { headers: { host: 'localhost:8490', 'sec-fetch-site': 'same-origin' }, status: 200 },
  ])('answers $headers with $status', async ({ headers, status }) => {
    const view = createQueueView({ bullQueues: [] });
    const answer = await view.app.inject({ url: '/queues/api/queues', headers });
    expect(answer.statusCode).toBe(status);
    await view.stop();
  });
});

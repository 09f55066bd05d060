import { Redis } from 'ioredis';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type Logger, silentLogger } from '../../src/logger.ts';
import { createQueues } from '../../src/queue/create-queues.ts';
import { startRedis } from '../support/redis.ts';
import { queueContract } from './queue.contract.ts';
import { openRedisStore } from './stores.ts';

const redis = await startRedis();
afterAll(() => redis?.stop());

// startRedis throws in CI; elsewhere the test's name says that Redis was not tested.
describe.skipIf(!redis)('with redis-server (skipped where it is not installed)', () => {
  queueContract('Redis', () => openRedisStore(redis!));

  test('while Redis is down calls fail within seconds and no process ends; afterwards they work again', async () => {
    const queues = await createQueues({ backend: { kind: 'redis', url: redis!.url }, logger: silentLogger });
    let announce = (_id: string) => {};
    const done = new Promise<string>((resolve) => {
      announce = resolve;
    });
    await queues.startWorkers({
      handlers: { 'create-cart': async ({ purchaseOrderId }) => announce(purchaseOrderId) },
    });
    await redis!.kill();
    const unreachable = { code: 'queue_down', message: expect.stringContaining('Redis cannot be used') };
    await expect(queues.ping()).rejects.toMatchObject(unreachable);
    const job = { name: 'create-cart', data: { purchaseOrderId: '1' } } as const;
    await expect(queues.enqueue([job])).rejects.toMatchObject(unreachable);
    await redis!.restart();
    await expect
      .poll(() => queues.enqueue([job]).then(() => 'taken', String), { timeout: 15_000 })
      .toBe('taken');
    expect(await done).toBe('1');
    await queues.stop();
  });

  test('stop also finishes while Redis is down', async () => {
    const queues = await createQueues({ backend: { kind: 'redis', url: redis!.url }, logger: silentLogger });
    await queues.startWorkers({ handlers: { 'create-cart': async () => {} } });
    await redis!.kill();
    await queues.stop(50);
    await redis!.restart();
  });

  test('an unreachable Redis at the start is reported in one clear sentence', async () => {
    await redis!.kill();
    const refused = createQueues({ backend: { kind: 'redis', url: redis!.url }, logger: silentLogger });
    await expect(refused).rejects.toMatchObject({
      code: 'queue_down',
      message: expect.stringContaining('connection refused'),
    });
    await redis!.restart();
  });

  test.each([
    [{ everyMs: 3_600_000 }, false],
    [{ everyMs: 3_600_000 }, true],
    [{ cron: '0 0 * * *', timeZone: 'UTC' }, false],
    [{ cron: '0 0 * * *', timeZone: 'UTC' }, true],
  ])(
    'a schedule (%j) is put back whichever of its keys were evicted (by the list of all schedules: %j)',
    async (timing, isList) => {
      const prefix = `evicted ${Object.keys(timing)[0]} ${isList}`;
      const queues = await createQueues({
        backend: { kind: 'redis', url: redis!.url },
        logger: silentLogger,
        prefix,
      });
      const client = new Redis(redis!.url);
      const keysOf = async () => (await client.keys(`${prefix}:poll-status:*`)).sort();
      const job = { name: 'poll-status', data: { account: 'default' } } as const;
      const schedule = { id: 'poll-default', job, timing };
      const put = () => queues.upsertSchedule(schedule);
      /** Restores the schedule like the keeper, with the list of all schedules. */
      const putBack = async () => queues.upsertSchedule(schedule, (await queues.listSchedules())[0] ?? null);
      await put();
      const combinations = 2 ** (await keysOf()).length;
      for (let lost = 1; lost < combinations; lost += 1) {
        const keys = await keysOf();
        if (keys.length > 0) await client.del(...keys);
        await put();
        const evicted = (await keysOf()).filter((_, at) => (lost >> at) & 1);
        if (evicted.length > 0) await client.del(...evicted);
        await (isList ? putBack : put)();
        expect(await queues.listSchedules(), evicted.join(', ')).toEqual([
          {
            id: 'poll-default',
            name: 'poll-status',
            account: 'default',
            data: job.data,
            timing,
            nextAtMs: expect.any(Number),
          },
        ]);
      }
      client.disconnect();
      await queues.stop();
    },
  );

  test('a Redis that may evict jobs gives one warning in the log and none on the console', async () => {
    const client = new Redis(redis!.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const warned: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (_fields, message) => warned.push(message) };
    const onConsole = vi.spyOn(console, 'warn');
    const queues = await createQueues({ backend: { kind: 'redis', url: redis!.url }, logger });
    await queues.startWorkers({ handlers: { 'create-cart': async () => {} } });
    await queues.stop();
    expect(onConsole).not.toHaveBeenCalled();
    onConsole.mockRestore();
    expect(warned).toEqual([expect.stringContaining('noeviction')]);
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    client.disconnect();
  });
});

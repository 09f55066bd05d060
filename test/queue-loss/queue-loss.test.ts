import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueSchema } from '../../src/queue/backend.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { allOrdered, judge, readLedgerPos } from '../support/judge.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';

const asked = somePos('PO-', 150);
const orderedCount = async (system: System): Promise<number> =>
  (await system.ledger.query(`select count(*)::int as n from purchase_orders where state = 'ordered'`))
    .rows[0].n;

/**
 * Places 150 POs and repeatedly loses the queue meanwhile. The worker has its default times, except that it sweeps
 * every second.
 */
const survive = async (
  redis: TestRedis | undefined,
  lose: (ledgerUrl: string) => Promise<void>,
): Promise<void> => {
  const [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  let service: ListeningService | undefined;
  let system: System | undefined;
  try {
    service = await startService(served.url, { latencyMs: 20 });
    system = await createSystem({
      ledgerUrl: ledger.url,
      redisUrl: redis?.url,
      accounts: { default: { baseUrl: service.url } },
      worker: { leaseMs: 60_000, sweepEveryMs: 1_000, placesAtOnce: 8 },
    });
    const running = system;
    await running.spawn();
    await running.drop('default', 'orders.csv', fileOf(asked));
    for (const share of [0.2, 0.5, 0.8]) {
      await until(async () => (await orderedCount(running)) >= asked.size * share);
      await lose(ledger.url);
    }
    await running.settled(1, 120_000);
    expect(
      judge(asked, await ordersByPo(service.pool), await readLedgerPos(running.ledger, 'default')),
    ).toEqual(allOrdered(asked));
    // The schedules must be restored, too: without polls, an account would never get the status of its orders.
    const { runtime, stop } = await running.work();
    await until(async () =>
      (await runtime.queues.listSchedules()).some(({ name }) => name === 'poll-status'),
    );
    await stop();
  } finally {
    await system?.stop();
    await service?.stop();
    await Promise.all([ledger.drop(), served.drop()]);
  }
};

describe('the queue, lost while POs are placed', () => {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  const command = async (...words: [string, ...string[]]) => {
    const client = new Redis(redis!.url);
    await client.call(...words);
    client.disconnect();
  };

  it('is refilled from the ledger after FLUSHALL, and nothing is ordered twice', async (test) => {
    if (!redis) return test.skip('this machine has no redis-server');
    await survive(redis, () => command('FLUSHALL'));
  });

  it('is refilled after Redis evicted keys', async (test) => {
    if (!redis) return test.skip('this machine has no redis-server');
    await survive(redis, async () => {
      const client = new Redis(redis!.url);
      const keys = (await client.keys('*')).sort();
      await client.del(...keys.filter((_, at) => at % 2 === 0));
      client.disconnect();
    });
  });

  it('is refilled after Redis was killed and restarted empty', async (test) => {
    if (!redis) return test.skip('this machine has no redis-server');
    await survive(redis, async () => {
      await command('FLUSHALL');
      await redis!.restart();
    });
  });

  it('is refilled after its schema in Postgres was dropped', async () => {
    await survive(undefined, async (ledgerUrl) => {
      const pool = new pg.Pool({ connectionString: ledgerUrl, max: 1 });
      // A drop can deadlock with the workers that use the schema: retry it.
      await until(async () => {
        const dropped = pool.query(`drop schema if exists ${queueSchema} cascade`);
        return dropped.then(
          () => true,
          () => false,
        );
      });
      await pool.end();
    });
  });
});

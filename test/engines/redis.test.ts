import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/run-system.ts';
import { orderThrough } from './order-through.ts';
import { hasProgram, startSentinels } from './redis.ts';

describe.runIf(hasProgram('redis-server'))('Redis', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeEach(async () => {
    database = await createTestDatabase();
    return () => database.drop();
  });

  test('by Sentinel, also when its primary is killed while orders are placed', async () => {
    const sentinels = await startSentinels();
    try {
      const redisUrl = `redis+sentinel://${sentinels.ports.map((port) => `127.0.0.1:${port}`).join(',')}/orders`;
      await orderThrough(
        { databaseUrl: database.url, redisUrl },
        async ({ ordered }) => {
          await until(async () => (await ordered()) >= 5, { everyMs: 20 });
          await sentinels.primary.kill();
          expect(await ordered()).toBeLessThan(100);
        },
        { pos: 100, latencyMs: 100 },
      );
      expect(String(await sentinels.replica.ask('info', 'replication'))).toContain('role:master');
      expect(String(await sentinels.replica.ask('dbsize'))).not.toBe('0');
    } finally {
      await sentinels.stop();
    }
  }, 250_000);
});

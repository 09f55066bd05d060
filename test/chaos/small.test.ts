import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { smallChaos } from './plan.ts';
import { runChaos } from './run-chaos.ts';

describe('a small chaos run', () => {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  const survive = async (queue: TestRedis | undefined) => {
    const { failures } = await runChaos({ plan: smallChaos, redis: queue, seed: 7, print: () => {} });
    expect(failures).toEqual([]);
  };

  it(
    'loses no PO, orders none twice and none wrong, with the queue on Postgres',
    () => survive(undefined),
    900_000,
  );

  it('loses no PO, orders none twice and none wrong, with the queue on Redis', async (test) => {
    if (!redis) return test.skip('this machine has no redis-server');
    await survive(redis);
  }, 900_000);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { orderThrough } from './order-through.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { findPostgres, password, startPostgres, type TestPostgres } from './postgres.ts';
import { refusal } from './refused.ts';

describe('PgBouncer', () => {
  let postgres: TestPostgres;
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    postgres = await startPostgres((await findPostgres(18))!, { settings: ['max_connections = 220'] });
    redis = await startRedis();
  });
  beforeEach(() => postgres.empty());
  afterAll(async () => {
    await redis?.stop();
    await postgres?.stop();
  });

  // Fewer sessions than connections, so that transactions keep changing their sessions.
  const transactionMode = ['pool_mode = transaction', 'default_pool_size = 6', 'max_client_conn = 200'];

  test('in transaction mode, as it is configured by default, orders every PO once', async (test) => {
    const bouncer = await startPgBouncer(postgres.port, transactionMode);
    if (!bouncer || !redis) return test.skip('this machine has no pgbouncer or redis-server');
    try {
      const heard = await orderThrough({ databaseUrl: bouncer.url, redisUrl: redis.url });
      expect(heard).not.toMatch(/"level":[456]0/);
      const { rows } = await postgres.admin(`select count(*)::int as n from pg_prepared_statements`);
      expect(rows).toEqual([{ n: 0 }]);
      const locks = await postgres.admin(`select 1 from pg_locks where locktype = 'advisory'`);
      expect(locks.rows).toEqual([]);
    } finally {
      await bouncer.stop();
    }
  }, 200_000);

  test('in session mode with enough connections, orders every PO once, also with the queue behind it', async (test) => {
    const settings = [
      'pool_mode = session',
      'default_pool_size = 200',
      'ignore_startup_parameters = options',
    ];
    const bouncer = await startPgBouncer(postgres.port, settings);
    if (!bouncer) return test.skip('this machine has no pgbouncer');
    try {
      const heard = await orderThrough({ databaseUrl: bouncer.url });
      expect(heard).not.toMatch(/"level":[456]0/);
    } finally {
      await bouncer.stop();
    }
  }, 200_000);

  test('is refused in one sentence where it cannot work', async (test) => {
    const cases: [string[], RegExp][] = [
      [['pool_mode = statement'], /is in statement mode.*Set pool_mode = transaction/],
      [['pool_mode = session', 'default_pool_size = 5'], /session mode.*Set pool_mode = transaction/],
      [transactionMode, /job queue.*LISTEN.*Set REDIS_URL/],
    ];
    for (const [settings, sentence] of cases) {
      const bouncer = await startPgBouncer(postgres.port, settings);
      if (!bouncer) return test.skip('this machine has no pgbouncer');
      try {
        expect(await refusal({ DATABASE_URL: bouncer.url }, { secrets: [password] })).toMatch(sentence);
      } finally {
        await bouncer.stop();
      }
    }
  }, 200_000);
});

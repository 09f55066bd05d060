import { afterAll, expect, test } from 'vitest';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { readQueueName } from '../../src/ledger/queue-name.ts';
import { silentLogger } from '../../src/logger.ts';
import { openRuntime } from '../../src/worker/open-runtime.ts';
import { createTestDatabase } from '../support/database.ts';
import { startRedis } from '../support/redis.ts';
import { createSystem, fileOf, somePos, startService } from '../support/run-system.ts';

const redis = await startRedis();
afterAll(() => redis?.stop());

// Absent only where redis-server is not installed, which CI refuses.
test.runIf(redis)('two installations on one Redis leave each other’s jobs alone', async () => {
  const [one, other, served] = [
    await createTestDatabase(),
    await createTestDatabase(),
    await createTestDatabase(),
  ];
  const service = await startService(served.url);
  const create = (ledgerUrl: string) =>
    createSystem({
      ledgerUrl,
      redisUrl: redis!.url,
      accounts: { default: { baseUrl: service.url } },
      worker: { sweepEveryMs: 200, leaseMs: 3_000 },
    });
  const [mine, theirs] = [await create(one.url), await create(other.url)];
  try {
    // Opened without a worker, so that its jobs wait for one.
    const waiting = await openRuntime({ config: theirs.config, logger: silentLogger });
    const jobs = ['poll-status', 'write-report'] as const;
    await waiting.queues.enqueue(jobs.map((name) => ({ name, data: { account: 'default' } })));

    const { runtime } = await mine.work();
    await runtime.queues.enqueue(jobs.map((name) => ({ name, data: { account: 'default' } })));
    await mine.drop('default', 'orders.csv', fileOf(somePos('M-', 20)));
    await mine.settled(1);
    expect(await waiting.queues.liveCount([...jobs])).toBe(2);
    expect((await waiting.queues.listSchedules()).length).toBe(0);
    await waiting.stop();

    await theirs.work();
    await theirs.drop('default', 'orders.csv', fileOf(somePos('T-', 20)));
    await theirs.settled(1);
    for (const system of [mine, theirs]) {
      const { rows } = await system.ledger.query('select count(*)::int as n from purchase_orders');
      expect(rows).toEqual([{ n: 20 }]);
    }
  } finally {
    await mine.stop();
    await theirs.stop();
    await service.stop();
    await Promise.all([one.drop(), other.drop(), served.drop()]);
  }
});

test('the name of a ledger’s queue stays, and a copy of the ledger in another database has another one', async () => {
  const database = await createTestDatabase();
  const copy = await createTestDatabase();
  const pools = [database, copy].map(({ url }) => createPool(url, { max: 2, logger: silentLogger }));
  const [pool, copied] = [pools[0]!, pools[1]!];
  for (const each of pools) await migrateLedger(each);
  const name = await readQueueName(pool);
  expect(name).toMatch(/^cartwright-[0-9a-f]{16}$/);
  await migrateLedger(pool);
  expect(await readQueueName(pool)).toBe(name);
  const { rows } = await pool.query('select id from ledger_identity');
  await copied.query('update ledger_identity set id = $1', [rows[0].id]);
  expect(await readQueueName(copied)).not.toBe(name);
  for (const each of pools) await each.end();
  await Promise.all([database.drop(), copy.drop()]);
});

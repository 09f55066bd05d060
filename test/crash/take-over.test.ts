import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { allOrdered, judge, readLedgerPos } from '../support/judge.ts';
import { ordersByPo, readAudit } from '../support/read-audit.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';
import type { Stops } from '../support/stops.ts';

const settleMs = 3000;
/** Long times: without a takeover, nothing would continue before the test times out. */
const worker = { leaseMs: 1_800_000, sweepEveryMs: 1_200_000 };
const files = { 'first.csv': somePos('PO ', 20), 'second.csv': somePos('PO 5', 20) };
const asked = new Map([...files['first.csv'], ...files['second.csv']]);

/** One PO stops after its intent to create a cart, and some stop with no call in flight. All others are ordered. */
const open = 'PO 7';
const stops: Stops = {
  ...Object.fromEntries(
    // Stop once the items are recorded: after the earlier record, the next call has begun.
    Array.from({ length: 6 }, (_, at) => [`PO ${at + 1}`, { at: 'outcome_committed', nth: 2, how: 'wait' }]),
  ),
  [open]: { at: 'intent_committed', nth: 1, how: 'wait' },
};
const stopCount = Object.keys(stops).length;

describe('after a kill and a restart on the same machine', () => {
  let redis: TestRedis | undefined;
  let served: Awaited<ReturnType<typeof createTestDatabase>>;
  let pool: pg.Pool;
  beforeAll(async () => {
    redis = await startRedis();
    served = await createTestDatabase();
    pool = new pg.Pool({ connectionString: served.url, max: 5 });
  });
  afterAll(async () => {
    await redis?.stop();
    await pool.end();
    await served.drop();
  });

  const orderedPos = async (dealer: string): Promise<Set<string>> =>
    new Set((await ordersByPo(pool, { dealer })).keys());

  /** Kills a worker in the middle of its POs and starts another one. */
  const survive = async (dealer: string, options: { redisUrl?: string | undefined; builtIn?: boolean }) => {
    const ledger = await createTestDatabase();
    let service: ListeningService | undefined;
    let system: System | undefined;
    try {
      service = await startService(pool, { dealers: [{ name: dealer, token: dealer }] });
      system = await createSystem({
        ledgerUrl: ledger.url,
        ...options,
        accounts: {
          default: { baseUrl: service.url, token: dealer, requestTimeout: '1s' },
        },
        worker,
      });
      const orderedAre = (count: number) =>
        until(async () => (await orderedPos(dealer)).size === count, { limitMs: 120_000 });
      await system.drop('default', 'first.csv', fileOf(files['first.csv']));
      const first = await system.spawn({ stops });
      await first.stoppedAt(stopCount);
      await orderedAre(files['first.csv'].size - stopCount);
      const killedAt = new Date();
      await first.kill();
      await system.drop('default', 'second.csv', fileOf(files['second.csv']));
      const second = await system.spawn();
      await orderedAre(asked.size);

      const calls = await readAudit(pool, { dealer });
      const since = (po: string) => calls.find((call) => call.poNumber === po && call.at > killedAt)!.at;
      // The service uses this machine's clock, too.
      expect(since(open).getTime() - killedAt.getTime()).toBeGreaterThanOrEqual(settleMs);
      expect(Object.keys(stops).filter((po) => po !== open && since(po) > since(open))).toEqual([]);
      expect([...(await ordersByPo(pool, { dealer })).values()].map((orders) => orders.length)).toEqual(
        Array(asked.size).fill(1),
      );
      // Without its own ledger, the test can only check the service's log.
      if (options.builtIn) return await second.end();
      await system.settled(2);
      const verdict = judge(
        asked,
        await ordersByPo(pool, { dealer }),
        await readLedgerPos(system.ledger, 'default'),
      );
      expect(verdict).toEqual(allOrdered(asked));
    } finally {
      await system?.stop();
      await service?.stop();
      await ledger.drop();
    }
  };

  test(
    'POs go on at once, and one with an open intent after its settle time, with the queue on Postgres',
    () => survive('on-postgres', {}),
    240_000,
  );

  test('the same with the queue on Redis', async (context) => {
    if (!redis) return context.skip('this machine has no redis-server');
    await survive('on-redis', { redisUrl: redis.url });
  }, 240_000);

  test('the same with the built-in Postgres', () => survive('built-in', { builtIn: true }), 240_000);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { allOrdered, judge, readLedgerPos } from '../support/judge.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';
import { buildLanded, lastLandedMigration, whyNotBuilt } from './build-landed.ts';

const missing = whyNotBuilt();

let folder: string;
let landedWorker: string;
let redis: TestRedis | undefined;
beforeAll(async () => {
  redis = await startRedis();
  if (missing !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'cartwright-landed-'));
  landedWorker = (await buildLanded(folder))('test/support/worker-process.ts');
});
afterAll(async () => {
  await redis?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

let ledger: Awaited<ReturnType<typeof createTestDatabase>>;
let served: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
let system: System;
const open = async (redisUrl: string | undefined): Promise<void> => {
  system = await createSystem({
    ledgerUrl: ledger.url,
    redisUrl,
    accounts: {
      default: { baseUrl: service.url, requestTimeout: '2s', schedule: { poll: '1s' } },
    },
  });
};
beforeEach(async () => {
  [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  service = await startService(served.url, { latencyMs: 25 });
});
afterEach(async () => {
  await system.stop();
  await service.stop();
  await Promise.all([ledger.drop(), served.drop()]);
});

const some = (prefix: string) => somePos(prefix, 30);
const ordered = async (prefix: string): Promise<number> =>
  [...(await ordersByPo(service.pool)).keys()].filter((po) => po.startsWith(prefix)).length;
const someOrdered = (prefix: string, count: number) =>
  until(async () => (await ordered(prefix)) >= count, { describe: system.describe, everyMs: 20 });
const expectAllOrdered = async (...prefixes: string[]) => {
  await system.settled(prefixes.length);
  const asked = new Map(prefixes.flatMap((prefix) => [...some(prefix)]));
  const verdict = judge(asked, await ordersByPo(service.pool), await readLedgerPos(system.ledger, 'default'));
  expect(verdict).toEqual(allOrdered(asked));
};
const drop = (prefix: string) => system.drop('default', `${prefix}.csv`, fileOf(some(prefix)));
const knownBy = async (): Promise<string[]> =>
  (
    await system.ledger.query<{ knows: string }>('select knows from workers where left_at is null order by 1')
  ).rows.map(({ knows }) => knows);

describe.each(['Postgres', 'Redis'])('with the queue on %s', (queue) => {
  const backend = () => (queue === 'Redis' ? redis?.url : undefined);

  test.skipIf(missing !== undefined && (missing.isShallow || !process.env.CI))(
    `workers of the version before go on beside new ones: each PO is ordered once, and none is held${missing ? ` (skipped: ${missing.reason})` : ''}`,
    async ({ skip }) => {
      // In CI the history must be there.
      expect(missing).toBeUndefined();
      if (queue === 'Redis' && !redis) skip();
      await open(backend());
      const old = await system.spawn({}, landedWorker);
      await drop('A');
      await someOrdered('A', 3);

      // The new version migrates the ledger but places nothing yet, so the old worker places what follows.
      const watcher = await system.spawn({ roles: ['watch'] });
      expect((await knownBy())[0]).toBe(lastLandedMigration());
      await drop('B');
      await someOrdered('B', 10);

      // Now both place.
      const next = await system.spawn();
      await drop('C');
      await someOrdered('C', 10);
      await old.end();
      await drop('D');
      await someOrdered('D', 3);
      await watcher.end();
      await expectAllOrdered('A', 'B', 'C', 'D');
      await next.end();
    },
  );

  test('workers are restarted one after the other: each PO is ordered once, and none is held', async ({
    skip,
  }) => {
    if (queue === 'Redis' && !redis) skip();
    await open(backend());
    let workers = [await system.spawn(), await system.spawn()];
    for (const prefix of ['A', 'B', 'C']) {
      await drop(prefix);
      await someOrdered(prefix, 4);
      const [first, ...others] = workers;
      await first!.end();
      workers = [...others, await system.spawn()];
    }
    await expectAllOrdered('A', 'B', 'C');
  });
});

test.skipIf(missing !== undefined && (missing.isShallow || !process.env.CI))(
  `the first night after the upgrade: a file with names that mean nothing certain any more is read as it was before${missing ? ` (skipped: ${missing.reason})` : ''}`,
  async () => {
    expect(missing).toBeUndefined();
    await open(undefined);
    const night = (po: string) =>
      `PO Number,SKU,Qty,Ship Name,Address,City,State,Zip\n${po},SKU-1,2,Harbor Cycle Works,18 Dock Street,Savannah,GA,31401\n`;
    const old = await system.spawn({}, landedWorker);
    await system.drop('default', 'night-1.csv', night('N-1'));
    await system.settled(1);
    await old.end();

    const next = await system.spawn();
    await system.drop('default', 'night-2.csv', night('N-2'));
    await system.settled(2);
    const { rows } = await system.ledger.query(
      `select p.po_number, p.state, p.options ->> 'ship_city' as city from purchase_orders p order by 1`,
    );
    expect(rows).toEqual(['N-1', 'N-2'].map((po) => ({ po_number: po, state: 'ordered', city: 'Savannah' })));
    // A file with an unknown header waits.
    await system.drop('default', 'other.csv', 'Vorgang;Teil;Menge\nO-1;SKU-1;2\n');
    await until(
      async () => (await system.ledger.query(`select from imports where state = 'waiting'`)).rowCount === 1,
      { describe: system.describe },
    );
    await next.end();
  },
);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { backUp } from '../../src/worker/back-up.ts';
import { openRuntime } from '../../src/worker/open-runtime.ts';
import { restore } from '../../src/worker/restore.ts';
import { adoptFolder } from '../../src/worker/use-folder.ts';
import { createTestDatabase } from '../support/database.ts';
import { heldOf, judge, readLedgerPos } from '../support/judge.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';
import { isWhole } from '../support/whole-proof.ts';

type Database = Awaited<ReturnType<typeof createTestDatabase>>;

describe('a backup restored on an empty machine', () => {
  let served: Database;
  let service: ListeningService;
  let backups: string;
  const databases: Database[] = [];
  const systems: System[] = [];

  beforeEach(async () => {
    backups = await mkdtemp(join(tmpdir(), 'cartwright-backups-'));
    served = await createTestDatabase();
    service = await startService(served.url, { latencyMs: 40 });
  });
  afterEach(async () => {
    for (const system of systems.splice(0).reverse()) await system.stop();
    await service.stop();
    for (const database of [served, ...databases.splice(0)]) await database.drop();
    await rm(backups, { recursive: true });
  });

  /** A machine with only this configuration. */
  const newMachine = async (settings: object = {}): Promise<System> => {
    const database = await createTestDatabase();
    databases.push(database);
    const account = {
      baseUrl: service.url,
      requestTimeout: '800ms',

      schedule: { poll: '1s' },
      ...settings,
    };
    const system = await createSystem({
      ledgerUrl: database.url,
      accounts: { default: account },
      worker: {
        leaseMs: 3_000,
        sweepEveryMs: 500,
        placesAtOnce: 4,
      },
    });
    systems.push(system);
    return system;
  };
  const usingLedger = async <T>(
    { config }: System,
    use: (pool: ReturnType<typeof createPool>) => Promise<T>,
  ) => {
    const pool = createPool(config.databaseUrl!, { max: 2, logger: silentLogger });
    try {
      return await use(pool);
    } finally {
      await pool.end();
    }
  };
  const orderedOf = async (system: System): Promise<number> =>
    (
      await system.ledger.query(
        `select count(*)::int as n from purchase_orders where state in ('ordered', 'closed')`,
      )
    ).rows[0].n;

  const lost: [string, number, object][] = [
    ['the default service', 0.6, {}],
    [
      'a service that refuses what exists',
      0.5,
      { createRefusesExistingCart: true, createRefusesOrderedPo: true, submissionConsumesCart: true },
    ],
  ];
  if (isWhole) lost.push(['the default service', 0.1, {}]);
  it.each(lost)(
    'orders nothing twice: %s, backed up when %d of the POs were ordered, killed later, the same file dropped again',
    async (_service, share, settings) => {
      const asked = somePos('PO-', 60);
      const first = await newMachine(settings);
      const worker = await first.spawn();
      await first.drop('default', 'orders.csv', fileOf(asked));
      await until(async () => (await orderedOf(first)) >= asked.size * share, { everyMs: 20 });
      const file = join(backups, 'one.backup');
      const atBackup = await orderedOf(first);
      const written = await usingLedger(first, (pool) => backUp({ config: first.config, pool }, file));
      expect(written.purchaseOrders).toBe(60);
      // Wait until work is in progress that the backup does not contain.
      await until(async () => (await orderedOf(first)) >= atBackup + 8, { everyMs: 5 });
      await worker.kill();

      const second = await newMachine(settings);
      const restored = await usingLedger(second, (pool) => restore({ config: second.config, pool }, file));
      expect(restored).toMatchObject({ imports: 1, purchaseOrders: 60 });
      expect(restored.open).toBeGreaterThan(0);
      expect(restored.foldersElsewhere.map(({ account }) => account)).toEqual(['default']);
      const runtime = await openRuntime({ config: second.config, logger: silentLogger });
      await adoptFolder(runtime, second.config.accounts[0]!, { giveUp: false });
      await runtime.stop();

      const continuing = await second.spawn();
      await second.drop('default', 'orders.csv', fileOf(asked));
      await second.settled(2);
      const verdict = async () =>
        judge(asked, await ordersByPo(service.pool), await readLedgerPos(second.ledger, 'default'));
      const judged = await verdict();
      expect(judged).toMatchObject({ asked: 60, lost: [], double: [], wrong: [], refused: {} });
      // Orders and carts from after the backup exist at the service: each is recognised as ours, or waits for a person.
      const expected = ['already_ordered', 'foreign_cart'];
      expect(Object.keys(judged.held).filter((reason) => !expected.includes(reason))).toEqual([]);
      const withCart = judged.held.foreign_cart ?? [];
      // At most the carts that the killed worker was filling.
      expect(withCart.length).toBeLessThanOrEqual(12);
      expect(judged.ordered + heldOf(judged)).toBe(60);
      const { rows: again } = await second.ledger.query(`select state from imports order by id`);
      expect(again.map(({ state }) => state)).toEqual(['read', 'repeated']);

      // A person recognises the order as this PO's and adopts it.
      await usingLedger(second, async (pool) => {
        const held = await findActionTargets(pool, 'adopt', { reasonCode: 'already_ordered' });
        await applyOperatorAction(pool, 'adopt', held, { who: 'Ann' });
      });
      await until(async () => (await orderedOf(second)) === 60 - withCart.length);
      expect(await verdict()).toMatchObject({ lost: [], double: [], wrong: [] });
      await continuing.end();
    },
    200_000,
  );

  it('sends nothing before no call of the lost machine can take effect any more', async () => {
    const asked = somePos('PO-', 12);
    const first = await newMachine();
    const worker = await first.spawn();
    await first.drop('default', 'orders.csv', fileOf(asked));
    await until(async () => (await orderedOf(first)) >= 2, { everyMs: 20 });
    const file = join(backups, 'two.backup');
    await usingLedger(first, (pool) => backUp({ config: first.config, pool }, file));
    await worker.kill();
    const second = await newMachine();
    const { pausedUntil } = await usingLedger(second, (pool) =>
      restore({ config: second.config, pool }, file),
    );
    const { rows: before } = await service.pool.query<{ at: Date }>('select clock_timestamp() as at');
    await second.spawn();
    await second.settled(1);
    const { rows: intents } = await second.ledger.query<{ at: Date }>(
      'select min(begun_at) as at from intents where begun_at > $1',
      [before[0]!.at],
    );
    expect(intents[0]!.at.getTime()).toBeGreaterThanOrEqual(pausedUntil.getTime() - 500);
    const verdict = judge(
      asked,
      await ordersByPo(service.pool),
      await readLedgerPos(second.ledger, 'default'),
    );
    expect(verdict).toMatchObject({ asked: 12, lost: [], double: [], wrong: [], refused: {} });
  }, 200_000);
});

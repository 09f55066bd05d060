import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseByOperator, resumeByOperator } from '../../src/ledger/console/operator-pauses.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import type { FaultRuleInput } from '../../src/service/fault-rules.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { allOrdered, judge, type Quantities, readLedgerPos } from '../support/judge.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';
import type { Stops } from '../support/stops.ts';
import { isWhole } from '../support/whole-proof.ts';

const ann = { who: 'Ann', via: 'command line' as const };

interface Moment {
  /** The service's fault that leads to the moment. */
  fault?: Omit<FaultRuleInput, 'poNumber'>;
  at: string;
  nth: number;
}

const rebuilt = { endpoint: 'addItem', kind: '500-after', count: 1 } as const;
const unsubmitted = { endpoint: 'submitOrder', kind: 'close-before', count: 1 } as const;
const unanswered = { endpoint: 'submitOrder', kind: 'close-after', count: 1 } as const;

/** The order appears after the immediate lookup, and before the first lookup of the verification. */
const late = { endpoint: 'submitOrder', kind: 'act-late', cutBy: 'close', delayMs: 2500, count: 1 } as const;

/** Every durable moment in a PO's life; a PO of this name stops there. No name may contain another one, or that PO would be held as a repetition. */
const moments: Record<string, Moment> = {
  'create intended': { at: 'intent_committed', nth: 1 },
  'cart created, not recorded': { at: 'effect_done', nth: 1 },
  'cart recorded, job not finished': { at: 'outcome_committed', nth: 1 },
  'items intended': { at: 'intent_committed', nth: 2 },
  'one item added': { at: 'between_items', nth: 1 },
  'two items added': { at: 'between_items', nth: 2 },
  'items added, not recorded': { at: 'effect_done', nth: 2 },
  'items recorded, job not finished': { at: 'outcome_committed', nth: 2 },
  'submission intended': { at: 'intent_committed', nth: 3 },
  'ordered, not recorded': { at: 'effect_done', nth: 3 },
  'order recorded, job not finished': { at: 'outcome_committed', nth: 3 },
  'deletion intended': { fault: rebuilt, at: 'rebuilding', nth: 1 },
  'cart deleted, not recorded': { fault: rebuilt, at: 'effect_done', nth: 3 },
  'deletion recorded, job not finished': { fault: rebuilt, at: 'outcome_committed', nth: 2 },
  'cart created again, not recorded': { fault: rebuilt, at: 'effect_done', nth: 4 },
  'submission unclear, not recorded': { fault: unanswered, at: 'effect_done', nth: 3 },
  'before the lookup at once that finds the order': { fault: unanswered, at: 'verifying', nth: 1 },
  'order found at once and recorded, job not finished': {
    fault: unanswered,
    at: 'outcome_committed',
    nth: 3,
  },
  'before the lookup that finds the order': { fault: late, at: 'verifying', nth: 2 },
  'order found and recorded, job not finished': { fault: late, at: 'outcome_committed', nth: 4 },
  'before the first lookup that finds none': { fault: unsubmitted, at: 'verifying', nth: 1 },
  'before the last lookup that finds none': { fault: unsubmitted, at: 'verifying', nth: 4 },
  'intended a second submission': { fault: unsubmitted, at: 'intent_committed', nth: 4 },
  'ordered at the second attempt, not recorded': { fault: unsubmitted, at: 'effect_done', nth: 4 },
};

/** Moments of a file, by file name. */
const fileMoments: Record<string, Moment> = {
  'rows-copied.csv': { at: 'staging', nth: 1 },
  'read-not-archived.csv': { at: 'staged', nth: 1 },
  'result-not-placed.csv': { at: 'writing_result', nth: 1 },
};

const lines: Quantities = { 'SKU-1': 3, 'SKU-2': 1, 'SKU-3': 7 };
const files = new Map<string, Map<string, Quantities>>([
  [
    'orders.csv',
    new Map([
      ...Object.keys(moments).map((po): [string, Quantities] => [po, lines]),
      ...somePos('bystander ', 20),
    ]),
  ],
  ...Object.keys(fileMoments).map((name): [string, Map<string, Quantities>] => [
    name,
    somePos(`${name} `, 5),
  ]),
]);
const asked = new Map([...files.values()].flatMap((pos) => [...pos]));
const everything = { ...moments, ...fileMoments };
const stopsOf = (how: 'wait' | 'throw', at: Record<string, Moment> = everything): Stops =>
  Object.fromEntries(Object.entries(at).map(([about, { at, nth }]) => [about, { at, nth, how }]));
const stopCount = Object.keys(everything).length;
const poStopCount = Object.keys(moments).length;

/** Resolves when each file has its result, with an answer on every row. */
const resultsWritten = async (system: System): Promise<void> => {
  await until(
    async () => {
      const { rows } = await system.ledger.query(
        `select count(*)::int as written from imports where not result_due and result_written_at is not null`,
      );
      return rows[0].written === files.size;
    },
    { describe: system.describe },
  );
  const { rows } = await system.ledger.query(
    `select file_name as "fileName", result_path as "resultPath" from imports`,
  );
  for (const { fileName, resultPath } of rows) {
    const answered = parse(readFileSync(join(system.config.accounts[0]!.folder, resultPath)), {
      columns: true,
      bom: true,
    }) as Record<string, string>[];
    const states = answered.map((row) => row['Cartwright: PO state']);
    const lineCount = [...files.get(fileName)!.values()].reduce((sum, po) => sum + Object.keys(po).length, 0);
    expect(states, fileName).toEqual(Array(lineCount).fill('ordered'));
  }
};

const onEachQueue = 'a worker killed at every durable moment';

/** Mishaps of a worker while one PO or file is stopped at every moment; afterwards everything must settle. */
const mishaps: Record<string, (system: System) => Promise<void>> = {
  [onEachQueue]: async (system) => {
    const first = await system.spawn({ stops: stopsOf('wait') });
    await first.stoppedAt(stopCount);
    await first.kill();
    await system.spawn();
    await system.settled(files.size);
  },
  'a worker suspended at every durable moment beyond its lease, while another one works, and then resumed':
    async (system) => {
      const first = await system.spawn({ stops: stopsOf('wait') });
      await first.stoppedAt(stopCount);
      first.child.kill('SIGSTOP');
      const second = await system.spawn();
      // All but the file whose rows the suspended worker was copying: its transaction is still open.
      const others = asked.size - files.get('rows-copied.csv')!.size;
      await until(
        async () => {
          const { rows } = await system.ledger.query(
            `select count(*)::int as done from purchase_orders where state = 'ordered'`,
          );
          return rows[0].done === others;
        },
        { describe: system.describe },
      );
      first.release();
      first.child.kill('SIGCONT');
      await system.settled(files.size);
      await first.end();
      await second.end();
    },
  'a worker killed at every durable moment while a person has paused the account, and resumes it later':
    async (system) => {
      const first = await system.spawn({ stops: stopsOf('wait', moments) });
      await first.stoppedAt(poStopCount);
      await pauseByOperator(system.ledger, 'default', ann);
      await first.kill();
      await system.spawn();
      const begun = async () =>
        (await system.ledger.query('select count(*)::int as n from intents')).rows[0].n as number;
      const before = await begun();
      // The second worker frees the leases of the first, and still starts nothing.
      await until(
        async () => {
          const { rowCount } = await system.ledger.query(
            'select 1 from purchase_orders where lease_owner is not null limit 1',
          );
          return rowCount === 0;
        },
        { describe: system.describe },
      );
      expect(await begun()).toBe(before);
      await resumeByOperator(system.ledger, 'default', ann);
      await system.settled(files.size);
    },
  'a worker killed at every durable moment while a person wants every PO held, and releases them later':
    async (system) => {
      const first = await system.spawn({ stops: stopsOf('wait', moments) });
      await first.stoppedAt(poStopCount);
      const pos = await findActionTargets(system.ledger, 'hold', { account: 'default' });
      const held = await applyOperatorAction(system.ledger, 'hold', pos, ann);
      expect(held.filter(({ outcome }) => outcome.kind !== 'done')).toEqual([]);
      await first.kill();
      await system.spawn();
      await until(
        async () => {
          const found = await findActionTargets(system.ledger, 'release', { reasonCode: 'on_hold' });
          await applyOperatorAction(system.ledger, 'release', found, ann);
          // In one statement, because a wish may be carried out between two.
          const { rows } = await system.ledger.query(
            `select 1 from purchase_orders where holding or state = 'held' and reason_code = 'on_hold' limit 1`,
          );
          return rows.length === 0;
        },
        { describe: system.describe },
      );
      await system.settled(files.size);
    },
  'a worker that throws at every durable moment': async (system) => {
    const worker = await system.spawn({ stops: stopsOf('throw') });
    await worker.stoppedAt(stopCount);
    await system.settled(files.size);
  },
};

describe('crash recovery', () => {
  let redis: TestRedis | undefined;
  let served: Awaited<ReturnType<typeof createTestDatabase>>;
  let pool: pg.Pool;
  let runs = 0;

  beforeAll(async () => {
    redis = await startRedis();
    served = await createTestDatabase();
    pool = new pg.Pool({ connectionString: served.url, max: 10 });
  });
  afterAll(async () => {
    await redis?.stop();
    await pool.end();
    await served.drop();
  });

  const survive = async (mishap: (system: System) => Promise<void>, redisUrl: string | undefined) => {
    runs += 1;
    const dealer = `run-${runs}`;
    const ledger = await createTestDatabase();
    let service: ListeningService | undefined;
    let system: System | undefined;
    try {
      service = await startService(pool, {
        dealers: [{ name: dealer, token: dealer }],
        faults: Object.entries(moments).flatMap(([poNumber, { fault }]) =>
          fault ? [{ ...fault, poNumber }] : [],
        ),
      });
      system = await createSystem({
        ledgerUrl: ledger.url,
        redisUrl,
        accounts: {
          // Enough room for all POs: one that stops before it has enqueued the next one would delay that for a minute.
          default: { baseUrl: service.url, token: dealer, requestTimeout: '1500ms', inFlight: asked.size },
        },
        worker: {
          leaseMs: 3_000,
          sweepEveryMs: 1_000,
          placesAtOnce: asked.size,
        },
      });
      for (const [name, pos] of files) await system.drop('default', name, fileOf(pos));
      await mishap(system);
      await resultsWritten(system);
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

  for (const [name, mishap] of Object.entries(mishaps)) {
    it(`${name}: every PO becomes exactly one order, with the queue on Postgres`, () =>
      survive(mishap, undefined));
    // Wishes are stored in the ledger, independent of the queue.
    if (name.includes('while a person')) continue;
    if (!isWhole && name !== onEachQueue) continue;
    it(`${name}: every PO becomes exactly one order, with the queue on Redis`, async (test) => {
      if (!redis) return test.skip('this machine has no redis-server');
      await survive(mishap, `${redis.url}/${runs}`);
    });
  }
});

import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createCart } from '../../jobs/create-cart.ts';
import { submitOrder } from '../../jobs/submit-order.ts';
import type { JobDeps } from '../../src/dispatch/next-work.ts';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { silentLogger } from '../../src/logger.ts';
import { systemClock } from '../../src/placing/lease.ts';
import { untraced } from '../../src/tracing/trace.ts';
import { useLedgerAndQueue } from '../queue/ledger-and-queue.ts';
import { insertPurchaseOrder } from '../support/ledger-rows.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const fromNow = (seconds: number) => new Date(Date.now() + seconds * 1000);

const both = useLedgerAndQueue();

/** The real ledger, which runs `happens` right before its query of this name. */
const before = (name: string, happens: () => Promise<unknown>): pg.Pool =>
  new Proxy(both.pool, {
    get(pool, key) {
      if (key !== 'query') return Reflect.get(pool, key);
      return async (query: pg.QueryConfig) => {
        if (query.name === name) await happens();
        return pool.query(query);
      };
    },
  });

const depsOn = (pool: pg.Pool): JobDeps =>
  ({
    ...both.jobs,
    trace: untraced,
    placing: {
      ledger: createPlacingLedger(pool),
      accounts: () => ['default'],
      leaseMs: 60_000,
      graceMs: 60_000,
      clock: systemClock,
      logger: silentLogger,
    },
  }) as unknown as JobDeps;

const pause = (until: Date) =>
  both.pool.query(
    `insert into account_states (account, paused_until) values ('default', $1)
     on conflict (account) do update set paused_until = $1`,
    [until],
  );

const free = (id: string, nextAt: Date) =>
  both.pool.query(
    'update purchase_orders set lease_owner = null, lease_until = null, next_at = $2 where id = $1',
    [id, nextAt],
  );

describe('a PO that could not be taken has a job again', () => {
  const add = (row: Record<string, unknown> = {}) =>
    insertPurchaseOrder(both.pool, both.importId, 'PO-1', row);
  const taken = { lease_owner: worker, lease_until: fromNow(60) };

  test.each([
    {
      what: 'its account’s pause ends',
      row: {},
      pausedUntil: fromNow(600),
      happens: () => pause(fromNow(-1)),
      delayed: false,
    },
    {
      what: 'it becomes due',
      row: { next_at: fromNow(600) },
      happens: (id: string) => free(id, fromNow(-1)),
      delayed: false,
    },
    {
      what: 'its worker gives it back',
      row: taken,
      happens: (id: string) => free(id, fromNow(-1)),
      delayed: false,
    },
    {
      what: 'its worker gives it back until later',
      row: taken,
      happens: (id: string) => free(id, fromNow(600)),
      delayed: true,
    },
    {
      what: 'the grace after the lease of a dead worker ends',
      row: { lease_owner: worker, lease_until: fromNow(-30) },
      happens: (id: string) =>
        both.pool.query('update purchase_orders set lease_until = $2 where id = $1', [id, fromNow(-61)]),
      delayed: false,
    },
  ])(
    'when $what between the attempt and the question why',
    async ({ row, pausedUntil, happens, delayed }) => {
      const id = await add(row);
      if (pausedUntil) await pause(pausedUntil);
      await createCart({ purchaseOrderId: id }, depsOn(before('why-not', () => happens(id))));
      expect(await both.queuedPos()).toEqual([id]);
      expect((both.enqueued[0]!.delayMs ?? 0) > 500_000).toBe(delayed);
    },
  );

  test('when its worker gives it back after it was found to hold it', async () => {
    const id = await add(taken);
    const deps = depsOn(both.pool);
    const deferRun: JobDeps['work']['deferRun'] = async (of) => {
      await free(of, fromNow(-1));
      return both.jobs.work.deferRun(of);
    };
    await createCart({ purchaseOrderId: id }, { ...deps, work: { ...deps.work, deferRun } });
    expect(await both.queuedPos()).toEqual([id]);
  });

  test('when the job that moved it could not enqueue the next one and runs again', async () => {
    const id = await add({ state: 'verifying', next_at: fromNow(600), run: 4, dispatch: 'waiting' });
    await createCart({ purchaseOrderId: id }, depsOn(both.pool));
    expect(both.enqueued).toMatchObject([{ name: 'submit-order', key: `${id}/4` }]);
    expect(both.enqueued[0]!.delayMs).toBeGreaterThan(500_000);
    // If the other job could enqueue it, this one adds none.
    await createCart({ purchaseOrderId: id }, depsOn(both.pool));
    expect(await both.queuedPos()).toEqual([id]);
  });

  test('but no second one while a worker holds it, or when it has ended', async () => {
    const held = await add(taken);
    const ended = await insertPurchaseOrder(both.pool, both.importId, 'PO-2', { state: 'ordered' });
    for (const job of [createCart, submitOrder]) {
      await job({ purchaseOrderId: held }, depsOn(both.pool));
      await job({ purchaseOrderId: ended }, depsOn(both.pool));
    }
    expect(both.enqueued).toEqual([]);
  });
});

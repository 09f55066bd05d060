import { describe, expect, test } from 'vitest';
import { startSweep, sweep } from '../../src/dispatch/sweep.ts';
import { useLedgerAndQueue, windowSize } from '../queue/ledger-and-queue.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { createSystem, startService, until } from '../support/run-system.ts';

const lease = '00000000-0000-4000-8000-000000000001';
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

describe('a sweep', () => {
  const both = useLedgerAndQueue({ result_due: false, result_written_at: new Date() });

  let added = 0;
  const addPos = (count: number, row: object = {}) =>
    Promise.all(
      Array.from({ length: count }, () =>
        insertPurchaseOrder(both.pool, both.importId, `PO-${++added}`, { ...row }),
      ),
    );
  const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => Number(a) - Number(b));

  test('enqueues every PO that should have a job once, no matter how often the sweep runs', async () => {
    const ids = await addPos(1203, { dispatch: 'window' });
    await sweep(both.sweepDeps);
    await sweep(both.sweepDeps);
    expect(await both.queuedPos()).toEqual(sorted(ids));
    expect(both.enqueued).toHaveLength(1203);
  });

  test('fills the window of every account from its backlog, and not more', async () => {
    await addPos(windowSize + 5);
    const other = await addPos(2, { account: 'paused' });
    await sweep(both.sweepDeps);
    await sweep(both.sweepDeps);
    const queued = await both.queuedPos();
    expect(queued).toHaveLength(windowSize + 2);
    expect(queued).toEqual(expect.arrayContaining(other));
  });

  test('re-queues the few POs that the queue lost, and no PO twice', async () => {
    const ids = await addPos(5);
    await sweep(both.sweepDeps);
    for (const queue of both.queues.bullQueues) {
      const jobs = await queue.getJobs();
      await jobs
        .find((job) => (job.data as { purchaseOrderId: string }).purchaseOrderId === ids[2])
        ?.remove();
    }
    expect(await both.queuedPos()).toHaveLength(4);
    await sweep(both.sweepDeps);
    expect(await both.queuedPos()).toEqual(sorted(ids));
  });

  test('re-queues a PO whose worker is certainly gone even if the queue is full of jobs, and no other PO', async () => {
    const [lapsed] = await addPos(1, { lease_owner: lease, lease_until: ago(61) });
    await addPos(1, { lease_owner: lease, lease_until: ago(59) });
    await addPos(1, { lease_owner: lease, lease_until: ago(-30) });
    const busy = { ...both.sweepDeps, liveJobs: async () => 1_000_000 };
    await sweep(busy);
    expect(await both.queuedPos()).toEqual([lapsed]);
  });

  test('does not enqueue POs that have no next step, are not due, or whose account is paused', async () => {
    for (const state of ['held', 'failed', 'ordered', 'closed', 'cancelled', 'rejected']) {
      await insertPurchaseOrder(both.pool, both.importId, state, { state });
    }
    const later = await insertPurchaseOrder(both.pool, both.importId, 'later', { next_at: ago(-600) });
    const pausing = await insertPurchaseOrder(both.pool, both.importId, 'pausing', { account: 'paused' });
    await both.pool.query(`insert into account_states (account, paused_until) values ('paused', $1)`, [
      ago(-1200),
    ]);
    await sweep(both.sweepDeps);
    expect(await both.queuedPos()).toEqual(sorted([later, pausing]));
    const delayOf = (id: string) =>
      both.enqueued.find((job) => 'purchaseOrderId' in job.data && job.data.purchaseOrderId === id)?.delayMs;
    expect(delayOf(later)).toBeGreaterThan(590_000);
    expect(delayOf(pausing)).toBeGreaterThan(1_190_000);
  });

  test('enqueues files that were taken and not read, and result files that are due, once', async () => {
    const taken = await insertImport(both.pool, { state: 'taken', result_due: false });
    const due = await insertImport(both.pool, { result_due: true });
    const stillMoving = await insertImport(both.pool, { result_due: true });
    await insertPurchaseOrder(both.pool, stillMoving, 'PO-1');
    await sweep(both.sweepDeps);
    await sweep(both.sweepDeps);
    expect(await both.queues.liveCount(['import-file', 'write-report'])).toBe(2);
    const names = new Set(both.enqueued.map((job) => `${job.name} ${JSON.stringify(job.data)}`));
    expect([...names]).toContain(`import-file {"importId":"${taken}"}`);
    expect([...names]).toContain(`write-report {"importId":"${due}"}`);
    expect([...names].filter((name) => name.includes(stillMoving) && name.startsWith('write'))).toEqual([]);
  });

  test('re-queues work although the schedules cannot be restored, and logs that', async () => {
    await addPos(2);
    const logged: string[] = [];
    const logger = {
      ...both.sweepDeps.logger,
      warn: (_: object, message: string) => void logged.push(message),
    };
    const restoreSchedules = () => Promise.reject(new Error('no room'));
    await sweep({ ...both.sweepDeps, logger, restoreSchedules });
    expect(await both.queues.liveCount(['create-cart'])).toBe(2);
    expect(logged).toEqual(['Could not restore the schedules; it will be retried']);
  });

  test('a file that waits for long gets a job with another key, because the id of its first job may be blocked', async () => {
    const taken = await insertImport(both.pool, { state: 'taken', result_due: false });
    const keyAfter = async (minutes: number) => {
      await both.pool.query(
        `update imports set taken_at = clock_timestamp() - $2 * interval '1 minute' where id = $1`,
        [taken, minutes],
      );
      both.enqueued.length = 0;
      await sweep(both.sweepDeps);
      return both.enqueued[0]!.key;
    };
    const first = await keyAfter(1);
    expect(await keyAfter(9)).toBe(first);
    const second = await keyAfter(11);
    expect(second).not.toBe(first);
    expect(await keyAfter(59)).toBe(second);
    expect(await keyAfter(61)).not.toBe(second);
  });

  test('runs only once at a time: a second one has nothing to do', async () => {
    await addPos(3);
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let markStarted = () => {};
    const working = new Promise<void>((resolve) => {
      markStarted = resolve;
    });
    const first = sweep({
      ...both.sweepDeps,
      ledger: {
        ...both.sweepDeps.ledger,
        listTakenImports: async () => {
          markStarted();
          await gate;
          return [];
        },
      },
    });
    await working;
    await sweep(both.sweepDeps);
    expect(both.enqueued).toEqual([]);
    release();
    await first;
    expect(both.enqueued).toHaveLength(3);
  });

  test('with nothing to do makes no call to the queue', async () => {
    let asked = 0;
    await sweep({ ...both.sweepDeps, liveJobs: async () => ++asked });
    expect([asked, both.enqueued]).toEqual([0, []]);
  });

  test('that fails is logged and retried', async () => {
    const logged: string[] = [];
    const [id] = await addPos(1, { dispatch: 'window' });
    let failed = false;
    let done = () => {};
    const succeeded = new Promise<void>((resolve) => {
      done = resolve;
    });
    const logger = { ...both.sweepDeps.logger, warn: (_: object, message: string) => logged.push(message) };
    const { stop } = startSweep({
      ...both.sweepDeps,
      logger: logger as never,
      liveJobs: async () => {
        if (failed) return both.sweepDeps.liveJobs();
        failed = true;
        throw new Error('the queue is unreachable');
      },
      recoverFiles: async () => done(),
    });
    await succeeded;
    await stop();
    await stop();
    expect(logged).toEqual(['The sweep failed; it will be retried']);
    expect(await both.queuedPos()).toEqual([id]);
  });

  test('whose connection breaks ends no process and keeps no lock', async () => {
    const lost = sweep({
      ...both.sweepDeps,
      ledger: {
        ...both.sweepDeps.ledger,
        listTakenImports: async () => {
          await both.pool.query(
            `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
               and database = (select oid from pg_database where datname = current_database())`,
          );
          return [];
        },
      },
    });
    await lost.catch(() => {});
    const [id] = await addPos(1);
    await sweep(both.sweepDeps);
    expect(await both.queuedPos()).toEqual([id]);
  });
});

describe('the sweep of a worker', () => {
  test('restores schedules, and removes those of accounts that no longer exist', async () => {
    const [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
    const service = await startService(served.url);
    const system = await createSystem({
      ledgerUrl: ledger.url,
      accounts: { default: { baseUrl: service.url, schedule: { poll: '1h' } } },
      worker: { sweepEveryMs: 200, leaseMs: 3_000 },
    });
    try {
      const { runtime } = await system.work();
      const { queues } = runtime;
      await queues.removeSchedule('poll-status', 'poll default');
      await queues.upsertSchedule({
        id: 'poll gone',
        job: { name: 'poll-status', data: { account: 'gone' } },
        timing: { everyMs: 3_600_000 },
      });
      await system.ledger.query(
        // The sweep may have noted the account of the schedule already.
        `insert into served_accounts (account, served_at) values ('gone', clock_timestamp() - interval '2 days')
         on conflict (account) do update set served_at = excluded.served_at`,
      );
      await until(async () => {
        const ids = (await queues.listSchedules()).map(({ id }) => id);
        return ids.includes('poll default') && !ids.includes('poll gone');
      });
    } finally {
      await system.stop();
      await service.stop();
      await Promise.all([ledger.drop(), served.drop()]);
    }
  });
});

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { type AccountLimits, type CallLimits, createCallLimits } from '../../src/worker/call-limits.ts';
import { useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();

let opened: CallLimits[] = [];
afterEach(async () => {
  await Promise.all(opened.map((limits) => limits.stop()));
  opened = [];
});

/** The call limits of one process. */
const openLimits = (pool: pg.Pool = ledger.pool): CallLimits => {
  const limits = createCallLimits(pool, randomUUID(), silentLogger);
  opened.push(limits);
  return limits;
};
const account = (name: string, over: Partial<AccountLimits> = {}): AccountLimits => ({
  name,
  inFlight: 16,
  callsPerSecond: undefined,
  requestTimeoutMs: 1000,
  ...over,
});

/** Makes calls in several processes; each lasts for some turns of the event loop. */
const makeCalls = async (
  throttles: ReturnType<CallLimits['throttleOf']>[],
  calls: number,
): Promise<{ most: number; byProcess: number[]; times: number[] }> => {
  let running = 0;
  let most = 0;
  const startedAt = performance.now();
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: calls }, async (_, at) => {
      const leave = await throttles[at % throttles.length]!.enter();
      times.push(performance.now() - startedAt);
      running += 1;
      most = Math.max(most, running);
      await ledger.pool.query('select pg_sleep(0.005)');
      running -= 1;
      leave();
    }),
  );
  return { most, byProcess: throttles.map((throttle) => throttle.started()), times };
};

describe('calls in flight', () => {
  test.each([
    { inFlight: 2, processes: 6, calls: 60 },
    { inFlight: 1, processes: 3, calls: 12 },
    { inFlight: 7, processes: 3, calls: 200 },
  ])(
    'of $processes processes are never more than $inFlight, and all calls are made',
    async ({ inFlight, processes, calls }) => {
      const limits = account(`in flight ${inFlight}`, { inFlight });
      const throttles = Array.from({ length: processes }, () => openLimits().throttleOf(limits));
      const { most, byProcess } = await makeCalls(throttles, calls);
      expect(most).toBeLessThanOrEqual(inFlight);
      expect(byProcess).toEqual(
        throttles.map(() =>
          calls / processes === Math.floor(calls / processes) ? calls / processes : expect.any(Number),
        ),
      );
    },
  );

  test('are all used by one process alone', async () => {
    const { most } = await makeCalls([openLimits().throttleOf(account('alone', { inFlight: 4 }))], 40);
    expect(most).toBe(4);
  });

  test('of one account do not wait for another', async () => {
    const limits = openLimits();
    const busy = limits.throttleOf(account('busy', { inFlight: 1 }));
    await busy.enter();
    void busy.enter();
    (await limits.throttleOf(account('idle', { inFlight: 1 })).enter())();
    expect(busy.running()).toBe(1);
  });

  test('go on in another process after one has stopped', async () => {
    const limits = account('handed over', { inFlight: 1 });
    const first = openLimits();
    (await first.throttleOf(limits).enter())();
    await first.stop();
    (await openLimits().throttleOf(limits).enter())();
  });

  test('do not start while the ledger cannot be reached', async () => {
    const unreachable = createPool('postgresql://nobody@127.0.0.1:1/none', { max: 1, logger: silentLogger });
    const throttle = openLimits(unreachable).throttleOf(account('no ledger'));
    void throttle.enter();
    // Runs after the call has requested its share, on the same connections.
    await expect(unreachable.query('select 1')).rejects.toThrow();
    await expect(unreachable.query('select 1')).rejects.toThrow();
    expect(throttle.started()).toBe(0);
    await unreachable.end();
  });
});

describe('calls per second', () => {
  test('have one limit over two processes, the first included', async () => {
    const limits = account('paced', { callsPerSecond: 20 });
    const throttles = [openLimits(), openLimits()].map((one) => one.throttleOf(limits));
    const { times } = await makeCalls(throttles, 21);
    // Twenty intervals of 50 ms; a machine may be late but never early.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(20 * 50 - 25);
  });

  test('never come in a burst, not even at the beginning or after a delay', async () => {
    const throttle = openLimits().throttleOf(account('smooth', { callsPerSecond: 50 }));
    const { times } = await makeCalls([throttle], 20);
    // Four gaps of 20 ms each; on a busy machine a call is noticed late, which shortens the gaps after it.
    for (const [at, time] of times.slice(4).entries()) expect(time - times[at]!).toBeGreaterThan(40);
  });

  test('may be fewer than one', async () => {
    const { times } = await makeCalls([openLimits().throttleOf(account('slow', { callsPerSecond: 0.8 }))], 2);
    expect(times[1]! - times[0]!).toBeGreaterThan(1200);
  });
});

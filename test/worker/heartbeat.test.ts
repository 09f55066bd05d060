import type pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { startHeartbeat } from '../../src/worker/heartbeat.ts';

afterEach(() => vi.useRealTimers());

/** Starts a heartbeat whose queries after the first end as `later` says. */
const start = async (later: () => Promise<never>) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  let queries = 0;
  const query = () => {
    queries += 1;
    return queries === 1 ? Promise.resolve({ rows: [{ slots: 1, activeAccounts: 0 }] }) : later();
  };
  const serving = () => ({ places: [], reads: [], troubles: {} });
  const parts = { accounts: { serving }, windows: { adapt: () => {} } };
  return startHeartbeat(
    { query } as unknown as pg.Pool,
    { ...parts, id: 'a', process: undefined, slots: 1 } as unknown as Parameters<typeof startHeartbeat>[1],
  );
};

test('a worker whose ledger cannot be reached is alive', async () => {
  const heartbeat = await start(() => Promise.reject(new Error('connection refused')));
  for (let at = 0; at < 30; at += 1) await vi.advanceTimersByTimeAsync(5000);
  expect(heartbeat.isBeating()).toBe(true);
});

test('a worker whose heartbeats neither succeed nor fail is not alive', async () => {
  const heartbeat = await start(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(heartbeat.isBeating()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heartbeat.isBeating()).toBe(false);
});

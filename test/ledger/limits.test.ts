import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThrottle } from '../../src/dealer-api/throttle.ts';
import { createCallLimit } from '../../src/ledger/call-limit.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { beat, leave, listWorkers } from '../../src/ledger/workers.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
/** The pools of two processes. */
let here: pg.Pool;
let there: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  here = createPool(database.url, { max: 4, logger: silentLogger });
  there = createPool(database.url, { max: 4, logger: silentLogger });
  await migrateLedger(here);
});
afterAll(async () => {
  await here.end();
  await there.end();
  await database.drop();
});

const nothing = { places: [], reads: [], troubles: {} };
const worker = (nth: number) => ({
  id: `00000000-0000-4000-8000-00000000000${nth}`,
  host: 'h',
  pid: nth,
  ...nothing,
});
const age = (nth: number, seconds: number) =>
  here.query(`update workers set seen_at = clock_timestamp() - $2 * interval '1 second' where id = $1`, [
    worker(nth).id,
    seconds,
  ]);

describe('running workers', () => {
  test('count each other: one, two, and one again after the other ends', async () => {
    expect(await beat(here, worker(1))).toBe(1);
    expect(await beat(there, worker(2))).toBe(2);
    expect(await beat(here, worker(1))).toBe(2);
    expect((await listWorkers(here)).map(({ pid }) => pid)).toEqual([1, 2]);
    await leave(there, worker(2).id);
    expect(await beat(here, worker(1))).toBe(1);
  });

  test('count a killed worker for 20 seconds, and not after that', async () => {
    await beat(there, worker(2));
    await age(2, 19);
    expect(await beat(here, worker(1))).toBe(2);
    await age(2, 21);
    expect(await listWorkers(here)).toHaveLength(1);
    expect(await beat(here, worker(1))).toBe(1);
    // A worker that was only suspended counts again with its next heartbeat.
    expect(await beat(there, worker(2))).toBe(2);
    await leave(there, worker(2).id);
  });

  test('that all send a heartbeat at once count each other correctly from the next one on', async () => {
    const many = [1, 2, 3, 4, 5, 6];
    await Promise.all(many.map((nth) => beat(nth % 2 ? here : there, worker(nth))));
    expect(await Promise.all(many.map((nth) => beat(nth % 2 ? here : there, worker(nth))))).toEqual(
      many.map(() => 6),
    );
  });
});

/** When each of `count` calls of two processes was admitted, in seconds since the first request. */
const admitTimes = async (account: string, callsPerSecond: number, calls: number): Promise<number[]> => {
  const limits = [here, there].map((pool) => createCallLimit(pool, account, callsPerSecond));
  const startedAt = performance.now();
  const times = await Promise.all(
    Array.from({ length: calls }, async (_, at) => {
      await limits[at % 2]!.admit();
      return (performance.now() - startedAt) / 1000;
    }),
  );
  return times.toSorted((a, b) => a - b);
};

describe('calls per second', () => {
  test('have one limit across two processes: a call beyond it waits for the next second', async () => {
    const times = await admitTimes('five', 5, 11);
    // Five per one-second window: the sixth is in the second window, the eleventh in the third.
    expect(times[5]).toBeGreaterThan(0.9);
    expect(times[10]).toBeGreaterThan(1.9);
  });

  test('may be fewer than one', async () => {
    const times = await admitTimes('slow', 0.5, 2);
    expect(times[1]).toBeGreaterThan(1.9);
  });

  test('of one account do not slow another', async () => {
    await createCallLimit(here, 'first', 0.001).admit();
    await createCallLimit(here, 'second', 0.001).admit();
  });

  test('are enforced by each process alone while the ledger is unreachable, and never throw', async () => {
    const unreachable = createPool('postgresql://nobody@127.0.0.1:1/none', { max: 1, logger: silentLogger });
    const limit = createCallLimit(unreachable, 'unreachable', 1000);
    await Promise.all(Array.from({ length: 20 }, () => limit.admit()));
    await unreachable.end();
  });
});

test('calls in flight stay limited while the ledger is unreachable', async () => {
  const unreachable = createPool('postgresql://nobody@127.0.0.1:1/none', { max: 1, logger: silentLogger });
  const throttle = createThrottle(3, createCallLimit(unreachable, 'unreachable too', 1000).admit);
  const ends = await Promise.all([throttle.enter(), throttle.enter(), throttle.enter()]);
  const fourth = throttle.enter();
  // Requested after the fourth on the same connection: the fourth would have been admitted by now.
  await createCallLimit(unreachable, 'afterwards', 1000).admit();
  expect(throttle.started()).toBe(3);
  ends[0]!();
  (await fourth)();
  expect(throttle.started()).toBe(4);
  await unreachable.end();
});

import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  slots: 10,
  ...nothing,
});
const slotsOf = async (pool: pg.Pool, nth: number) => (await beat(pool, worker(nth))).slots;
const age = (nth: number, seconds: number) =>
  here.query(`update workers set seen_at = clock_timestamp() - $2 * interval '1 second' where id = $1`, [
    worker(nth).id,
    seconds,
  ]);

describe('running workers', () => {
  test('add up their slots: of one, of two, and of one again after the other ends', async () => {
    expect(await slotsOf(here, 1)).toBe(10);
    expect(await slotsOf(there, 2)).toBe(20);
    expect(await slotsOf(here, 1)).toBe(20);
    expect((await listWorkers(here)).map(({ pid }) => pid)).toEqual([1, 2]);
    await leave(there, worker(2).id);
    expect(await slotsOf(here, 1)).toBe(10);
  });

  test('count a killed worker for 20 seconds, and not after that', async () => {
    await beat(there, worker(2));
    await age(2, 19);
    expect(await slotsOf(here, 1)).toBe(20);
    await age(2, 21);
    expect(await listWorkers(here)).toHaveLength(1);
    expect(await slotsOf(here, 1)).toBe(10);
    // A worker that was only suspended counts again with its next heartbeat.
    expect(await slotsOf(there, 2)).toBe(20);
    await leave(there, worker(2).id);
  });

  test('that all send a heartbeat at once count each other correctly from the next one on', async () => {
    const many = [1, 2, 3, 4, 5, 6];
    await Promise.all(many.map((nth) => beat(nth % 2 ? here : there, worker(nth))));
    expect(await Promise.all(many.map((nth) => slotsOf(nth % 2 ? here : there, nth)))).toEqual(
      many.map(() => 60),
    );
  });
});

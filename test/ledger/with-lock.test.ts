import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '../../src/ledger/pool.ts';
import { withLock } from '../../src/ledger/with-lock.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';

describe('a lock of the ledger', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let pool: ReturnType<typeof createPool>;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool(database.url, { max: 4, logger: silentLogger });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('lets one work at a time, and the next when that one is done', async () => {
    let inner: number | undefined = 0;
    expect(
      await withLock(pool, 'one', async () => {
        inner = await withLock(pool, 'one', async () => 2);
        return 1;
      }),
    ).toBe(1);
    expect(inner).toBeUndefined();
    expect(await withLock(pool, 'one', async () => 3)).toBe(3);
  });

  it('is not held for ever by a process that was stopped with it', async () => {
    let letGo = () => {};
    const released = new Promise<string>((resolve) => {
      letGo = () => resolve('late');
    });
    let stuck: Promise<string | undefined> | undefined;
    await new Promise<void>((locked) => {
      const work = () => {
        locked();
        return released;
      };
      stuck = withLock(pool, 'two', work, 50);
    });
    let taken: string | undefined;
    while (taken === undefined) {
      taken = await withLock(pool, 'two', async () => 'taken');
      await sleep(10);
    }
    expect(taken).toBe('taken');
    letGo();
    expect(await stuck).toBe('late');
  });

  it('leaves its connection without a limit', async () => {
    await withLock(pool, 'three', async () => {});
    const { rows } = await pool.query('show idle_session_timeout');
    expect(rows).toEqual([{ idle_session_timeout: '0' }]);
  });
});

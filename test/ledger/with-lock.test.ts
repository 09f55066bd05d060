import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateLedger } from '../../src/ledger/migrate.ts';
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
    await migrateLedger(pool);
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

  it('ends by its time when its process is gone, and is kept while its process lives', async () => {
    const gone = createPool(database.url, { max: 1, logger: silentLogger });
    let letGo = () => {};
    const released = new Promise<string>((resolve) => {
      letGo = () => resolve('late');
    });
    const limitMs = 300;
    const begin = (by: typeof pool, name: string) =>
      new Promise<Promise<string | undefined>>((locked) => {
        const work: Promise<string | undefined> = withLock(
          by,
          name,
          () => {
            setImmediate(() => locked(work));
            return released;
          },
          limitMs,
        );
      });
    void begin(gone, 'of a process that is gone');
    void begin(pool, 'of one that lives');
    await expect.poll(async () => (await pool.query('select from locks')).rowCount).toBe(2);
    await gone.end();
    const take = (name: string) => withLock(pool, name, async () => 'taken', limitMs);
    await expect.poll(() => take('of a process that is gone')).toBe('taken');
    expect(await take('of one that lives')).toBeUndefined();
    letGo();
    await expect.poll(() => take('of one that lives')).toBe('taken');
  });

  it('holds no connection while its work waits', async () => {
    const single = createPool(database.url, { max: 1, logger: silentLogger });
    const answered = await withLock(single, 'three', async () =>
      withLock(single, 'four', async () => (await single.query('select 1 as one')).rows),
    );
    expect(answered).toEqual([{ one: 1 }]);
    await single.end();
  });
});

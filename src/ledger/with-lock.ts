import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { msFromNow } from './purchase-order-sql.ts';
import { changesOne } from './query.ts';

/** A lock outlives its process by this long. It is renewed three times within this period. */
const lockMs = 10_000;

const acquire = (pool: pg.Pool, name: string, holder: string, limitMs: number): Promise<boolean> =>
  changesOne(pool, {
    name: 'acquire-lock',
    text: `insert into locks as l (name, holder, held_until) values ($1, $2, ${msFromNow('$3::float8')})
      on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
      where l.held_until < clock_timestamp()`,
    values: [name, holder, limitMs],
  });

/**
 * Runs `work` under a named lock, in one process at a time; returns undefined at once if another process holds the lock. The lock is a row,
 * written by single statements: no connection is held while `work` waits for a service or a disk. The lock of a killed or suspended process
 * expires after `limitMs`, by the database's clock. A process that cannot renew its lock continues without it, so `work` must be safe to
 * run twice concurrently.
 */
export const withLock = async <T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
  limitMs = lockMs,
): Promise<T | undefined> => {
  const holder = randomUUID();
  if (!(await acquire(pool, name, holder, limitMs))) return undefined;
  const renew = () =>
    pool.query({
      name: 'renew-lock',
      text: `update locks set held_until = ${msFromNow('$3::float8')} where name = $1 and holder = $2`,
      values: [name, holder, limitMs],
    });
  const renewing = setInterval(() => void renew().catch(() => {}), limitMs / 3);
  renewing.unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    // A lock that cannot be released expires.
    const release = () =>
      pool.query({
        name: 'release-lock',
        text: 'delete from locks where name = $1 and holder = $2',
        values: [name, holder],
      });
    // The first try may have used a connection that had broken meanwhile.
    await release()
      .catch(release)
      .catch(() => {});
  }
};

import type pg from 'pg';
import type { CallShare } from '../dealer-api/share-out.ts';
import { columnOf, rowsOf } from './query.ts';

/** An account's call shares as they were read; a write applies only if the version is still the same. */
export interface StoredShares {
  account: string;
  shares: Record<string, CallShare>;
  version: string;
  /** The ledger's clock at the read, in milliseconds. */
  now: number;
}

/** Reads how the processes share the calls of these accounts. */
export const readCallShares = async (pool: pg.Pool, accounts: readonly string[]): Promise<StoredShares[]> => {
  const read = () =>
    rowsOf<StoredShares>(pool, {
      name: 'read-call-shares',
      text: `select account, shares, version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now
        from call_shares where account = any($1)`,
      values: [accounts],
    });
  const found = await read();
  if (found.length === accounts.length) return found;
  await pool.query({
    name: 'add-call-shares',
    text: 'insert into call_shares (account) select unnest($1::text[]) on conflict (account) do nothing',
    values: [accounts.toSorted()],
  });
  return read();
};

/** Writes shares unless they have changed since they were read. Returns the accounts that were written. */
export const writeCallShares = (
  pool: pg.Pool,
  changed: readonly Omit<StoredShares, 'now'>[],
): Promise<string[]> =>
  columnOf(pool, {
    name: 'write-call-shares',
    text: `
      with wanted as (
        select * from jsonb_to_recordset($1::jsonb) as w(account text, shares jsonb, version bigint)
      ), locked as materialized (
        -- In a fixed order, so that two processes cannot deadlock.
        select c.account, c.version from call_shares c where c.account in (select account from wanted)
        order by c.account for update
      )
      update call_shares c set shares = w.shares, version = c.version + 1
      from wanted w, locked l where c.account = w.account and l.account = w.account and l.version = w.version
      returning c.account`,
    values: [JSON.stringify(changed)],
  });

/**
 * Reserves times for an account's next calls, `intervalMs` apart across all processes.
 *
 * @returns milliseconds from now to the first of them
 */
export const reserveCalls = async (
  pool: pg.Pool,
  account: string,
  count: number,
  intervalMs: number,
): Promise<number> => {
  const { rows } = await pool.query<{ waitMs: number }>({
    name: 'reserve-calls',
    text: `insert into call_shares as c (account, next_call_at)
      values ($1, clock_timestamp() + $2::float8 * interval '1 millisecond')
      on conflict (account) do update set
        next_call_at = greatest(c.next_call_at, clock_timestamp()) + $2::float8 * interval '1 millisecond'
      returning (extract(epoch from c.next_call_at - clock_timestamp()) * 1000 - $2::float8)::float8 as "waitMs"`,
    values: [account, count * intervalMs],
  });
  return Math.max(0, rows[0]!.waitMs);
};

import type pg from 'pg';
import { msFromNow } from './purchase-order-sql.ts';
import { changesOne, execute, rowsOf } from './query.ts';

/** The delivery state of a webhook. */
export interface SyncReceiver {
  account: string;
  name: string;
  position: string;
  /** Failed requests in a row. */
  tries: number;
  failingSince: Date | null;
  nextAt: Date;
  lastError: string | null;
  parkedAt: Date | null;
  sentAt: Date | null;
  /** Changes of its account that it has not confirmed, counted up to 1,001; 0 until they were numbered. */
  waiting: number;
}

type Key = Pick<SyncReceiver, 'account' | 'name'>;

const columns = `r.account, r.name, r.position::text, r.tries, r.failing_since as "failingSince", r.next_at as "nextAt",
  r.last_error as "lastError", r.parked_at as "parkedAt", r.sent_at as "sentAt"`;

/** Registers configured webhooks: a new one starts at the current end of the feed. */
export const knowReceivers = (pool: pg.Pool, receivers: readonly Key[]): Promise<void> =>
  execute(
    pool,
    `insert into sync_receivers (account, name, position)
     select r.account, r.name, h.position
     from jsonb_to_recordset($1::jsonb) as r(account text, name text) cross join feed_head h
     on conflict (account, name) do update set wanted_at = clock_timestamp()`,
    [JSON.stringify(receivers.map(({ account, name }) => ({ account, name })))],
  );

/** The webhooks among these that are due for a request, or may be. */
export const listDueReceivers = (pool: pg.Pool, receivers: readonly Key[]): Promise<SyncReceiver[]> =>
  rowsOf(pool, {
    name: 'sync-due',
    text: `select ${columns}, 0 as waiting from jsonb_to_recordset($1::jsonb) as k(account text, name text)
      join sync_receivers r on r.account = k.account and r.name = k.name cross join feed_head h
      where r.parked_at is null and r.next_at <= clock_timestamp() and r.position < h.position`,
    values: [JSON.stringify(receivers.map(({ account, name }) => ({ account, name })))],
  });

/** The state of these accounts' webhooks, with the number of waiting changes. */
export const listReceivers = (pool: pg.Pool, accounts: readonly string[]): Promise<SyncReceiver[]> =>
  rowsOf(pool, {
    name: 'sync-receivers',
    text: `select ${columns}, (select count(*)::int from (select from feed f where f.account = r.account and f.position > r.position limit 1001) w) as waiting
      from sync_receivers r where r.account = any($1) order by 1, 2`,
    values: [accounts],
  });

/** Records that the receiver has everything up to a position, unless another process has moved it since. */
export const moveReceiver = (
  pool: pg.Pool,
  { account, name, position }: Key & Pick<SyncReceiver, 'position'>,
  to: { position: string; sent: boolean },
): Promise<boolean> =>
  changesOne(pool, {
    name: 'sync-move',
    text: `update sync_receivers set position = $4, tries = 0, failing_since = null, last_error = null, next_at = clock_timestamp(),
        sent_at = case when $5 then clock_timestamp() else sent_at end
      where account = $1 and name = $2 and position = $3`,
    values: [account, name, position, to.position, to.sent],
  });

/** Records a failed request: the next one follows after a pause, or never if it has failed for too long. Returns whether it is parked now. */
export const failReceiver = async (
  pool: pg.Pool,
  { account, name }: Key,
  { error, waitMs, parkAfterMs }: { error: string; waitMs: number; parkAfterMs: number },
): Promise<boolean> => {
  const { rows } = await pool.query<{ parked: boolean }>({
    name: 'sync-fail',
    text: `update sync_receivers set tries = tries + 1, failing_since = coalesce(failing_since, clock_timestamp()), last_error = $3,
        next_at = ${msFromNow('$4::float8')},
        parked_at = case when failing_since < clock_timestamp() - $5::float8 * interval '1 millisecond' then clock_timestamp() end
      where account = $1 and name = $2 returning parked_at is not null as parked`,
    values: [account, name, error, waitMs, parkAfterMs],
  });
  return rows[0]?.parked ?? false;
};

/** Resumes a webhook from its own position or from a given one. Returns whether it exists. */
export const resumeReceiver = (
  pool: pg.Pool,
  { account, name }: Key,
  position: string | undefined,
): Promise<boolean> =>
  changesOne(
    pool,
    `update sync_receivers set parked_at = null, tries = 0, failing_since = null, last_error = null, next_at = clock_timestamp(),
       position = coalesce($3::bigint, position)
     where account = $1 and name = $2`,
    [account, name, position ?? null],
  );

import type pg from 'pg';
import { isActive } from './purchase-order-sql.ts';
import { execute, onlyValue, rowsOf } from './query.ts';

/** A worker without a heartbeat for this long counts as stopped. */
export const goneMs = 20_000;

/** How long a stopped worker remains known, so that a process on its machine can take over its POs. */
const keptFor = `interval '1 hour'`;

/** An account counts as ended this long after a worker last served it. */
const endedAfter = `interval '1 day'`;

/** SQL: the accounts whose POs running workers can place. */
export const placedAccounts = `select unnest(w.places) from workers w
  where w.left_at is null and w.seen_at >= clock_timestamp() - interval '${goneMs} milliseconds'`;

/** The accounts that a worker serves. */
export interface Serving {
  /** Accounts whose POs it can place. */
  places: readonly string[];
  /** Accounts whose files it can read and write. */
  reads: readonly string[];
  /** Why it cannot serve other accounts of its configuration: account name to message. */
  troubles: Readonly<Record<string, string>>;
}

export interface Heartbeat extends Serving {
  id: string;
  host: string;
  pid: number;
  /** Identifies the process on its machine; opaque to the ledger. */
  process?: object | undefined;
  /** How many POs it can place at the same time; default 0. */
  slots?: number;
  /** The number of the last migration that it knows; default: as for workers from before this was recorded. */
  knows?: string;
}

/** SQL: the worker has sent a heartbeat within the time of the parameter, in milliseconds. */
export const isLive = (worker: string, parameter: string) =>
  `${worker}.left_at is null and ${worker}.seen_at >= clock_timestamp() - ${parameter}::float8 * interval '1 millisecond'`;

/**
 * Records a worker's heartbeat and what it serves, deletes workers that stopped long ago, and returns the slots of all running workers,
 * including this one, and the number of accounts with PO jobs.
 */
export const beat = async (
  pool: pg.Pool,
  worker: Heartbeat,
): Promise<{ slots: number; activeAccounts: number }> => {
  const { id, host, pid, slots = 0, places, reads, troubles } = worker;
  const [running] = await rowsOf<{ slots: number; activeAccounts: number }>(pool, {
    name: 'beat',
    text: `
      with gone as (
        delete from workers where id <> $1 and seen_at < clock_timestamp() - ${keptFor}
      ), mine as (
        insert into workers (id, host, pid, places, reads, troubles, process, slots, knows)
        values ($1, $2, $3, $5, $6, $7, $9, $10, $11)
        on conflict (id) do update set seen_at = clock_timestamp(), left_at = null, places = excluded.places, reads = excluded.reads,
          troubles = excluded.troubles
      ), served as (
        insert into served_accounts as s (account) select unnest($8::text[])
        on conflict (account) do update set served_at = clock_timestamp()
          where s.served_at < clock_timestamp() - interval '1 minute'
      )
      select $10::int + coalesce((select sum(w.slots) from workers w
          where w.id <> $1 and ${isLive('w', '$4')}), 0)::int as slots,
        (select count(distinct p.account) from purchase_orders p
          where ${isActive('p')} and p.dispatch <> 'backlog')::int as "activeAccounts"`,
    values: [
      id,
      host,
      pid,
      goneMs,
      places,
      reads,
      JSON.stringify(troubles),
      // Sorted, so that two workers that write the same rows cannot deadlock.
      [...new Set([...places, ...reads, ...Object.keys(troubles)])].toSorted(),
      worker.process === undefined ? null : JSON.stringify(worker.process),
      slots,
      worker.knows ?? '027',
    ],
  });
  return running!;
};

/** Records that a worker stops. It remains known while the jobs that it still runs may hold leases. */
export const leave = (pool: pg.Pool, id: string): Promise<void> =>
  execute(pool, 'update workers set left_at = clock_timestamp() where id = $1', [id]);

/** The other workers whose process is known, including stopped ones, and the age of each one's last heartbeat. */
export const listOtherProcesses = <Process>(
  pool: pg.Pool,
  id: string,
): Promise<{ id: string; pid: number; process: Process; silentMs: number }[]> =>
  rowsOf(
    pool,
    `select id, pid, process, extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as "silentMs"
     from workers where id <> $1 and process is not null`,
    [id],
  );

export interface LiveWorker extends Serving {
  host: string;
  pid: number;
  /** How many POs it can place at the same time; 0: it only reads and writes files. */
  slots: number;
  startedAt: Date;
}

/** The running workers, oldest first. */
export const listWorkers = (pool: pg.Pool): Promise<LiveWorker[]> =>
  rowsOf(
    pool,
    `select host, pid, slots, started_at as "startedAt", places, reads, troubles from workers w
     where ${isLive('w', '$1')} order by started_at`,
    [goneMs],
  );

/** Whether a running worker can place the POs of an account, or read its files. */
export const isServed = (pool: pg.Pool, what: 'places' | 'reads', account: string): Promise<boolean> =>
  onlyValue(pool, {
    name: `is-served-${what}`,
    text: `select exists (select from workers w where ${isLive('w', '$1')} and $2 = any(w.${what})) as served`,
    values: [goneMs, account],
  });

/**
 * The accounts that have ended: no worker has had them in its configuration for a day. For an account new to the ledger, the day starts
 * now.
 */
export const findEndedAccounts = async (pool: pg.Pool, accounts: readonly string[]): Promise<Set<string>> => {
  await pool.query(
    'insert into served_accounts (account) select unnest($1::text[]) on conflict (account) do nothing',
    [accounts.toSorted()],
  );
  const { rows } = await pool.query<{ account: string }>(
    `select account from served_accounts
     where account = any($1) and served_at < clock_timestamp() - ${endedAfter}`,
    [accounts],
  );
  return new Set(rows.map(({ account }) => account));
};

import type pg from 'pg';

/** A worker without a heartbeat for this long counts as stopped. */
const goneMs = 20_000;

/** An account counts as ended this long after the last worker that served it. */
const endedAfter = `interval '1 day'`;

/** SQL: the accounts whose POs running workers can place. */
export const placedAccounts = `select unnest(w.places) from workers w
  where w.seen_at >= clock_timestamp() - interval '${goneMs} milliseconds'`;

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
}

const isLive = (worker: string, parameter: string) =>
  `${worker}.seen_at >= clock_timestamp() - ${parameter}::float8 * interval '1 millisecond'`;

/**
 * Records a worker's heartbeat and what it serves, removes stopped workers, and returns the number of running workers,
 * this one included.
 */
export const beat = async (pool: pg.Pool, worker: Heartbeat): Promise<number> => {
  const { id, host, pid, places, reads, troubles } = worker;
  const { rows } = await pool.query({
    name: 'beat',
    text: `
      with gone as (
        delete from workers where id <> $1 and seen_at < clock_timestamp() - $4::float8 * interval '1 millisecond' returning 1
      ), mine as (
        insert into workers (id, host, pid, places, reads, troubles) values ($1, $2, $3, $5, $6, $7)
        on conflict (id) do update set seen_at = clock_timestamp(), places = excluded.places, reads = excluded.reads,
          troubles = excluded.troubles
      ), served as (
        insert into served_accounts as s (account) select unnest($8::text[])
        on conflict (account) do update set served_at = clock_timestamp()
          where s.served_at < clock_timestamp() - interval '1 minute'
      )
      select (select count(*) from workers where id <> $1)::int - (select count(*) from gone)::int + 1 as live`,
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
    ],
  });
  return rows[0].live;
};

/** Removes a worker that stops. */
export const leave = async (pool: pg.Pool, id: string): Promise<void> => {
  await pool.query('delete from workers where id = $1', [id]);
};

export interface LiveWorker extends Serving {
  host: string;
  pid: number;
  startedAt: Date;
}

/** The running workers, oldest first. */
export const listWorkers = async (pool: pg.Pool): Promise<LiveWorker[]> => {
  const { rows } = await pool.query(
    `select host, pid, started_at as "startedAt", places, reads, troubles from workers w
     where ${isLive('w', '$1')} order by started_at`,
    [goneMs],
  );
  return rows;
};

/** Whether a running worker can place the POs of an account, or read its files. */
export const isServed = async (
  pool: pg.Pool,
  what: 'places' | 'reads',
  account: string,
): Promise<boolean> => {
  const { rows } = await pool.query({
    name: `is-served-${what}`,
    text: `select exists (select from workers w where ${isLive('w', '$1')} and $2 = any(w.${what})) as served`,
    values: [goneMs, account],
  });
  return rows[0].served;
};

/**
 * Which of these accounts have ended: no worker has had them in its configuration for a day. For an account that the
 * ledger does not know yet, the day starts now.
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

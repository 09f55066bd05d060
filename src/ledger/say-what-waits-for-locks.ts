import type pg from 'pg';

/** Poll interval; shorter than a migration's lock timeout. */
const lookEveryMs = 500;

export interface WaitTelling {
  /** Called with a sentence for people; default: no report. */
  tell?: (sentence: string) => void;
  /** Shorter waits are normal and are not reported; default: 10 seconds. */
  afterMs?: number;
  /** Report interval; default: every minute. */
  everyMs?: number;
}

interface Holder {
  pid: number;
  program: string | null;
  name: string | null;
  address: string | null;
  state: string | null;
  since: Date | null;
}

// Postgres shows a user only the name and the program of other users' sessions. 0 is a prepared transaction.
const holdersSql = `
  select distinct b.pid, coalesce(nullif(a.application_name, ''), a.backend_type) as program, a.usename as name,
    host(a.client_addr) as address, a.state, coalesce(a.xact_start, a.backend_start) as since
  from unnest(pg_blocking_pids($1)) b(pid) left join pg_stat_activity a on a.pid = b.pid
  order by b.pid`;

const timeOf = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const describeHolder = ({ pid, program, name, address, state, since }: Holder): string => {
  if (pid === 0) return 'a prepared transaction (see pg_prepared_xacts)';
  const known = [
    program,
    name === null ? undefined : `user ${name}`,
    address === null ? undefined : `from ${address}`,
    [state ?? undefined, since === null ? undefined : `since ${timeOf(since)}`].filter(Boolean).join(' '),
  ].filter(Boolean);
  return `the database's process ${pid} (${known.join(', ')})`;
};

const sentenceOf = (since: Date, holders: readonly Holder[]): string =>
  `Migrating the ledger has waited since ${timeOf(since)} for a lock that another session holds: ` +
  `${holders.map(describeHolder).join('; ')}. It continues when that session ends its transaction. If it does not end, stop that program.`;

/**
 * While a connection works, reports from time to time which sessions hold the locks that it waits for (`pg_blocking_pids`). Polls on
 * another connection of the pool; reports nothing while none is free or the query fails.
 */
export const createWaitTeller = (
  pool: pg.Pool,
  { tell = () => {}, afterMs = 10_000, everyMs = 60_000 }: WaitTelling = {},
) => {
  let since: Date | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  const look = async (pid: number): Promise<void> => {
    const { rows } = await pool.query<Holder>(holdersSql, [pid]);
    if (rows.length === 0) return;
    since ??= new Date();
    const now = performance.now();
    if (Date.now() - since.getTime() < afterMs || now - toldAt < everyMs) return;
    toldAt = now;
    tell(sentenceOf(since, rows));
  };
  return {
    /** Runs `work`, which uses only this connection. */
    during: async <T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      let isLooking = false;
      const timer = setInterval(async () => {
        if (isLooking) return;
        isLooking = true;
        await look(rows[0]!.pid).catch(() => {});
        isLooking = false;
      }, lookEveryMs);
      try {
        return await work();
      } finally {
        clearInterval(timer);
      }
    },
    /** The wait has ended. */
    reset: (): void => {
      since = undefined;
    },
  };
};

import type pg from 'pg';
import { UserError } from '../errors.ts';
import { rowsOf } from './query.ts';
import { goneMs } from './workers.ts';

/** How long to wait for older workers: longer than a killed worker counts as running. */
export const patienceMs = goneMs + 10_000;

/** The number of a migration: the digits that its name begins with. */
export const numberOf = (name: string): string => name.slice(0, 3);

export interface OlderWorker {
  host: string;
  pid: number;
}

/**
 * The running workers that know no migration from this number on. Without such a column, workers are as old as the ledger; without a
 * workers table there are none. Within a transaction that has the ledger's search_path.
 */
export const listOlderWorkers = async (
  client: Pick<pg.PoolClient, 'query'>,
  number: string,
): Promise<OlderWorker[]> => {
  const { rows: found } = await client.query<{ made: boolean }>(
    `select to_regclass('workers') is not null as made`,
  );
  if (!found[0]!.made) return [];
  // By name through JSON, because earlier ledgers lack some of the columns.
  return rowsOf(
    client,
    `select w ->> 'host' as host, (w ->> 'pid')::int as pid from (select to_jsonb(workers) as w from workers) all_workers
     where w ->> 'left_at' is null
       and (w ->> 'seen_at')::timestamptz >= clock_timestamp() - $1::float8 * interval '1 millisecond'
       and coalesce(w ->> 'knows', (select max(left(name, 3)) from migrations)) < $2
     order by w ->> 'started_at'`,
    [goneMs, number],
  );
};

export const olderWorkersRun = (migration: string, older: readonly OlderWorker[]): UserError => {
  const places = older.map(({ host, pid }) => `${host} (pid ${pid})`).join(', ');
  return new UserError(
    'workers_older',
    `The migration ${migration} of this version cannot be applied while workers of an earlier version run: ${places}. Stop them, then start this one again; the others can follow.`,
  );
};
